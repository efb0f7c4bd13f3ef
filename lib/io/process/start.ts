/**
 * Starts workers and checks, the one way there is: in a session and group of their own, stdin from a file (so the end of input
 * always comes, bytes arrive exact and a child that does not read cannot hurt us), stdout and stderr appended straight to files.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { privateFile } from '../files.ts'
import { type Identity, identityHere } from './identity.ts'
import { rowOf } from './rows.ts'
import { startFailure } from './start-failure.ts'

export interface Work {
  /** Absolute path of the program, or a name on `env.PATH`. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment: nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>
  /** Path of what the child reads; null for an empty stdin. */
  readonly stdin: string | null
  /** Paths of logs; made with mode 0600, appended to when they are there. */
  readonly stdout: string
  readonly stderr: string
}

export interface Exit { readonly code: number | null; readonly signal: string | null }

export interface Child {
  readonly identity: Identity
  /** Resolves when the process itself has ended, whoever else still holds its logs open. Never rejects. */
  readonly exited: Promise<Exit>
}

/** Children that have not ended. */
const running = new Map<number, ChildProcess>()

/**
 * Starts a program and resolves once it runs.
 * @throws `Fail('run.start-failed')` when the system refuses; `facts.missing` is `program` or `folder` where that is why
 */
export async function start(work: Work): Promise<Child> {
  const fds: number[] = []
  const opened = (path: string, flags: 'r' | 'a'): number => {
    const fd = openSync(path, flags, privateFile)
    fds.push(fd)
    return fd
  }
  let child
  try {
    const stdin = work.stdin === null ? 'ignore' : opened(work.stdin, 'r')
    child = spawned(work, [stdin, opened(work.stdout, 'a'), opened(work.stderr, 'a')])
  } finally {
    fds.forEach(fd => { closeSync(fd) })
  }
  return started(work, child)
}

interface Thrown { readonly thrown: unknown }

/** The child, or what the system threw at once (arguments too long, a NUL byte). */
function spawned({ file, args, cwd, env }: Work, stdio: ['ignore' | number, number, number]): ChildProcess | Thrown {
  try {
    return spawn(file, args, { cwd, env, stdio, detached: true, windowsHide: true })
  } catch (thrown) {
    return { thrown }
  }
}

async function started(work: Work, child: ChildProcess | Thrown): Promise<Child> {
  if ('thrown' in child) throw await startFailure(work, child.thrown)
  const { pid } = child
  if (pid === undefined) {
    throw await startFailure(work, await new Promise<unknown>(resolve => child.once('error', resolve)))
  }
  running.set(pid, child)
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      running.delete(pid)
      resolve({ code, signal })
    })
  })
  // Not collected by us yet, so the id is still the child's, even if it has ended.
  return { identity: identityHere(pid, rowOf(pid)?.startTime ?? ''), exited }
}

/** Is this a child of ours that has not ended? Then its id cannot be a stranger's, also where start times are unknown. */
export const isRunningChild = (pid: number): boolean => running.has(pid)

/** Lets this process end although a child that could not be ended still runs. */
export const letGo = (pid: number): void => { running.get(pid)?.unref() }
