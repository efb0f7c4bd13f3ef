/**
 * For code that must not take time without end on hostile input. The limit grows with how slow the machine is at this very moment, as a
 * fixed piece of work shows before and after: it tells quadratic from linear, not fast from slow.
 */

/** What the yardstick takes on the slowest quiet machine that the tests should pass on, in milliseconds. */
const quietYardMs = 40

function yardstickMs(): number {
  const begun = performance.now()
  let text = ''
  for (let i = 0; i < 20_000; i++) text = JSON.stringify({ i, text: text.slice(-100) })
  return performance.now() - begun
}

/** Starts to measure. */
export function stopwatch(): { under(limitMs: number): void } {
  const before = yardstickMs()
  const begun = performance.now()
  return {
    /** Throws when more time went by than `limitMs` (on a quiet machine) allow, given how slow this one is now. */
    under: limitMs => {
      const took = performance.now() - begun
      const slowness = Math.max(1, before / quietYardMs, yardstickMs() / quietYardMs)
      if (took > limitMs * slowness) throw new Error(`Took ${Math.round(took)} ms, more than ${limitMs} ms times ${slowness.toFixed(1)} for this machine`)
    },
  }
}
