/** The clock that everything reads the time from. Tests set theirs. */

export interface Clock {
  /** Time of day in milliseconds since 1970. It jumps when the system's time is set: never subtract two of them. */
  now(): number
  /** Milliseconds for durations: only grows, at its own origin. */
  monotonic(): number
}

export const realClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export interface SettableClock extends Clock {
  /** Lets time pass, in milliseconds. */
  advance(ms: number): void
  /** Sets the time of day alone, as a user or NTP does. */
  set(now: number): void
}

/** A clock that stands still until it is told otherwise. */
export function settableClock(start = 0): SettableClock {
  let now = start
  let monotonic = 0
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance: ms => {
      now += ms
      monotonic += ms
    },
    set: value => { now = value },
  }
}
