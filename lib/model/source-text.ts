/**
 * Where an offset of a text lies for people: line and column from 1, columns in code points, whatever ends the lines
 * (LF, CRLF, CR). Knows no format. Each answer is O(log n), so that thousands of problems in one long line stay cheap.
 */
import type { Place } from '../base/fail.ts'

export interface SourceText {
  /** The place of a UTF-16 offset; one past the end is the place after the last character. */
  place(offset: number): Place
  /** The text of a line (from 1) without its end; '' for a line that is not there. */
  lineText(line: number): string
}

/** How many of the sorted `offsets` are below `limit`. */
function countBelow(offsets: readonly number[], limit: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** @param text without a byte order mark: it belongs to no line */
export function sourceText(file: string, text: string): SourceText {
  const ends: number[] = []
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    ends.push(match.index)
    starts.push(match.index + match[0].length)
  }
  // Characters that take two units: each of them before an offset in its line makes the column one less.
  const pairs: number[] = []
  for (const match of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) pairs.push(match.index)
  return {
    place(offset) {
      const line = countBelow(starts, offset + 1)
      const start = starts[line - 1] ?? 0
      return { file, line, column: offset - start - (countBelow(pairs, offset) - countBelow(pairs, start)) + 1 }
    },
    lineText: line => {
      const start = starts[line - 1]
      return start === undefined ? '' : text.slice(start, ends[line - 1] ?? text.length)
    },
  }
}
