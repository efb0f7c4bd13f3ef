/**
 * What an error means: from an HTTP status, or from the words of one error message. Only for text that carries an
 * error (a result flagged as one, a line of stderr), never for an answer: patterns are tied to the start of the
 * message, so that prose about limits is not one. Reads and writes nothing.
 */
import type { FailureKind } from '../model/failure.ts'
import { plain } from './text.ts'

/** What an error message says. `resetHint` is the phrase about the reset as printed, such as `resets 3pm (UTC)`. */
export interface ErrorMeaning { readonly kind: FailureKind; readonly resetHint?: string }

const statuses: Readonly<Record<number, FailureKind>> = {
  401: 'auth', 402: 'billing', 403: 'auth', 404: 'model_unavailable', 408: 'network', 413: 'context_too_long',
  429: 'rate_limited',
}

/** The kind behind an HTTP status; every 5xx is the service's own trouble. Undefined for statuses that say too little (400). */
export const kindOfStatus = (status: number): FailureKind | undefined =>
  statuses[status] ?? (Number.isInteger(status) && status >= 500 && status <= 599 ? 'overloaded' : undefined)

/** Vendors' words for each kind. */
const wordsOf: readonly (readonly [FailureKind, string])[] = [
  ['rate_limited', 'rate_limit rate_limit_error rate_limit_exceeded usage_limit_reached resource_exhausted too_many_requests'],
  ['overloaded', 'overloaded overloaded_error server_is_overloaded unavailable'],
  ['auth', 'authentication authentication_error authentication_failed unauthenticated unauthorized invalid_api_key'],
  ['billing', 'billing_error insufficient_quota payment_required'],
  ['model_unavailable', 'model_not_found model_not_supported'],
  ['context_too_long', 'context_length_exceeded prompt_too_long request_too_large'],
]
const errorWords = new Map(wordsOf.flatMap(([kind, words]) => words.split(' ').map(word => [word, kind] as const)))

/** The kind behind a vendor's word for an error, as it stands in fields such as `error.type` and `error.code`; any case. */
export const kindOfWord = (word: string): FailureKind | undefined => errorWords.get(word.toLowerCase())

/** Words that may stand before the message proper. */
const prefix =
  /^(?:(?:api |fatal )?error: |failed to (?:run prompt: |authenticate\. (?=api error))|(?:thread|turn)\/\w+(?: failed)?: )+/i

/** A status that is named as one; a bare number at the start is none. */
const statusPatterns = [
  /^(?:api error: |failed to authenticate\. )+(\d{3})\b/i,
  /^provider\.\w+: (\d{3})\b/i,
  /^[A-Z_]+ \(code (\d{3})\)/,
  /^(?:request rejected \(|exceeded retry limit, last status: |unexpected status |http )(\d{3})\b/i,
]

const patterns: readonly (readonly [RegExp, FailureKind])[] = [
  [/^you(?:['’]ve| have) (?:hit|reached) your (?:[\w-]+ )?(?:usage )?limit\b/i, 'rate_limited'],
  [/^(?:claude (?:ai )?|(?:5|five)-hour |weekly |session |opus )+(?:usage )?limit reached\b/i, 'rate_limited'],
  [/^usage limit reached\b/i, 'rate_limited'],
  [/^you have exhausted your (?:[\w-]+ )?(?:capacity|quota)\b/i, 'rate_limited'],
  [/^your (?:[\w-]+ )?(?:limit|quota) will reset\b/i, 'rate_limited'],
  [/^(?:rate limit exceeded|too many requests)\b/i, 'rate_limited'],
  [/^overloaded\b/i, 'overloaded'],
  [/^we(?:['’]re| are) currently experiencing high demand\b/i, 'overloaded'],
  [/^(?:the )?(?:selected )?model (?:is )?at capacity\b/i, 'overloaded'],
  [/^internal server error\b/i, 'overloaded'],
  [/^prompt is too long\b/i, 'context_too_long'],
  [/^codex ran out of room in the model['’]s context window\b/i, 'context_too_long'],
  [/^input exceeds the maximum length\b/i, 'context_too_long'],
  [/^(?:your )?credit balance is too low\b/i, 'billing'],
  [/^quota exceeded\. check your plan and billing\b/i, 'billing'],
  [/^there['’]s an issue with the selected model\b/i, 'model_unavailable'],
  [/^the (?:requested )?(?:model )?['"`][^'"`]{1,128}['"`] (?:model )?(?:does not exist|is not (?:supported|found))\b/i,
    'model_unavailable'],
  [/^model ['"`][^'"`]{1,128}['"`] is not configured\b/i, 'model_unavailable'],
  [/^not logged in\b/i, 'auth'],
  [/^provider\.auth_error\b/i, 'auth'],
  [/^no model configured\. .*\/login\b/i, 'auth'],
  [/^(?:invalid api key|failed to authenticate|missing environment variable)\b/i, 'auth'],
  [/^(?:your )?oauth token (?:has )?(?:expired|been revoked|revoked)\b/i, 'auth'],
  [/^please run \/login\b/i, 'auth'],
  [/^--dangerously-skip-permissions cannot be used with root\b/i, 'permission'],
  [/^(?:unable to connect|request timed out|fetch failed|stream disconnected|idle timeout waiting for sse)\b/i, 'network'],
  [/^connection (?:error|failed|refused|reset|timed out)\b/i, 'network'],
  [/^(?:connect|read|getaddrinfo) E(?:CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)\b/, 'network'],
]

/** The phrase that tells when a limit ends; `|1749924000` is an older form (seconds or milliseconds since 1970). */
const resetPattern = /(?:\bresets? (?:at |in |after )?\S.*|\btry again (?:at|in) \S.*|\|\s*\d[\d.]*.*)$/i

const resetHintOf = (message: string): string | undefined => resetPattern.exec(message)?.[0].replace(/[.\s]+$/, '').slice(0, 120)

function kindOf(message: string): FailureKind | undefined {
  const bare = message.replace(prefix, '')
  const found = statusPatterns.map(pattern => (pattern.exec(message) ?? pattern.exec(bare))?.[1])
  const status = found.find(each => each !== undefined)
  return kindOfStatus(Number(status)) ?? patterns.find(([pattern]) => pattern.test(bare))?.[1]
}

/**
 * The meaning of one error message, or undefined when the words are not known. Line breaks inside it count as blanks;
 * only its beginning (4,000 characters) is looked at.
 */
export function errorText(text: string): ErrorMeaning | undefined {
  const message = plain(text, 4000)
  const kind = kindOf(message)
  if (!kind) return undefined
  const resetHint = kind === 'rate_limited' ? resetHintOf(message) : undefined
  return { kind, ...(resetHint ? { resetHint } : {}) }
}

/** What a program said on stderr before it gave up: the line that tells most, and its meaning when known. */
export interface StderrMeaning { readonly line: string; readonly meaning?: ErrorMeaning }

/**
 * The telling line of stderr: the first with a known meaning, else the first that begins with "error", else the first
 * that is not a warning. Undefined when there is none. For CLIs that printed nothing on stdout; at most 400 lines.
 */
export function stderrMeaning(stderr: string): StderrMeaning | undefined {
  const lines = stderr.split('\n', 400).map(line => plain(line, 500)).filter(Boolean)
  for (const line of lines) {
    const meaning = errorText(line)
    if (meaning) return { line, meaning }
  }
  const line = lines.find(each => /^(?:\w+ )?error\b/i.test(each)) ?? lines.find(each => !/^warning\b/i.test(each)) ?? lines[0]
  return line ? { line } : undefined
}
