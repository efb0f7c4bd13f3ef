/**
 * Why a run of a CLI with Claude's stream succeeded or failed, from what the stream left and how the process ended.
 * Measured on claude 2.1.197: `subtype` is `success` even for API errors, so the error flag and the HTTP status come
 * first; exit code 0 also stands for interrupted, blocked by a hook and unknown command. Pure.
 */
import type { FailureKind } from '../model/failure.ts'
import type { Refusal } from './claude-quota.ts'
import { type ErrorMeaning, errorText, kindOfStatus } from './classify.ts'
import { brokenOff, exitSaysFailed, failed, type Seen, type Verdict, withoutResult } from './ending.ts'
import type { ExitFacts } from './provider.ts'

/** What the last API error was, from the answer that the CLI makes up for it (`model: "<synthetic>"`). */
export interface ApiError {
  /** One word, such as `billing_error`. */
  readonly errorClass: string
  readonly message: string
}

/** What one result event said, with what had been seen when it came: later events change nothing. */
export interface ResultFacts {
  readonly isError: boolean
  readonly subtype: string
  /** HTTP status of the API call that failed. */
  readonly status?: number
  readonly terminalReason?: string
  readonly apiError?: ApiError
  /** The plan refused a request. */
  readonly refusal?: Refusal
  /** The text of the result when it is an error, or tells why nothing ran. */
  readonly message: string
  /** No turn, no tokens, no error. */
  readonly idle: boolean
  readonly answer: string
}

/** What the stream left behind when the process was gone. */
export interface Log {
  readonly seen: Seen
  readonly result?: ResultFacts
  /** No answer came after it. */
  readonly apiError?: ApiError
  readonly refusal?: Refusal
}

/** Classes that say enough by themselves; `server_error`, `invalid_request` and `unknown` stand for several things. */
const classes: Readonly<Record<string, FailureKind>> = {
  rate_limit: 'rate_limited',
  overloaded: 'overloaded',
  authentication_failed: 'auth',
  billing_error: 'billing',
  model_not_found: 'model_unavailable',
  max_output_tokens: 'error',
}

/** What the API error says; a refusal by the plan explains what it leaves open. */
function kindOfApiError(error?: ApiError, refusal?: Refusal, meaning?: ErrorMeaning): FailureKind {
  const word = error?.errorClass ?? ''
  const byClass = Object.hasOwn(classes, word) ? classes[word] : undefined
  const open = refusal ? 'rate_limited' : word === 'server_error' ? 'overloaded' : 'error'
  return byClass ?? meaning?.kind ?? open
}

function kindOfResult(result: ResultFacts, meaning: ErrorMeaning | undefined): FailureKind {
  const byStatus = result.status === undefined ? undefined : kindOfStatus(result.status)
  if (byStatus) return byStatus
  if (result.subtype === 'error_max_budget_usd') return 'budget'
  if (result.subtype === 'error_max_turns') return 'error'
  if (result.terminalReason === 'prompt_too_long') return 'context_too_long'
  return kindOfApiError(result.apiError, result.refusal, meaning)
}

/** The reset as the limit event told it, else the words of the message. */
function withReset(kind: FailureKind, error: string, refusal: Refusal | undefined, meaning: ErrorMeaning | undefined): Verdict {
  if (kind !== 'rate_limited') return failed(kind, error)
  if (refusal?.resetsAt) return failed(kind, error, { resetsAt: refusal.resetsAt })
  return failed(kind, error, meaning?.resetHint ? { resetHint: meaning.resetHint } : {})
}

function errorResult(result: ResultFacts): Verdict {
  const error = result.message || `The CLI reported ${result.subtype || 'an error'} without a message`
  const meaning = errorText(result.message)
  return withReset(kindOfResult(result, meaning), error, result.refusal, meaning)
}

function goodResult(result: ResultFacts, seen: Seen, exit: ExitFacts): Verdict {
  if (result.idle) return failed('nothing_ran', result.message || 'The CLI ended without asking a model')
  if (exitSaysFailed(exit)) return failed('error', `The CLI ended with exit code ${exit.code} after its result`)
  if (result.answer !== '') return { ok: true }
  return brokenOff(seen, exit) ?? failed('no_result', 'The result is empty and there was no answer before it')
}

const endedByRunner = (exit: ExitFacts): boolean => exit.ended !== 'self' && exit.ended !== 'lingered'

function noResult(log: Log, exit: ExitFacts): Verdict {
  const { apiError, refusal } = log
  if (endedByRunner(exit) || !(apiError || refusal)) return withoutResult(log.seen, exit)
  const meaning = errorText(apiError?.message ?? '')
  const error = apiError?.message || 'The plan refused the request'
  return withReset(kindOfApiError(apiError, refusal, meaning), error, refusal, meaning)
}

/** What the CLI says of a turn that a signal ended (2.1.197 and 2.1.332: `aborted_streaming`, `aborted_tools`). */
const isAborted = ({ terminalReason = '' }: ResultFacts): boolean => terminalReason.startsWith('aborted_')

/** An error that names no cause but that the turn was broken off. */
const onlyInterrupted = (result: ResultFacts): boolean =>
  result.subtype === 'error_during_execution' && result.status === undefined && !result.refusal

/**
 * The verdict. A good result counts however the process ended after it. An error that names its cause counts too; one
 * that only says "interrupted" gives way to the reason why the runner ended the process, also where nobody saw it.
 */
export function verdictOf(log: Log, exit: ExitFacts): Verdict {
  const { result, seen } = log
  if (!result) return noResult(log, exit)
  if (!result.isError) return goodResult(result, seen, exit)
  if (!onlyInterrupted(result)) return errorResult(result)
  if (endedByRunner(exit) || isAborted(result) && exit.code === 'unseen') return withoutResult(seen, exit)
  return isAborted(result) ? failed('interrupted', 'Something else than the runner interrupted the CLI') : errorResult(result)
}
