/**
 * From a resolved plan to a run that goes: its folder, `plan.json`, the first state, and for `--detach` a runner of its own that
 * is handed the whole resolved plan and starts only when everything is on disk.
 */
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { fail } from '../base/fail.ts'
import { maskFor } from '../base/mask.ts'
import { writeJson, writeNew } from '../io/files.ts'
import { hold } from '../io/process/hold.ts'
import type { Host } from '../io/host.ts'
import { identify } from '../io/process/identity.ts'
import type { State } from '../model/state.ts'
import type { Provider } from '../plugin/provider.ts'
import { extensionOf } from './guard.ts'
import { folderTaken, type NewRun, newRun, type NewRunOptions, written } from './home.ts'
import { planFile, runnerStderr, runnerStdout, stateFile } from './layout.ts'
import { planRecord } from './plan-record.ts'
import type { Resolved } from './resolve.ts'
import { firstState } from './wave.ts'

/** Makes the run folder with `plan.json`. */
export async function openRun(host: Host, resolved: Resolved, providers: ReadonlyMap<string, Provider>, options: NewRunOptions = {}): Promise<NewRun> {
  const record = planRecord(resolved, providers, maskFor(host.env))
  const run = await newRun(host, options)
  // Two runs may have found the same folder empty: it is theirs who write the plan.
  if (!await written(run.folder, () => writeNew(join(run.folder, planFile), record))) throw folderTaken(run.folder)
  return run
}

/** Writes the first state with this process as the runner. */
export async function beginHere(host: Host, resolved: Resolved, run: NewRun): Promise<State> {
  const runner = await identify(process.pid)
  if (!runner) throw new Error('Cannot read the identity of this process')
  const state = firstState(host, run, resolved, runner)
  await written(run.folder, () => writeJson(join(run.folder, stateFile), state))
  return state
}

/** What a detached runner is handed on its stdin: the go. */
export const Handover = v.object({
  resolved: v.custom<Resolved>(value => typeof value === 'object' && value !== null),
  run: v.object({ runId: v.string(), folder: v.string() }),
  state: v.custom<State>(value => typeof value === 'object' && value !== null),
  /** Plugin files that the caller named. */
  plugins: v.array(v.string()),
})

export interface Started { readonly status: 'started'; readonly runDir: string; readonly pid: number }

/** Starts a runner of its own for the run. It outlives this process and its terminal. */
export async function detach(host: Host, entry: string, { resolved, run, plugins }: Omit<v.InferOutput<typeof Handover>, 'state'>): Promise<Started> {
  const words = [process.execPath, ...process.execArgv, join(dirname(entry), `runner${extensionOf(entry)}`)]
  const runner = await written(run.folder, async () => hold(words, host, {
    stdout: join(run.folder, runnerStdout), stderr: join(run.folder, runnerStderr),
  }))
  const identity = runner.pid === undefined ? null : await identify(runner.pid)
  if (!identity) throw fail('run.start-failed', `Cannot start a runner for "${run.folder}"`, { hint: `read ${join(run.folder, runnerStderr)}` })
  const state = firstState(host, run, resolved, identity)
  await written(run.folder, () => writeJson(join(run.folder, stateFile), state))
  await runner.send(JSON.stringify({ resolved, run, state, plugins }))
  return { status: 'started', runDir: run.folder, pid: identity.pid }
}
