/**
 * Short questions to a program (`--version`, `--help`, `auth status`): closed stdin, bounded output, a time-out that ends the
 * whole process group. For work, use `process.ts`.
 */
import { spawn } from 'node:child_process'

export interface Answer { readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly timedOut: boolean }

/** After the exit, output that is still in the pipes is read for this long. */
const drainMs = 500
const outputLimit = 4 * 1024 * 1024

/** Runs `words` and collects what it prints. Never rejects: a program that cannot start has code null and the reason in stderr. */
export function capture(words: readonly [string, ...string[]], options: {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
}): Promise<Answer> {
  return new Promise(done => {
    const [file, ...args] = words
    const output = { stdout: '', stderr: '' }
    let timedOut = false
    const finish = (code: number | null, more = ''): void => {
      clearTimeout(timer)
      done({ code, stdout: output.stdout, stderr: output.stderr + more, timedOut })
    }
    const child = spawn(file, args, { cwd: options.cwd, env: { ...options.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true })
    const end = (): void => { if (child.pid !== undefined) endGroup(child.pid) }
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, options.timeoutMs)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        if (output[name].length > outputLimit) end()
      })
    }
    child.once('error', error => { finish(null, error.message) })
    child.once('close', code => { finish(code) })
    // A grandchild may hold the pipes open, so the close is not waited for without end.
    child.once('exit', code => {
      setTimeout(() => {
        end()
        finish(code)
      }, drainMs).unref()
    })
  })
}

/** Ends the group that `capture` made for its child; gone already is fine. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
