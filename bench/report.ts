/** The text of the results: sections of tables with the words that explain them. */

export interface Section {
  readonly title: string
  /** Paragraphs before the table. */
  readonly words: readonly string[]
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Paragraphs after the table. */
  readonly notes?: readonly string[]
}

export const ms = (value: number): string => value < 9.95 ? value.toFixed(1) : String(Math.round(value))
export const ratio = (value: number): string => value.toFixed(2)
export const mebibytes = (bytes: number): string => String(Math.round(bytes / 1024 ** 2))

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

export function sectionText({ title, words, head, rows, notes = [] }: Section): string {
  const rule = head.map((_, index) => index === 0 ? '---' : '---:')
  const table = [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
  return [`## ${title}`, ...words, table, ...notes].join('\n\n')
}
