/** What single events of Claude's stream say, read out of untrusted JSON. Pure. */
import { totalTokens } from '../model/usage.ts'
import type { Bill } from './claude-usage.ts'
import type { ApiError, ResultFacts } from './claude-verdict.ts'
import { sessionId } from './event-lines.ts'
import { field, type Json, list, number, text } from './json.ts'
import { plain } from './text.ts'

/** Names of refused tools that are kept. */
export const mostDenials = 50
const mostTools = 500
const messageLength = 2000

/** What the first event says of the session. `model` is what was asked for; the CLI does not check it. */
export interface Init {
  readonly session?: string
  readonly model?: string
  readonly version?: string
  readonly permissionMode?: string
  readonly apiKeySource?: string
  readonly tools: readonly string[]
}

export const sessionOf = (event: Json): string | undefined => sessionId(text(event, 'session_id'))

const strings = (values: readonly unknown[], most: number): string[] =>
  values.flatMap(value => typeof value === 'string' ? [plain(value, 100)] : []).slice(0, most)

/** Reads `system/init`; printed once the CLI has read its task, again when it wakes up for a background task. */
export function initOf(event: Json): Init {
  const session = sessionOf(event)
  const word = (name: string, key: string): Record<string, string> => {
    const found = text(event, key)
    return found === undefined ? {} : { [name]: plain(found, 200) }
  }
  return {
    ...word('model', 'model'), ...word('version', 'claude_code_version'), ...word('permissionMode', 'permissionMode'),
    ...word('apiKeySource', 'apiKeySource'),
    ...(session === undefined ? {} : { session }),
    tools: strings(list(event, 'tools'), mostTools),
  }
}

/** Plugins that did not load; the run goes on without them. */
export const problemsAtStart = (event: Json): string[] =>
  list(event, 'plugin_errors').map(each => text(each, 'message') ?? text(each, 'type') ?? 'unknown')
    .map(reason => `a plugin of the CLI did not load: ${reason}`)

/** Events of subagents carry the call that started them. */
export const isMain = (event: Json): boolean => (field(event, 'parent_tool_use_id') ?? null) === null

/** Answers that the CLI makes up itself, for API errors and for commands. */
export const isSynthetic = (event: Json): boolean => text(event, 'message', 'model') === '<synthetic>'

/** The texts of an assistant event, joined. */
export const textsOf = (event: Json): string =>
  list(event, 'message', 'content').flatMap(block => text(block, 'type') === 'text' ? text(block, 'text') ?? [] : []).join('\n')

export function apiErrorOf(event: Json): ApiError | undefined {
  const errorClass = text(event, 'error')
  if (errorClass === undefined) return undefined
  return { errorClass: plain(errorClass, 100), message: plain(textsOf(event), messageLength) }
}

const telling = ['command', 'file_path', 'pattern', 'url', 'query', 'skill', 'description'] as const

/** The tool calls of an assistant event, each as `name argument`. */
export const toolsOf = (event: Json): string[] => list(event, 'message', 'content').flatMap(block => {
  if (text(block, 'type') !== 'tool_use') return []
  const argument = telling.map(key => text(block, 'input', key)).find(value => value !== undefined)
  return [[text(block, 'name') ?? 'tool', ...(argument === undefined ? [] : [argument.slice(0, messageLength)])].join(' ')]
})

/** Names of the tools that were refused, each once. Tools that are switched off are not among them (measured on 2.1.197). */
export const denialsOf = (event: Json): string[] =>
  [...new Set(list(event, 'permission_denials').flatMap(each => plain(text(each, 'tool_name') ?? '', 100) || []))]
    .slice(0, mostDenials)

/**
 * Reads a `result` event. Its text is the answer, or the text of the last message where it has none; with an error
 * flag it is the error. `errors` stands in for it where the CLI itself broke off.
 */
export function resultOf(event: Json, bill: Bill, lastAnswer: string): ResultFacts {
  const subtype = plain(text(event, 'subtype') ?? '', 100)
  const status = number(event, 'api_error_status')
  const terminalReason = text(event, 'terminal_reason')
  const said = text(event, 'result') ?? ''
  const isError = field(event, 'is_error') === true || (status !== undefined && status >= 400) || subtype.startsWith('error')
  const idle = !isError && number(event, 'num_turns') === 0 && (!bill.usage || totalTokens(bill.usage) === 0)
  const errors = list(event, 'errors').filter(each => typeof each === 'string')
  return {
    isError,
    subtype,
    idle,
    message: isError || idle ? plain(said || errors.join('; '), messageLength) : '',
    answer: isError || idle ? '' : said.trim() === '' ? lastAnswer : said,
    ...(status === undefined ? {} : { status }),
    ...(terminalReason === undefined ? {} : { terminalReason }),
  }
}
