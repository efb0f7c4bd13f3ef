/**
 * The guard of a wave: a small process that outlives the runner. Its stdin is a pipe from the runner; when that closes without
 * a goodbye, the runner was killed, and the guard ends the wave's processes by identity, as `stop` would.
 *
 * It is a shell that waits on one `read`, in a session of its own so that no terminal takes it along; Node and our code are
 * started only when they are needed. A guard in Node would cost every wave a third of a second of start-up.
 */
import { dirname, join } from 'node:path'
import { Fail, fail } from '../base/fail.ts'
import { type Held, hold } from '../io/process/hold.ts'
import type { Host } from '../io/host.ts'
import { readStdin } from '../io/stdin.ts'
import { endLeftovers } from './stop.ts'
import { readRun } from './view.ts'

const goodbye = 'done\n'
const script = 'read -r word; [ "$word" = done ] || exec "$@"'

export interface Guard {
  /** Says that the wave ended in order; the guard leaves. */
  release(): Promise<void>
}

/** Starts the guard of a run. @throws `Fail('run.start-failed')`: without it a wave could outlive its runner unseen */
export function startGuard(host: Host, entry: string, { folder, runId }: { readonly folder: string; readonly runId: string }): Guard {
  const rescue = [process.execPath, ...process.execArgv, join(dirname(entry), `guard${extensionOf(entry)}`), folder, runId]
  const held: Held = host.platform === 'win32'
    ? hold([...rescue, '--wait'], host)
    : hold(['/bin/sh', '-c', script, 'alethe-guard', ...rescue], host)
  if (held.pid === undefined) throw fail('run.start-failed', `Cannot start the guard of "${folder}", so nothing was started`, { hint: 'see whether the system lets this user start more processes (ulimit -u)' })
  return { release: () => held.send(goodbye) }
}

/** Sibling commands have the ending of the one that runs: `.ts` in a checkout, `.mjs` when built. */
export const extensionOf = (entry: string): string => /\.[^.]+$/.exec(entry)?.[0] ?? ''

/**
 * What the guard does once it is needed. With `wait` (where there is no shell to wait for it) a goodbye on stdin ends it first.
 * A state that is damaged or gone does not keep it from ending what carries the run's marker.
 */
export async function guardRun(folder: string, runId: string, wait: boolean): Promise<{ readonly ended: number }> {
  if (wait && await readStdin() === goodbye) return { ended: 0 }
  const view = await readRun(folder).catch((error: unknown) => {
    if (error instanceof Fail) return { workers: [] }
    throw error
  })
  const { ended } = await endLeftovers(view, runId)
  return { ended }
}
