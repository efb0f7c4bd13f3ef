/**
 * The lines by which a worker hands its work over: STATUS, VERDICT and SUMMARY. They are claims; the report sets facts
 * beside them. Any case, through list marks, block quotes, bold and quotation marks; the last of each wins. Lines in
 * back-ticks or in a fence are examples, unless the text ends with a fence that holds nothing but the hand-off.
 */
import { noteLimits } from './names.ts'

export const workerStatuses = ['DONE', 'DONE_WITH_CONCERNS', 'BLOCKED', 'NEEDS_CONTEXT'] as const
export const verdicts = ['PASS', 'FAIL', 'NOT_PROVEN'] as const

export type WorkerStatus = typeof workerStatuses[number]
export type Verdict = typeof verdicts[number]
export interface Handoff { readonly workerStatus?: WorkerStatus; readonly verdict?: Verdict; readonly workerSummary?: string }

/** Only the end of a long text is read: the hand-off belongs there. */
const readCharacters = 200_000
/** Only the beginning of a line is matched: marks may repeat without end in hostile text. */
const lineCharacters = 500
const fence = /^\s*(?:```|~~~)/
const line = /^[\s>\-*+_#"'“”‘’]*(?:\d+[.)]\s+)?[\s>*_"'“”‘’]*(STATUS|VERDICT|SUMMARY)[\s*_"'“”‘’]*:[\s*_"'“”‘’]*(.*?)[\s*_"'“”‘’]*$/i

/** Reads the hand-off from a worker's final text. */
export function parseHandoff(text: string): Handoff {
  let workerStatus: WorkerStatus | undefined
  let verdict: Verdict | undefined
  let workerSummary: string | undefined
  for (const [key, value] of countingLines(text.slice(-readCharacters)).flatMap(said)) {
    if (key === 'STATUS') workerStatus = oneOf(workerStatuses, value) ?? workerStatus
    else if (key === 'VERDICT') verdict = oneOf(verdicts, value) ?? verdict
    else if (value) workerSummary = cut(value)
  }
  return { ...(workerStatus ? { workerStatus } : {}), ...(verdict ? { verdict } : {}), ...(workerSummary ? { workerSummary } : {}) }
}

/** Key and value of a hand-off line; none for any other line. */
function said(text: string): [string, string][] {
  const match = line.exec(text.trim().slice(0, lineCharacters))
  return match?.[1] !== undefined && match[2] !== undefined ? [[match[1].toUpperCase(), match[2].trim()]] : []
}

/**
 * The longest known word that the value starts with: `DONE WITH CONCERNS: two` is not DONE. A value that names another of the words
 * as well (`PASS | FAIL`, copied from a brief) says nothing.
 */
function oneOf<T extends string>(words: readonly T[], value: string): T | undefined {
  // One word that somebody joined out of several is that word, or none of ours.
  const joined = /^[A-Z]+(?:[_-]+[A-Z]+)+/i.exec(value)?.[0].toUpperCase().replaceAll(/[_-]+/g, '_')
  if (joined !== undefined && !words.some(word => word === joined)) return words.find(word => word.endsWith('_WITH_CONCERNS') && joined.startsWith('DONE_WITH_'))
  const said = value.toUpperCase().replaceAll(/[\s-]+/g, '_')
  const named = words.filter(word => new RegExp(`(?<![A-Z0-9])${word}(?![A-Z0-9])`).test(said))
  if (named.some(word => named.some(other => !word.startsWith(other) && !other.startsWith(word)))) return undefined
  return words
    .filter(word => said.startsWith(word) && !/[A-Z0-9]/.test(said.charAt(word.length)))
    .sort((a, b) => b.length - a.length)[0]
}

const cut = (text: string): string =>
  text.length > noteLimits.workerWhy ? `${text.slice(0, noteLimits.workerWhy - 1).trimEnd()}…` : text

function countingLines(text: string): string[] {
  const outside: string[] = []
  let inside: string[] | undefined
  let last: string[] = []
  for (const each of text.split(/\r?\n/)) {
    if (fence.test(each)) {
      if (inside) last = inside
      inside = inside ? undefined : []
    } else if (inside) inside.push(each)
    else {
      outside.push(each)
      if (each.trim()) last = []
    }
  }
  // A fence left open runs to the end of the text.
  if (inside) last = inside
  const meant = last.filter(each => each.trim())
  return meant.length > 0 && meant.every(each => said(each).length > 0) ? [...outside, ...meant] : outside
}
