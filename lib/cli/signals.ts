/** Ctrl-C, TERM and HUP as one abort: a command cleans up once, however often a signal comes. */
import { exits, fail } from '../base/fail.ts'
import type { Clock } from '../io/clock.ts'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type SignalName = typeof names[number]

/**
 * Wrappers pass a signal on that the process also got itself, within milliseconds. Only a Ctrl-C that comes so much later is a
 * person who does not want to wait.
 */
const impatientAfterMs = 2_000

/** What one signal does. Pure but for `first` and `force`; apart from the process, so that tests can play it. */
export function interruption(clock: Clock, first: (reason: Error) => void, force: () => void): (name: SignalName) => void {
  let since: number | undefined
  return name => {
    if (since === undefined) {
      since = clock.monotonic()
      first(fail('run.interrupted', `Interrupted by ${name}`))
    } else if (name === 'SIGINT' && clock.monotonic() - since >= impatientAfterMs) force()
  }
}

/** Aborts for the first signal, with a `Fail` that names it as the reason; an impatient Ctrl-C ends the process. */
export function abortOnSignal(clock: Clock, told: () => void): AbortSignal {
  const controller = new AbortController()
  const on = interruption(clock, reason => {
    controller.abort(reason)
    told()
  }, () => process.exit(exits.interrupted))
  for (const name of names) process.on(name, () => { on(name) })
  return controller.signal
}
