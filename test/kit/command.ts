/**
 * Starts a command file as a real process, as a user would, but with an environment that the test states: nothing of the caller's
 * HOME or PATH gets in.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'

/** Absolute, so that the working folder may be anywhere. */
export const loaderArgs: readonly string[] = ['--import', import.meta.resolve('tsx')]

export interface Setup {
  readonly cwd: string
  /** Added to HOME (the cwd), PATH (the running Node's folder alone) and what Windows cannot do without. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Descriptor that the program reads from instead of a pipe with `input`. */
  readonly stdin?: number
  /** Lead a process group, as a shell gives each command line one, so that a test can press Ctrl-C on it. */
  readonly group?: boolean
  /** Killed after this long. */
  readonly limitMs?: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started extends AsyncDisposable {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when stdout and stderr together hold `text`; rejects when the process ends without it. */
  seen(text: string): Promise<void>
}

const needed = ['SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'TMPDIR']

/** The environment of a command under test. */
export const cleanEnv = ({ cwd, env }: Setup): Record<string, string> => ({
  ...Object.fromEntries(needed.flatMap(name => process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  HOME: cwd, PATH: dirname(process.execPath), ...env,
})

/** Starts a program; `await using` kills it when the test is over. */
export function startProgram(file: string, args: readonly string[], setup: Setup): Started {
  const child = spawn(file, args, {
    cwd: setup.cwd, env: cleanEnv(setup), stdio: [setup.stdin ?? 'pipe', 'pipe', 'pipe'], detached: setup.group ?? false,
  })
  const text = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const kill = (): void => {
    child.kill('SIGKILL')
    // What it started may hold its output open, and with it the end.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const timer = setTimeout(kill, setup.limitMs ?? 30_000)
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      for (const look of waiting) look()
    })
  }
  // A program that does not read its input is not the test's concern.
  child.stdin?.on('error', () => undefined).end(setup.input ?? '')
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, ...text })
    })
  })
  return {
    child,
    ended,
    seen: wanted => new Promise((resolve, reject) => {
      const look = (): void => {
        if (!(text.stdout + text.stderr).includes(wanted)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      ended.then(end => { reject(new Error(`Ended without "${wanted}": ${JSON.stringify(end)}`)) }, reject)
    }),
    [Symbol.asyncDispose]: async () => {
      kill()
      await ended
    },
  }
}

/** Starts `node` with given arguments. */
export const startNode = (args: readonly string[], setup: Setup): Started => startProgram(process.execPath, args, setup)

/** Starts a command's TypeScript file. */
export const startCommand = (file: string, args: readonly string[], setup: Setup): Started =>
  startNode([...loaderArgs, file, ...args], setup)

/** Runs a command's TypeScript file to its end. */
export const runCommand = (file: string, args: readonly string[], setup: Setup): Promise<Ended> =>
  startCommand(file, args, setup).ended
