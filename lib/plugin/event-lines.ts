/**
 * Lines of a JSON stream on their way to a reader: events apart from noise, with the counts that a verdict needs.
 * Reads lines, keeps counts only.
 */
import type { Seen } from './ending.ts'
import { type Json, parseLine } from './json.ts'
import type { LiveSign } from './provider.ts'
import { plain } from './text.ts'

/** Longest text that a reader keeps as an answer, in UTF-16 units. */
export const longestAnswer = 4 * 1024 * 1024
/** Longest text of a live sign or warning. */
export const signLength = 200

/** A live sign of words, or null where nothing of them can be shown. */
export function shown(sign: 'text' | 'tool' | 'retry', words: string): LiveSign | null {
  const text = plain(words, signLength)
  return text ? { sign, text } : null
}

export interface EventLines {
  /** The event of a line, or undefined for noise. */
  next(line: string): Json | undefined
  seen(): Seen
}

export function eventLines(): EventLines {
  let events = 0
  let noise = 0
  let brokenBytes: number | undefined
  return {
    next(line) {
      const event = parseLine(line)
      if (event) {
        events++
        brokenBytes = undefined
        return event
      }
      if (line.trim() === '') return undefined
      noise++
      // A later event shows that a line like this was noise; as the last of its kind it is a cut event.
      if (/^\s*\{\s*"/.test(line)) brokenBytes = Buffer.byteLength(line)
      return undefined
    },
    seen: () => ({ events, noise, ...(brokenBytes === undefined ? {} : { brokenBytes }) }),
  }
}

/** A session id goes back to its CLI as an argument, so it must not look like an option or a path. */
export const sessionId = (found: string | undefined): string | undefined =>
  found !== undefined && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(found) ? found : undefined
