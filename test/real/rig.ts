/**
 * A private machine for one test: home, configuration, temporary folder, repository, two model servers and a proxy that lets
 * nobody through, all below one folder. The commands run in it as a user would start them, with the real CLIs on PATH and keys
 * that open nothing. When the test is over nothing may be left: no process, no attempt to reach another address, no folder.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutcomeRecord } from '../../lib/model/outcome.ts'
import { cleanEnv, type Ended, startCommand, type Started } from '../kit/command.ts'
import { sweepStrays } from '../kit/strays.ts'
import { tempFolder } from '../kit/temp.ts'
import { startAnthropic } from './anthropic.ts'
import { installed, type Cli, codex, newClaude } from './install.ts'
import type { ModelServer } from './model-server.ts'
import { startOpenai } from './openai.ts'
import { runProgram } from './program.ts'
import { type Proxy, startProxy } from './proxy.ts'

/** What `run`, `wait` and `status` print with `--json`. */
export interface Report {
  readonly status: string
  readonly runDir: string
  readonly done?: boolean
  readonly workers: readonly OutcomeRecord[]
  readonly budgetUsage?: Readonly<Record<string, number>>
}

export interface Ran extends Report {
  readonly code: number | null
  outcome(id: string): OutcomeRecord
  /** Text of a file in a worker's folder. */
  file(id: string, name: string): Promise<string>
}

export interface PlanLike { readonly workers: readonly Readonly<Record<string, unknown>>[]; readonly [field: string]: unknown }

export interface Rig {
  readonly path: string
  readonly home: string
  readonly codexHome: string
  /** A git repository with one commit, clean. */
  readonly repo: string
  readonly env: Readonly<Record<string, string>>
  readonly anthropic: ModelServer
  readonly openai: ModelServer
  readonly proxy: Proxy
  /** The server that a CLI talks to. */
  serverOf(cli: Cli): ModelServer
  /** Writes a plan; `version`, and each worker's `cwd` and the model of Claude, may be left out. Returns its path. */
  plan(plan: PlanLike): Promise<string>
  start(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Started
  /** Runs a command with `--json` to its end and returns what it printed. */
  ask(command: string, ...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: Report }>
  /** Runs a CLI itself, without the runner: the controls of tests that guard what the runner keeps away. */
  bare(program: Cli['program'], args: readonly string[], input: string, env?: Readonly<Record<string, string>>): Promise<Ended>
  /** Runs a plan in the foreground. */
  run(plan: PlanLike, env?: Readonly<Record<string, string>>): Promise<Ran>
  /** `git status` of the repository, '' when nothing was touched. */
  touched(): string
}

export interface RigOptions {
  /** Claude pays with an API key, or uses the login of a plan: only then it is told of limits. */
  readonly login?: 'key' | 'plan'
  readonly env?: Readonly<Record<string, string>>
}

/** How long a CLI may take to its first request or tool where the machine is busy. */
export const startLimitMs = 60_000

/** What the repository holds. */
export const repoFiles = { 'a.txt': 'old\n', 'sub/b.txt': 'other\n' }

const configOf = (url: string): string => `model = "gpt-5.5"
model_provider = "local"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
unbounded_connection_retries = false
[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 30000
`

/** Programs on PATH: the CLIs under test, the running Node and, after them, the system's own. */
async function makeBin(bin: string, cli: Cli): Promise<void> {
  await mkdir(bin)
  await symlink(process.execPath, join(bin, 'node'))
  for (const each of [cli.program === 'claude' ? cli : newClaude, codex]) await symlink(await realpath((await installed(each)).path), join(bin, each.program))
}

function git(cwd: string, env: Rig['env'], ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} gave ${status}: ${stderr}`)
  return stdout.trimEnd()
}

async function makeRepo(repo: string, env: Rig['env']): Promise<void> {
  for (const [name, content] of Object.entries(repoFiles)) {
    await mkdir(dirname(join(repo, name)), { recursive: true })
    await writeFile(join(repo, name), content)
  }
  for (const args of [['init', '-q', '-b', 'main'], ['add', '-A'], ['commit', '-q', '-m', 'first']]) git(repo, env, ...args)
}

const commandFile = (name: string): string => fileURLToPath(new URL(`../../commands/${name}.ts`, import.meta.url))

type Services = Pick<Rig, 'anthropic' | 'openai' | 'proxy'>
type Folders = Pick<Rig, 'path' | 'home' | 'codexHome' | 'repo'> & { readonly bin: string; readonly tmp: string }

function envOf({ home, codexHome, repo, bin, tmp }: Folders, { anthropic, proxy }: Services, { login, env }: RigOptions): Record<string, string> {
  return cleanEnv({ cwd: repo, env: {
    HOME: home, CODEX_HOME: codexHome, TMPDIR: tmp, PATH: `${bin}:/usr/bin:/bin`, LANG: 'C.UTF-8', LOCAL_KEY: 'opens-nothing', ...proxy.env,
    ANTHROPIC_BASE_URL: anthropic.url, CLAUDE_CODE_MAX_RETRIES: '1',
    ...(login === 'plan' ? { CLAUDE_CODE_OAUTH_TOKEN: 'opens-nothing' } : { ANTHROPIC_API_KEY: 'sk-ant-opens-nothing' }),
    ...env,
  } })
}

async function makeFolders(path: string, cli: Cli, { openai }: Services): Promise<Folders> {
  const [home, codexHome, repo, bin, tmp] = ['home', 'codex', 'repo', 'bin', 'tmp'].map(name => join(path, name)) as [string, string, string, string, string]
  for (const folder of [home, codexHome, tmp]) await mkdir(folder, { mode: 0o700 })
  // tsx keeps what it compiled under the temporary folder: shared with the other tests, it is compiled once.
  const compiled = `tsx-${process.geteuid?.()}`
  await mkdir(join(tmpdir(), compiled), { recursive: true })
  await symlink(await realpath(join(tmpdir(), compiled)), join(tmp, compiled))
  await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.invalid\n[gc]\n\tauto = 0\n')
  await writeFile(join(codexHome, 'config.toml'), configOf(openai.url))
  await makeBin(bin, cli)
  return { path, home, codexHome, repo, bin, tmp }
}

async function makeRig(path: string, cli: Cli, services: Services, options: RigOptions): Promise<Rig> {
  const folders = await makeFolders(path, cli, services)
  const { home, codexHome, repo, bin } = folders
  const env = envOf(folders, services, options)
  await makeRepo(repo, env)
  const start: Rig['start'] = (command, args, more = {}) => startCommand(commandFile(command), args, { cwd: repo, env: { ...env, ...more }, limitMs: 120_000 })
  let plans = 0
  const plan: Rig['plan'] = async ({ workers, ...rest }) => {
    const file = join(path, `plan-${++plans}.json`)
    const full = workers.map(worker => ({ cwd: repo, ...(worker['provider'] === 'claude' ? { model: 'claude-sonnet-4-5' } : {}), ...worker }))
    await writeFile(file, JSON.stringify({ version: 1, ...rest, workers: full }))
    return file
  }
  return {
    ...services, path, home, codexHome, repo, env, start, plan,
    bare: (program, args, input, more) => runProgram(join(bin, program), args, {
      cwd: repo, env: { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', ...more }, input, limitMs: 60_000,
    }),
    serverOf: each => each.program === 'claude' ? services.anthropic : services.openai,
    ask: async (command, ...args) => answerOf(await start(command, [...args, '--json']).ended),
    run: async (given, more) => {
      const { code, said } = answerOf(await start('run', [await plan(given), '--json'], more).ended)
      if ('error' in said) throw new Error(`The plan was refused: ${JSON.stringify(said)}`)
      return ranOf(code, said)
    },
    touched: () => git(repo, env, 'status', '--porcelain', '--untracked-files=all'),
  }
}

function answerOf({ code, signal, stdout, stderr }: Ended): { readonly code: number | null; readonly said: Report } {
  if (signal || stderr !== '' || !stdout.startsWith('{')) throw new Error(`The command ended with ${signal ?? code}: ${stderr} ${stdout.slice(0, 2_000)}`)
  return { code, said: JSON.parse(stdout) as Report }
}

export const ranOf = (code: number | null, report: Report): Ran => ({
  ...report, code,
  outcome: id => {
    const found = report.workers.find(worker => worker.id === id)
    if (!found) throw new Error(`There is no outcome of "${id}" in ${JSON.stringify(report)}`)
    return found
  },
  file: (id, name) => readFile(join(report.runDir, 'workers', id, name), 'utf8'),
})

/** Ends what is left and says what that was; a good test leaves nothing. */
async function findings(path: string, proxy: Proxy): Promise<string[]> {
  // Nobody has a group of this number: what belongs here is told by its environment and its folder.
  const strays = await sweepStrays(-1, path)
  return [
    ...strays.map(({ pid, name }) => `process ${pid} was left behind: ${name}`),
    ...proxy.contacts.map(contact => `another address was asked for: ${contact}`),
  ]
}

/** Runs a test in a rig of its own, with `cli` on PATH. */
export async function inRig(cli: Cli, options: RigOptions, body: (rig: Rig) => Promise<void>): Promise<void> {
  await using temp = await tempFolder('real')
  await using anthropic = await startAnthropic()
  await using openai = await startOpenai()
  await using proxy = await startProxy()
  const rig = await makeRig(temp.path, cli, { anthropic, openai, proxy }, options)
  let failure: unknown
  try {
    await body(rig)
  } catch (error) {
    failure = error
  }
  const found = await findings(temp.path, proxy)
  await rm(temp.path, { recursive: true, force: true, maxRetries: 5 })
  if (failure instanceof Error) {
    failure.message = [failure.message, ...found].join('\n')
    throw failure
  }
  if (failure !== undefined) throw failure
  if (found.length > 0) throw new Error(found.join('\n'))
}
