/** Text of agents made fit to show in one line: no escape sequences, no control characters, bounded length. */
import { cleanLine } from '../base/text.ts'

/** Cuts at `max` UTF-16 units without halving a character; a cut text ends with `…`. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, Math.max(0, max - 1))
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** One line of at most `max` UTF-16 units that is safe for a terminal; any run of blanks becomes one space. */
export const plain = (text: string, max: number): string =>
  shorten(cleanLine(shorten(text, max * 8)).replace(/\s+/g, ' ').trim(), max)
