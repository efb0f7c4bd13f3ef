/**
 * Calls git (2.33 or newer), always the same way: nothing of the caller's environment points it at another repository or
 * changes what it prints, no hook, monitor, pager, editor or prompt runs, stdin ends, and a call that hangs is ended with
 * its group.
 *
 * zx collects the output and tells the end. Three things are set against its defaults, each tried on zx 8.8.5: programs start
 * through its `spawn` option with their words, as its shell costs 2 ms more a call, reads BASH_ENV and is missing on Windows;
 * bytes come from its `store`, as `buffer()` passes them through UTF-8; and the time limit is ours, as its own never reaches KILL
 * and waits for whoever holds the pipes. Every option that it would take from ZX_* variables is given.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fail, Fail } from '../base/fail.ts'
import { cleanLine, duration } from '../base/text.ts'
import { isFolder } from './files.ts'
import { mayBeSignalled } from './process/identity.ts'
import { which } from './which.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface GitOptions {
  /** What goes to stdin; without it stdin is empty. */
  readonly input?: Uint8Array | string
  /** Variables on top, such as GIT_INDEX_FILE. */
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Exit codes that are answers, not failures. */
  readonly okCodes?: readonly number[]
  /** True for calls that write: the others take no locks, not even to refresh the index. */
  readonly write?: boolean
  /** What the call is for, as the end of `Cannot …`; otherwise the command is named. */
  readonly to?: string
}

export interface GitAnswer { readonly stdout: Buffer; readonly stderr: string; readonly code: number }

/** The folder that Alethe keeps in a repository; what is untracked in it is ours. */
export const ownFolder = '.alethe/'

const usualLimitMs = 120_000
/** After TERM, before KILL; and after KILL, before output is no longer waited for. */
const graceMs = 2_000

/** Variables that point git at another repository: `git rev-parse --local-env-vars` of git 2.39, and what belongs to them. */
const elsewhere = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_CONFIG', 'GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT', 'GIT_OBJECT_DIRECTORY',
  'GIT_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_GRAFT_FILE', 'GIT_INDEX_FILE', 'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE', 'GIT_PREFIX', 'GIT_INTERNAL_SUPER_PREFIX', 'GIT_SHALLOW_FILE', 'GIT_COMMON_DIR', 'GIT_NAMESPACE',
  'GIT_QUARANTINE_PATH', 'GIT_ATTR_SOURCE',
])
/** Variables that change what git takes as a path or prints. */
const changing = /^GIT_(?:CONFIG_(?:KEY|VALUE)_\d+|EXTERNAL_DIFF|DIFF_OPTS|TRACE.*|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/

/**
 * The environment for a worker: `env` without the git variables that name another repository (a git hook or alias exports them to
 * us) or change what git prints. Who commits, how one logs in and which editor is used stays as the user set it.
 */
export const childGitEnv = (env: Env): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !elsewhere.has(name) && !changing.test(name)))

/** Of git's variables our own calls keep only where git and its configuration are and how to reach a remote. */
const kept = new RegExp([
  '^GIT_(?:EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM',
  'SSH.*|SSL_.*|PROXY_.*|LFS_.*)$',
].join('|'))

/** No prompt, editor or pager. An empty GIT_ASKPASS also keeps SSH_ASKPASS out. */
const quiet = {
  GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':', GIT_PAGER: 'cat', LC_ALL: 'C',
}

/** The environment of our own calls. */
export function gitEnv(options: Pick<GitOptions, 'env' | 'write'> = {}): Record<string, string> {
  const caller = Object.entries(process.env).filter((entry): entry is [string, string] =>
    entry[1] !== undefined && (!entry[0].startsWith('GIT_') || kept.test(entry[0])))
  return { ...Object.fromEntries(caller), ...quiet, ...(options.write ? {} : { GIT_OPTIONAL_LOCKS: '0' }), ...options.env }
}

/** Settings of the user or of a repository that would run programs or change what we read. */
const pins = [
  'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false', 'core.splitIndex=false', 'core.trustCtime=true',
  'core.checkStat=default', 'core.safecrlf=false', 'submodule.recurse=false',
].flatMap(pin => ['-c', pin])

/**
 * Runs one git command in `cwd`.
 * @throws `Fail('git.failed')` for an exit code that is not expected, `Fail('git.timeout')` when it had to be ended
 */
export async function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const env = gitEnv(options)
  const name = options.to ?? `run "git ${args.find(arg => !arg.startsWith('-')) ?? ''}"`
  // Paths are never patterns. This one command takes none, and refuses to be told so.
  const literal = args[0] === 'check-ignore' ? [] : ['--literal-pathspecs']
  const file = await which('git', env, cwd)
  if (file === null) throw fail('git.failed', `Cannot ${name}: git is not installed or not on PATH`)
  const limitMs = options.timeoutMs ?? usualLimitMs
  const ended = await run(file, ['--no-pager', ...literal, ...pins, ...args], { cwd, env, limitMs, input: options.input ?? '' })
  const facts = { args, cwd, code: ended.code, stderr: ended.stderr.slice(-2_000) }
  if (ended.timedOut) {
    const hint = 'a filter, a slow disk or another git process of this repository may hold it up'
    throw fail('git.timeout', `Cannot ${name} in "${cwd}": git did not end within ${duration(limitMs)}`, { hint, facts })
  }
  const { code, stdout, stderr } = ended
  if (code !== null && (options.okCodes ?? [0]).includes(code)) return { code, stdout, stderr }
  const why = !await isFolder(cwd) ? 'the folder does not exist' : reasonIn(stderr) || ended.cause
  throw fail('git.failed', `Cannot ${name} in "${cwd}": ${why}`, { facts })
}

/** The line of stderr to show: git tells what it is doing before it tells what went wrong. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map(line => cleanLine(line).trim()).filter(Boolean)
  return (lines.find(line => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? '').replace(/^(?:fatal|error): /, '')
}

interface Call {
  readonly cwd: string
  readonly env: Record<string, string>
  readonly limitMs: number
  readonly input: Uint8Array | string
}

interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly timedOut: boolean
  readonly cause: string
}

/** Loaded with the first call. Kept, as under a loader such as tsx each `import()` of a loaded module still takes half a millisecond. */
let zx: Promise<typeof import('zx/core')> | undefined

async function run(file: string, args: readonly string[], { cwd, env, limitMs, input }: Call): Promise<Ended> {
  const { $, quote } = await (zx ??= import('zx/core'))
  const store = { stdout: new Array<Buffer>(), stderr: new Array<Buffer>(), stdall: new Array<Buffer>() }
  const direct = new Proxy(spawn, {
    apply: (start, _self, [, , given]: [string, string[], SpawnOptions]) => start(file, args, { ...given, shell: false }),
  })
  const running = $({
    cwd, env, spawn: direct, store, shell: true, quote, prefix: '', postfix: '', detached: true, preferLocal: false, timeout: 0,
    quiet: true, verbose: false, nothrow: true, stdio: [input.length > 0 ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(input.length > 0 ? { input: Buffer.from(input) } : {}),
  })`git ${args}`
  const { child } = running
  // A git that fails before it has read everything closes the pipe.
  child?.stdin?.on('error', () => undefined)
  const late = new AbortController()
  const steps = [
    () => { late.abort(); signalGroup(child, 'SIGTERM') },
    () => { signalGroup(child, 'SIGKILL') },
    () => { letOutputGo(child) },
  ]
  const timers = steps.map((step, index) => setTimeout(step, limitMs + index * graceMs))
  const { exitCode, signal, cause } = await running
  timers.forEach(clearTimeout)
  const timedOut = late.signal.aborted
  if (timedOut) signalGroup(child, 'SIGKILL')
  return {
    code: exitCode, stdout: Buffer.concat(store.stdout), stderr: Buffer.concat(store.stderr).toString('utf8'), timedOut,
    cause: cause instanceof Error ? cause.message : signal ? `it was ended by ${signal}` : `it ended with status ${exitCode}`,
  }
}

/** The group is our child's own; a child on Windows has none. */
function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined || !mayBeSignalled(child.pid)) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // All of it is gone.
  }
}

/** Who left the group and still holds our pipes is no longer listened to. */
function letOutputGo(child: ChildProcess | undefined): void {
  child?.stdout?.destroy()
  child?.stderr?.destroy()
}

/** What git printed as one line, without its end. */
export const lineOf = ({ stdout }: GitAnswer): string => stdout.toString('utf8').replace(/\r?\n$/, '')

/** Asks what needs no repository to be there; null when git refuses or the folder is missing. */
async function ask(cwd: string, args: readonly string[]): Promise<string | null> {
  try {
    return lineOf(await git(cwd, args))
  } catch (error) {
    if (error instanceof Fail && error.problem.code === 'git.failed') return null
    throw error
  }
}

/** The nearest folder upwards that holds a `.git`, be it a folder or a file; null where there is none. No git is asked. */
export function folderWithGit(path: string): string | null {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** Without a `.git` above there is no working tree: that is known without git, and without loading what calls it. */
const mayBeInTree = (cwd: string): Promise<boolean> => realpath(cwd).then(real => folderWithGit(real) !== null, () => false)

/** The top folder of the working tree that `cwd` is in, as a real path; null where there is none (also in a bare repository). */
export async function gitRoot(cwd: string): Promise<string | null> {
  if (!await mayBeInTree(cwd)) return null
  const answer = await ask(cwd, ['rev-parse', '--is-inside-work-tree', '--show-toplevel'])
  // A repository with `core.worktree` has a top folder that may be far from here.
  return answer?.startsWith('true\n') ? resolve(answer.slice('true\n'.length)) : null
}

/** The folder that all worktrees of a repository share. */
export async function commonDir(cwd: string): Promise<string> {
  return resolve(cwd, lineOf(await git(cwd, ['rev-parse', '--git-common-dir'])))
}

/** The commit that is checked out; null before the first commit. */
export const headCommit = (cwd: string): Promise<string | null> => ask(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])

/** Does the checkout around `cwd` hold anything uncommitted, our own folder aside? False outside a checkout. */
export async function isDirty(cwd: string): Promise<boolean> {
  if (!await mayBeInTree(cwd)) return false
  const status = await ask(cwd, ['status', '--porcelain', '--untracked-files=normal', '--no-renames', '-z'])
  return status !== null && status.split('\0').some(entry => entry !== '' && entry !== `?? ${ownFolder}`)
}
