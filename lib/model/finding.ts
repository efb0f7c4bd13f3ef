/**
 * A document that people write, whatever parser read it, and what is found wrong in it: findings name a path inside the
 * document and become problems with file, line, column and the line's text. Reads and writes nothing.
 */
import { type Code, Fail, type Place, type Problem } from '../base/fail.ts'

/** Keys and indexes from the top of a document. */
export type Path = readonly (string | number)[]

export interface Document {
  readonly file: string
  /** Plain data; keys such as `__proto__` are own keys. */
  readonly value: unknown
  /** Where a value stands, or with `key` the key of that value. What is not there is where its nearest parent is. */
  placeOf(path: Path, at?: 'key'): Place
  /** The text of a line, from 1. */
  lineText(line: number): string
}

/** Something wrong at one path of a document. */
export interface Finding extends Pick<Problem, 'code' | 'message' | 'hint' | 'facts'> {
  readonly path: Path
  /** Points at the key instead of the value. */
  readonly at?: 'key'
}

/** Characters that would move a cursor, end a line or turn the reading direction. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const longestKey = 60
/** Most of a source line that is kept, in code points, and the longest line (in units) that is looked at for it. */
const longestSource = 160
const longestLine = 100_000

const cut = (text: string, max: number): string => {
  const start = [...text.slice(0, max * 2)]
  return start.length > max || text.length > max * 2 ? `${start.slice(0, max).join('')}…` : text
}

/** A text in quotes, cut and without control characters. */
export const quoted = (text: string): string =>
  JSON.stringify(cut(text, longestKey)).replace(unshowable, each => `\\u{${each.codePointAt(0)?.toString(16)}}`)

/** A path as people write it, such as `workers.0.tier`. */
export const dotted = (path: Path): string =>
  path.map(key => typeof key === 'number' ? String(key) : /^[\p{L}\p{N}_@+-]{1,60}$/u.test(key) ? key : quoted(key)).join('.')

/** How a message names a path. */
export const labelOf = (path: Path): string => path.length === 0 ? 'The document' : dotted(path)

/** A line as far as it is needed to show a place: 160 characters around it, and the caret's column in them. */
function excerpt(line: string, column: number): { readonly source?: string; readonly caret?: number } {
  if (line.length > longestLine) return {}
  const from = column <= longestSource ? 0 : column - longestSource / 2
  const source = [...line].slice(from, from + longestSource).join('').replace(unshowable, ' ')
  return { source, caret: column - from }
}

/** A problem at a place, with the line's text. */
export const problemAt = (document: Pick<Document, 'lineText'>, place: Place, problem: Problem): Problem =>
  ({ ...problem, place, facts: { ...problem.facts, ...excerpt(document.lineText(place.line), place.column) } })

/** Problems in the order of their places. */
export const inOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems].sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0))

/** The first finding of each path. */
export function onePerPath(findings: readonly Finding[]): Finding[] {
  const first = new Map<string, Finding>()
  for (const finding of findings) {
    const key = JSON.stringify(finding.path)
    if (!first.has(key)) first.set(key, finding)
  }
  return [...first.values()]
}

/** All findings as problems: one per path, sorted by position. */
export const problemsOf = (document: Document, findings: readonly Finding[]): Problem[] =>
  inOrder(onePerPath(findings).map(({ path, at, ...rest }) =>
    problemAt(document, document.placeOf(path, at), { ...rest, ...(path.length > 0 ? { path: dotted(path) } : {}) })))

/** @throws Fail with all of them, when there is any */
export function refuse(document: Document, findings: readonly Finding[]): void {
  const [first, ...rest] = problemsOf(document, findings)
  if (first) throw new Fail(first, ...rest)
}

/** A finding of a rule, the usual kind. */
export const broken = (path: Path, message: string, hint?: string, code: Code = 'document.rule'): Finding =>
  ({ code, path, message, ...(hint ? { hint } : {}) })
