/**
 * The verdict over a run whose output proves nothing by itself: who ended the process, how it exited, what stderr says.
 * Shared by the readers of CLIs; pure.
 */
import type { FailureKind } from '../model/failure.ts'
import { errorText, stderrMeaning } from './classify.ts'
import type { ExitFacts, Settled } from './provider.ts'
import { plain } from './text.ts'

export type Verdict = Settled['verdict']

const messageLength = 500
/** So much of a cut line is shown. */
const shownHead = 60

/** When a limit ends: the instant, or the words about it. */
interface Reset { readonly resetsAt?: string; readonly resetHint?: string }

/** A failed verdict; the error becomes one line of at most 500 characters. */
export const failed = (kind: FailureKind, error: string, more: Reset = {}): Verdict =>
  ({ ok: false, kind, error: plain(error, messageLength) || 'The CLI reported an error without words', ...more })

/** The verdict of a message that a CLI gave as its error. Words that are not known leave the kind at `error`. */
export function errorVerdict(message: string): Verdict {
  const meaning = errorText(message)
  return failed(meaning?.kind ?? 'error', message, meaning?.resetHint ? { resetHint: meaning.resetHint } : {})
}

const endings: Readonly<Record<Exclude<ExitFacts['ended'], 'self' | 'lingered'>, readonly [FailureKind, string]>> = {
  timeout: ['timed_out', 'The time limit passed before a result'],
  stalled: ['stalled', 'No output for too long before a result'],
  stopped: ['stopped', 'Stopped before a result'],
  overflow: ['invalid_output', 'Ended because its output passed the size limit'],
}

/** The process says by its exit code that it failed; codes from 128 on are how shells report a signal. */
export const exitSaysFailed = (exit: ExitFacts): boolean =>
  exit.ended === 'self' && typeof exit.code === 'number' && exit.code > 0 && exit.code < 128

/** What a reader saw of a run that came to no result. */
export interface Seen {
  /** Lines that are events of the CLI's format, and lines that are not. */
  readonly events: number
  readonly noise: number
  /** Length in bytes of a last line that breaks off in the middle of an event. */
  readonly brokenBytes?: number
  /** The CLI's last retry, in words. */
  readonly lastRetry?: string
}

/** A line that was cut, in words: its length and how it begins. */
export const cutLineWords = ({ cutLine, cutHead = '' }: Pick<ExitFacts, 'cutLine' | 'cutHead'>): string =>
  `A line of ${cutLine} bytes${cutHead === '' ? '' : ` (it begins with ${plain(cutHead, shownHead)})`}`

/** What a broken or cut line makes of a run without a result. */
export function brokenOff(seen: Pick<Seen, 'brokenBytes'>, exit: ExitFacts): Verdict | undefined {
  if (exit.cutLine !== undefined) return failed('invalid_output', `${cutLineWords(exit)} is too long to read, and no result came`)
  const { brokenBytes } = seen
  return brokenBytes === undefined ? undefined
    : failed('invalid_output', `The output breaks off in a line of ${brokenBytes} bytes, before a result`)
}

/** No event on stdout: no agent has spoken, so that every line of stderr may tell the cause. */
function silent(seen: Seen, exit: ExitFacts): Verdict {
  const said = stderrMeaning(exit.stderrTail)
  const bad = exitSaysFailed(exit)
  if (said && (bad || said.meaning)) {
    return failed(said.meaning?.kind ?? 'error', said.line, said.meaning?.resetHint ? { resetHint: said.meaning.resetHint } : {})
  }
  return seen.noise > 0
    ? failed('invalid_output', `The CLI printed ${seen.noise} lines, none of them in its format (exit code ${exit.code})`)
    : failed('no_result', said?.line ?? `The CLI printed nothing (exit code ${exit.code})`)
}

/** The verdict where the way of ending alone explains that there is no result: ended by the runner, cut off, unseen, killed. */
export function unfinished(seen: Pick<Seen, 'brokenBytes' | 'lastRetry'>, exit: ExitFacts): Verdict | undefined {
  if (exit.ended !== 'self' && exit.ended !== 'lingered') {
    const [kind, error] = endings[exit.ended]
    return failed(kind, seen.lastRetry ? `${error}; its last retry: ${seen.lastRetry}` : error)
  }
  const broken = brokenOff(seen, exit)
  if (broken) return broken
  if (exit.code === 'unseen') return failed('interrupted', 'Nobody saw it end, and there is no result')
  return exit.signal === null || exit.ended === 'lingered' ? undefined
    : failed('error', `The CLI was killed by ${exit.signal}, not by the runner, before a result`)
}

/** Lines with which a CLI says on stderr why it gave up. Other lines may be the output of a tool and prove nothing. */
const ownError = /^error: /i

/** The verdict over a run without a result and without an error of its own. */
export function withoutResult(seen: Seen, exit: ExitFacts): Verdict {
  const early = unfinished(seen, exit)
  if (early) return early
  if (seen.events === 0) return silent(seen, exit)
  const own = exit.stderrTail.split('\n').filter(line => ownError.test(line)).at(-1)
  const isBad = exitSaysFailed(exit)
  if (isBad && own) return errorVerdict(own)
  if (isBad) return failed('error', `The CLI ended with exit code ${exit.code} and named no cause`)
  return failed('no_result', `The CLI ended (exit code ${exit.code}) without a result${own ? `; stderr: ${own}` : ''}`)
}
