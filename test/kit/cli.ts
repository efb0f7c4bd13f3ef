/**
 * Whole commands as real processes in a private world: their own HOME, runs, PATH and scripted agents. Everything that was started
 * from here, by however many steps, is ended when the test is over: it carries the private HOME in its environment.
 */
import { readdirSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type Identity, identify, lifeOf } from '../../lib/io/process/identity.ts'
import { allRows, readOf, rowOf } from '../../lib/io/process/rows.ts'
import { type Ended, type Setup, startCommand, type Started } from './command.ts'
import { tempFolder } from './temp.ts'
import { until } from './until.ts'

export const commandsFolder = fileURLToPath(new URL('../../commands', import.meta.url))
/** Path of a command's file. */
export const commandFile = (name: string): string => join(commandsFolder, `${name}.ts`)
/** Every command that people call. */
export const commandNames = readdirSync(commandsFolder).filter(name => name.endsWith('.ts')).map(name => name.slice(0, -3))

const Problem = v.looseObject({ code: v.string(), message: v.string(), hint: v.optional(v.string()) })
const Worker = v.looseObject({
  id: v.string(), status: v.string(), error: v.optional(v.string()), failureKind: v.optional(v.string()), process: v.optional(v.unknown()),
})
/** What commands print with `--json`, as far as tests look at it. */
const Answer = v.looseObject({
  status: v.optional(v.string()), done: v.optional(v.boolean()), runDir: v.optional(v.string(), ''), pid: v.optional(v.number(), 0),
  workers: v.optional(v.unknown()), notes: v.optional(v.array(v.string()), []),
  error: v.optional(Problem), errors: v.optional(v.array(Problem), []), unverifiable: v.optional(v.array(v.string()), []), ended: v.optional(v.number()),
})
export type Answer = v.InferOutput<typeof Answer> & Pick<Ended, 'code' | 'stderr'>

const StateOnDisk = v.looseObject({ status: v.string(), runId: v.string(), runnerPid: v.number(), workers: v.record(v.string(), Worker) })
export type StateOnDisk = v.InferOutput<typeof StateOnDisk>

export type How = Partial<Setup>
export type CliPlan = Readonly<Record<string, unknown>> & { readonly workers: readonly Readonly<Record<string, unknown>>[] }

export interface CliRig extends AsyncDisposable {
  readonly path: string
  /** Where commands and workers are unless they say otherwise. */
  readonly work: string
  /** ALETHE_ORCHESTRATE_HOME. */
  readonly runs: string
  /** What a command is started with. */
  setup(how?: How): Setup
  /** Puts a program on PATH: a script of sh, unless it begins with `#!`. In it, `told WORD PID` writes down a process for `named`. */
  fake(name: string, script: string): Promise<void>
  /** Writes a plan and returns its path; `version` and each worker's `cwd`, `task` and `provider: custom` may be left out. */
  plan(plan: CliPlan, name?: string): Promise<string>
  start(command: string, args?: readonly string[], how?: How): Started
  run(command: string, args?: readonly string[], how?: How): Promise<Ended>
  /** Runs a command with `--json`; fails when it prints anything but one object on stdout. */
  answer(command: string, args?: readonly string[], how?: How): Promise<Answer>
  /** Waits for `count` lines of `told WORD` and identifies the processes that they name; fails when `by` ends without them. */
  named(word: string, count: number, by?: Started): Promise<Identity[]>
  /** Lines of `told WORD`. */
  told(word: string): Promise<string[]>
  state(runDir: string): Promise<StateOnDisk>
  /** Folders of runs. */
  runFolders(): string[]
}

/** One JSON object on stdout and nothing on stderr, whatever the command did. */
export function answerOf({ code, stdout, stderr }: Ended): Answer {
  if (stderr !== '' || !/^\{.*\}\n$/.test(stdout)) throw new Error(`Not one object on stdout alone (exit ${code}):\n${stdout}\n--- stderr:\n${stderr}`)
  return { ...v.parse(Answer, JSON.parse(stdout)), code, stderr }
}

/** Workers of an answer by id: status, with the failure kind behind it. */
export const statuses = ({ workers }: Pick<Answer, 'workers'>): Record<string, string> => Object.fromEntries(
  v.parse(v.array(Worker), workers).map(({ id, status, failureKind }) => [id, failureKind && failureKind !== status ? `${status} ${failureKind}` : status]))

export const isAlive = (identity: Identity): boolean => lifeOf(identity) === 'alive'
export const allGone = (identities: readonly Identity[], limitMs = 15_000): Promise<void> =>
  until(() => identities.every(each => lifeOf(each) === 'dead'), limitMs)

/** A process by its id, which must live. */
export async function identityAt(pid: number): Promise<Identity> {
  const identity = await identify(pid)
  if (!identity) throw new Error(`There is no process ${pid}`)
  return identity
}

/** Kills one process by identity, as nothing may outlive a test and no stranger may be hit. */
export function killNow(identity: Identity): void {
  if (!isAlive(identity)) return
  try {
    process.kill(identity.pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

export async function cliRig(env: Readonly<Record<string, string>> = {}): Promise<CliRig> {
  const temp = await tempFolder('cli')
  const [bin, work, home, runs] = ['bin', 'work', 'home', 'runs'].map(name => join(temp.path, name)) as [string, string, string, string]
  for (const folder of [bin, work, home]) await mkdir(folder, { mode: 0o700 })
  const notes = join(temp.path, 'told')
  const met: Identity[] = []
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const setup = (how: How = {}): Setup => ({
    cwd: work, limitMs: 60_000, ...how, env: { HOME: home, PATH: path, ALETHE_ORCHESTRATE_HOME: runs, GIT_CONFIG_NOSYSTEM: '1', ...env, ...how.env },
  })
  const start: CliRig['start'] = (command, args = [], how = {}) => startCommand(commandFile(command), args, setup(how))
  const told = async (word: string): Promise<string[]> => (await readFile(notes, 'utf8').catch(() => '')).split('\n').slice(0, -1)
    .flatMap(line => line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : [])
  return {
    path: temp.path, work, runs, setup, start, told,
    fake: async (name, script) => {
      await writeFile(join(bin, name), script.startsWith('#!') ? script : `#!/bin/sh\ntold() { echo "$1 $2" >> '${notes}'; }\n${script}\n`)
      await chmod(join(bin, name), 0o755)
    },
    plan: async (plan, name = 'plan.json') => {
      const workers = plan.workers.map(worker => ({ provider: 'custom', cwd: work, task: 'Do it', ...worker }))
      await writeFile(join(work, name), JSON.stringify({ version: 1, ...plan, workers }))
      return join(work, name)
    },
    run: (command, args, how) => start(command, args, how).ended,
    answer: async (command, args = [], how) => answerOf(await start(command, [...args, '--json'], how).ended),
    named: async (word, count, by) => {
      let end: Ended | undefined
      void by?.ended.then(ended => { end = ended })
      await until(async () => end !== undefined || (await told(word)).length >= count, 60_000)
      if ((await told(word)).length < count) throw new Error(`Ended before ${count} lines of "${word}": ${JSON.stringify(end)}`)
      const found = (await Promise.all((await told(word)).map(Number).map(identify))).filter(identity => identity !== null)
      met.push(...found)
      return found
    },
    state: async runDir => v.parse(StateOnDisk, JSON.parse(await readFile(join(runDir, 'state.json'), 'utf8'))),
    runFolders: () => readdirSync(temp.path).includes('runs') ? readdirSync(runs).filter(name => name.startsWith('run-')).map(name => join(runs, name)) : [],
    [Symbol.asyncDispose]: async () => {
      met.forEach(killNow)
      await endAllOf(home)
      await temp[Symbol.asyncDispose]()
    },
  }
}

/** Ends every process whose environment names a private HOME; where environments cannot be read, only what tests named is ended. */
async function endAllOf(home: string): Promise<void> {
  const mark = Buffer.from(`\0HOME=${home}\0`).toString('latin1')
  await until(async () => {
    const left = process.platform === 'linux' ? (await allRows()).filter(({ pid, zombie }) => !zombie && `\0${readOf(pid, 'environ') ?? ''}`.includes(mark)) : []
    for (const { pid, startTime } of left) {
      const row = rowOf(pid)
      if (row?.startTime === startTime) killNow(await identityAt(pid).catch(() => ({ pid, startTime: '', bootId: '' })))
    }
    return left.length === 0
  })
}
