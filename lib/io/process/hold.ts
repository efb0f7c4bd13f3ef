/** A detached helper process that is held by its stdin: it learns of our death when the pipe closes. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { privateFile } from '../files.ts'
import type { Host } from '../host.ts'

export interface Held {
  readonly pid: number | undefined
  /** Sends the last words and lets go; resolves once they are written. A helper that is gone already is fine. */
  send(words: string): Promise<void>
}

/**
 * Starts `words` in a session of its own, with nothing but the pipe in common. It does not keep us alive.
 * @param output files that its stdout and stderr are appended to; without them they go nowhere
 */
export function hold([file = '', ...args]: readonly string[], host: Pick<Host, 'env' | 'cwd'>, output?: { readonly stdout: string; readonly stderr: string }): Held {
  const fds = output ? [openSync(output.stdout, 'a', privateFile), openSync(output.stderr, 'a', privateFile)] as const : undefined
  const child = spawn(file, args, {
    cwd: host.cwd, env: { ...host.env }, stdio: ['pipe', fds?.[0] ?? 'ignore', fds?.[1] ?? 'ignore'], detached: true, windowsHide: true,
  })
  fds?.forEach(fd => { closeSync(fd) })
  // A helper that cannot start is one that is gone: `send` and `pid` tell.
  child.on('error', () => undefined)
  child.stdin?.on('error', () => undefined)
  child.unref()
  return {
    pid: child.pid,
    send: sent => new Promise(resolve => {
      if (child.stdin?.writable) child.stdin.end(sent, () => { resolve() })
      else resolve()
    }),
  }
}
