/** Runs a program to its end: its input given and closed, its output kept. */
import { spawn } from 'node:child_process'
import type { Ended } from '../kit/command.ts'

export interface Setting {
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: string
  /** Killed after this long. */
  readonly limitMs: number
}

/** How it ended, with what it printed; rejects when it cannot start. */
export function runProgram(file: string, args: readonly string[], { cwd, env, input, limitMs }: Setting): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], timeout: limitMs, killSignal: 'SIGKILL' })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (chunk: string) => { text[name] += chunk })
    child.stdin.on('error', () => undefined).end(input ?? '')
    child.once('error', reject)
    child.once('close', (code, signal) => { resolve({ code, signal, ...text }) })
  })
}
