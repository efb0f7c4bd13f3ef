/**
 * Text for people and models: near names, plurals, lists, figures, width on a terminal, and text of strangers made harmless.
 * Reads and writes nothing.
 */

/** Longest name that is compared with others: the comparison costs the product of both lengths. */
const longestName = 64

/** Edits (insert, delete, replace, swap of neighbours) between two words. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const at = (list: readonly number[], index: number): number => list[index] ?? Infinity
      const swap = swapped ? at(before, j - 2) + 1 : Infinity
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1), swap))
    }
    before = last
    last = row
  }
  return last[b.length] ?? Infinity
}

/**
 * The known name that was probably meant: equal but for case, the only one that begins so, or nearest by edits (about one in
 * three letters may differ). Undefined when none is near.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name === '' || name.length > longestName) return undefined
  const lower = name.toLowerCase()
  const begins = known.filter(each => each.toLowerCase().startsWith(lower))
  if (lower.length >= 3 && begins.length === 1) return begins[0]
  // Of two that are equally near, one that begins so is likelier.
  const [first] = known.map(each => ({ each, edits: distance(lower, each.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || Number(begins.includes(b.each)) - Number(begins.includes(a.each)))
  if (!first) return undefined
  const mostEdits = Math.max(1, Math.floor(Math.min(name.length, first.each.length) / 3))
  return first.edits <= mostEdits ? first.each : undefined
}

/** `dryRun` as `dry-run`, the form of flags. */
export const kebab = (key: string): string => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `1 worker`, `2 workers`. */
export const plural = (amount: number, one: string, many = `${one}s`): string => `${amount} ${amount === 1 ? one : many}`

/** `a, b, c and 4 more`. */
export function listed(names: readonly string[], most = 10): string {
  const rest = names.length - most
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ')
}

/** The first of `blocks` (one or more lines each) that fit into so many bytes of UTF-8, line ends included. */
export function fitting(blocks: readonly string[], bytes: number): readonly string[] {
  let left = bytes
  const end = blocks.findIndex(block => (left -= Buffer.byteLength(block) + 1) < 0)
  return end < 0 ? blocks : blocks.slice(0, end)
}

const trimmed = (value: number): string => value.toFixed(1).replace(/\.0$/, '')

/** `350 ms`, `12.3 s`, `4 min 5 s`, `2 h 3 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  const two = (big: number, bigName: string, small: number, smallName: string): string =>
    `${big} ${bigName}${small ? ` ${small} ${smallName}` : ''}`
  if (seconds < 3_600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 2_880) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(minutes / 60)
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let rest = value
  let unit = 0
  // Compared as it will be shown, so that 999,960 is 1M and not 1000k.
  while (unit < units.length - 1 && Number(unit === 0 ? Math.round(rest) : trimmed(rest)) >= step) {
    rest /= step
    unit++
  }
  return `${unit === 0 ? Math.round(rest) : trimmed(rest)}${units[unit] ?? ''}`
}

/** `512 B`, `1.5 KiB`, `2 GiB`. */
export const bytes = (size: number): string => scaled(size, 1024, [' B', ' KiB', ' MiB', ' GiB', ' TiB'])

/** `999`, `12.3k`, `1.2M`. */
export const count = (amount: number): string => scaled(amount, 1000, ['', 'k', 'M', 'G'])

/** Terminal sequences: CSI, strings such as titles and links (OSC, DCS, APC, PM, SOS) and short escapes, also in 8-bit form. */
const sequences = new RegExp([
  String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
  String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?`,
  String.raw`\u001b[ -/]*[0-~]?`,
].join('|'), 'g')
/** Invisible marks, among them those that turn the reading direction; the joiners that letters and emoji need stay. */
const marks = /(?![\u200c\u200d])\p{Cf}/gu
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text that a terminal may be given: no escape sequences, control characters, direction marks. Line ends and tabs stay. */
export const clean = (text: string): string =>
  text.replace(sequences, '').replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replace(controls, ' ').replace(marks, '')

/** The same as one line: line ends and tabs become blanks. Blanks are kept as they are. */
export const cleanLine = (text: string): string => clean(text).replace(/[\n\t]/g, ' ')

let segmenter: Intl.Segmenter | undefined
/** Made when first needed: that takes 12 ms, and most text is plain. */
const graphemes = (text: string): Intl.Segments => (segmenter ??= new Intl.Segmenter()).segment(text)
const wide = new RegExp([
  String.raw`[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]`,
  String.raw`[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]`,
].join('|'), 'u')
/** Takes no column; the second class are the marks of `style.ts`. */
const noColumn = /^(?:[\p{M}\p{Cf}]|[\ufdd0-\ufdef])+$/u
const columnsOf = (grapheme: string): number => noColumn.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1

/** Columns that a line takes on a terminal. */
export const width = (text: string): number =>
  /^[ -~]*$/.test(text) ? text.length : Array.from(graphemes(text)).reduce((sum, part) => sum + columnsOf(part.segment), 0)

/** Cuts a line to `columns` on a terminal without halving a character; a cut text ends with `…`. */
export function cutTo(text: string, columns: number): string {
  if (/^[ -~]*$/.test(text)) return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`
  let used = 0
  let fits = 0
  for (const { segment, index } of graphemes(text)) {
    used += columnsOf(segment)
    if (used > columns) return `${text.slice(0, fits)}…`
    if (used < columns) fits = index + segment.length
  }
  return text
}

/** Breaks text at blanks into lines of at most `columns`; a longer word stays whole, as do words joined by a no-break blank. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/[ \t\n]+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
