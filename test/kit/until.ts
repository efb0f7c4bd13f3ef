/** Waiting for a condition instead of sleeping. */
import { setTimeout as pause } from 'node:timers/promises'

/** Looks every few milliseconds until `condition` holds; rejects with its last error or false answer after `limitMs`. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 8_000): Promise<void> {
  const deadline = performance.now() + limitMs
  for (;;) {
    let last: unknown = new Error(`Condition did not come true within ${limitMs} ms: ${String(condition)}`)
    try {
      if (await condition()) return
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw last
    await pause(10)
  }
}
