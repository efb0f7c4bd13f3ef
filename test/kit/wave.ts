/**
 * A wave in a private home with scripted command-line agents first on PATH, run in this process at a quick pace. For waves whose
 * runner must die or detach, see the tests of whole commands.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host } from '../../lib/io/host.ts'
import type { OutcomeRecord } from '../../lib/model/outcome.ts'
import { type Pace, usualPace, type WaveEvent } from '../../lib/run/context.ts'
import { beginHere, openRun } from '../../lib/run/open.ts'
import { preparePlan, setUp } from '../../lib/run/setup.ts'
import { runWave, type WaveResult } from '../../lib/run/wave.ts'
import { hostAt } from './host.ts'
import { gitAt, writeFiles } from './repo.ts'
import { tempFolder } from './temp.ts'

/** Any command of the checkout: plugins and the guard are found from it. */
export const entry = fileURLToPath(new URL('../../commands/run.ts', import.meta.url))

/** Ends what tests leave hanging within a second or two. */
export const quickPace: Pace = { ...usualPace, lingerMs: 600, signalGraceMs: 400, termGraceMs: 400 }

export interface Ran extends WaveResult {
  readonly events: readonly WaveEvent[]
  outcome(id: string): OutcomeRecord
  /** Text of a file in a worker's folder. */
  file(id: string, name: string): Promise<string>
}

export interface WaveRig extends AsyncDisposable {
  readonly path: string
  /** Where workers are unless they say otherwise. */
  readonly work: string
  readonly host: Host
  /** Puts a program on PATH. A script without `#!` is run by sh. */
  fake(name: string, script: string): Promise<void>
  /** Makes `work` a repository with these files in its first commit. */
  repo(files: Readonly<Record<string, string>>): void
  /** Writes a policy file and returns its path. */
  policy(policy: Readonly<Record<string, unknown>>): Promise<string>
  /** Runs a plan; `version` and each worker's `cwd`, `task` and `provider: custom` may be left out. */
  run(plan: RigPlan, options?: RunOptions): Promise<Ran>
}

export type RigPlan = Readonly<Record<string, unknown>> & { readonly workers: readonly Readonly<Record<string, unknown>>[] }
export interface RunOptions { readonly pace?: Partial<Pace>; readonly signal?: AbortSignal; readonly onEvent?: (event: WaveEvent, folder: string) => void; readonly policy?: string }

/** Makes the rig. `env` is added to the caller's environment as workers see it. */
export async function waveRig(env: Record<string, string> = {}): Promise<WaveRig> {
  const temp = await tempFolder('wave')
  const [bin, work, home] = ['bin', 'work', 'home'].map(name => join(temp.path, name)) as [string, string, string]
  for (const folder of [bin, work, home]) await mkdir(folder)
  // Workers commit as somebody.
  await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Worker\n\temail = worker@example.invalid\n')
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const host = hostAt(home, { cwd: work, env: { PATH: path, ...env } })
  return {
    path: temp.path, work, host,
    fake: async (name, script) => {
      await writeFile(join(bin, name), script.startsWith('#!') ? script : `#!/bin/sh\n${script}\n`)
      await chmod(join(bin, name), 0o755)
    },
    repo: files => {
      gitAt(work, 'init', '-q')
      writeFiles(work, files)
      gitAt(work, 'add', '-A')
      gitAt(work, 'commit', '-q', '-m', 'Start')
    },
    policy: async policy => {
      const file = join(temp.path, 'policy.json')
      await writeFile(file, JSON.stringify(policy))
      return file
    },
    run: (plan, options = {}) => runPlan(host, work, plan, options),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  }
}

async function runPlan(host: Host, work: string, plan: RigPlan, options: RunOptions): Promise<Ran> {
  const planPath = join(dirname(work), `plan-${Math.random().toString(16).slice(2)}.json`)
  const workers = plan.workers.map(worker => ({ provider: 'custom', cwd: work, task: 'Do it', ...worker }))
  await writeFile(planPath, JSON.stringify({ version: 1, ...plan, workers }))
  const setup = await setUp(host, entry)
  const resolved = await preparePlan(host, setup, planPath, { policy: options.policy })
  const run = await openRun(host, resolved, setup.providers)
  const events: WaveEvent[] = []
  const result = await runWave(resolved, await beginHere(host, resolved, run), {
    host, entry, run, providers: setup.providers, pace: { ...quickPace, ...options.pace }, signal: options.signal ?? new AbortController().signal,
    emit: event => {
      events.push(event)
      options.onEvent?.(event, run.folder)
    },
  })
  return {
    ...result, events,
    outcome: id => {
      const found = result.workers.find(worker => worker.id === id)
      if (!found) throw new Error(`There is no outcome of "${id}"`)
      return found
    },
    file: (id, name) => readFile(join(run.folder, 'workers', id, name), 'utf8'),
  }
}
