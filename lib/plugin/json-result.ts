/**
 * What one JSON value of an unknown program says: its text, session, tokens, cost, refused tools and error. The usual
 * places of several agents are looked at; nothing is guessed from words inside an answer. Pure.
 */
import type { FailureKind } from '../model/failure.ts'
import { namePattern } from '../model/names.ts'
import { type Usage, usageOf } from '../model/usage.ts'
import { kindOfStatus, kindOfWord } from './classify.ts'
import { sessionId } from './event-lines.ts'
import { count, field, instant, isJson, type Json, list, number, text } from './json.ts'

const textKeys = ['result', 'output', 'text', 'content', 'response'] as const
const nestedKeys = ['part', 'data', 'response', 'result'] as const
const deepest = 4

/** Texts of a list of content blocks, joined. */
const blocksText = (blocks: readonly unknown[]): string => blocks.flatMap(block => text(block, 'text') ?? []).join('')

/** The text of a value exactly as it stands, '' when there is none. */
export function textIn(value: Json, depth = 0): string {
  const said = [...textKeys.map(key => text(value, key)), text(value, 'message'), text(value, 'message', 'content')]
    .find(each => each !== undefined && each.trim() !== '')
  if (said !== undefined) return said
  const blocks = blocksText(list(value, 'message', 'content')) || blocksText(list(value, 'content'))
  if (blocks.trim() !== '' || depth >= deepest) return blocks.trim() === '' ? '' : blocks
  for (const key of nestedKeys) {
    const nested = field(value, key)
    const inner = isJson(nested) ? textIn(nested, depth + 1) : ''
    if (inner) return inner
  }
  return ''
}

/** Who speaks: `result` ends a run, `answer` is a whole message, `piece` a part of one, `none` is not the agent. */
export type Voice = 'result' | 'answer' | 'piece' | 'other' | 'none'

const notTheAgent = new Set(['user', 'system', 'tool', 'tool_use', 'tool_result', 'tool_call', 'turn.failed', 'meta'])
/** `error`, `session.error`. */
const errorType = /(?:^|[._])error$/

export function voiceOf(value: Json): Voice {
  const type = text(value, 'type') ?? ''
  const role = text(value, 'role') ?? text(value, 'message', 'role') ?? ''
  if (notTheAgent.has(type) || notTheAgent.has(role) || errorType.test(type)) return 'none'
  if (type === 'result') return 'result'
  const kinds = [type, role]
  if (field(value, 'delta') === true || kinds.includes('text') || kinds.includes('output')) return 'piece'
  return ['assistant', 'message', 'assistant.message'].some(kind => kinds.includes(kind)) ? 'answer' : 'other'
}

const sessionKeys = ['session_id', 'sessionId', 'sessionID', 'conversation_id', 'conversationId', 'thread_id'] as const

export const sessionIn = (value: Json): string | undefined =>
  sessionKeys.map(key => sessionId(text(value, key))).find(id => id !== undefined)

const first = (value: unknown, ...names: readonly string[]): number | undefined =>
  names.map(name => count(value, ...name.split('.'))).find(found => found !== undefined)

/** Tokens in any of the usual spellings. `cached_input_tokens` stand inside the input; other cache figures beside it. */
export function tokensIn(usage: unknown): Usage | undefined {
  const input = first(usage, 'inputTokens', 'input_tokens', 'input')
  const output = first(usage, 'outputTokens', 'output_tokens', 'output')
  if (input === undefined || output === undefined) return undefined
  const inside = first(usage, 'cached_input_tokens')
  return usageOf({
    inputTokens: Math.max(0, input - (inside ?? 0)),
    cacheReadTokens: inside ?? first(usage, 'cacheReadTokens', 'cache_read_input_tokens', 'cacheRead', 'cache.read') ?? 0,
    cacheWriteTokens: first(usage, 'cacheWriteTokens', 'cache_creation_input_tokens', 'cacheWrite', 'cache.write') ?? 0,
    outputTokens: output + (first(usage, 'reasoning') ?? 0),
  })
}

/** Tokens that a value reports for all so far. */
export const usageIn = (value: Json): Usage | undefined =>
  ['usage', 'tokenUsage', 'token_usage'].map(key => tokensIn(field(value, key))).find(usage => usage !== undefined)

const usd = (value: number | undefined): number | undefined => value !== undefined && value >= 0 ? value : undefined

export const costIn = (value: Json): number | undefined => usd(number(value, 'total_cost_usd'))

/** Cost by model, as far as it is stated. */
export function costsIn(value: Json): Readonly<Record<string, number>> | undefined {
  const models = field(value, 'modelUsage')
  if (!isJson(models)) return undefined
  const costs = Object.keys(models).flatMap((model): [string, number][] => {
    const cost = usd(number(models, model, 'costUSD'))
    return cost !== undefined && namePattern.test(model) ? [[model, cost]] : []
  })
  return costs.length > 0 ? Object.fromEntries(costs) : undefined
}

/** What one step used: such figures add up. */
export const stepIn = (value: Json): { readonly usage: Usage | undefined; readonly costUsd: number | undefined } =>
  ({ usage: tokensIn(field(value, 'part', 'tokens')), costUsd: usd(number(value, 'part', 'cost')) })

/** Names of the tools that were refused. */
export const denialsIn = (value: Json): string[] =>
  list(value, 'permission_denials').flatMap(each => text(each, 'tool_name') ?? [])

export interface ErrorFacts {
  readonly message: string
  readonly kind: FailureKind
  readonly resetsAt?: string
  /** It ends the run. */
  readonly final: boolean
}

const badStatus = /^(?:error|failed|failure|cancell?ed)$/i
/** The run is over and failed. Progress of other kinds, such as `{"status":"failed"}` of a test, is not the run. */
function isFailedEnd(value: Json): boolean {
  const type = text(value, 'type') ?? ''
  if (type === 'turn.failed' || (field(value, 'is_error') === true && ['', 'result'].includes(type))) return true
  return type === 'result' && (badStatus.test(text(value, 'status') ?? '') || (text(value, 'subtype') ?? '').startsWith('error'))
}

function messageIn(value: Json): string {
  const places = [
    text(value, 'error', 'message'), text(value, 'error', 'data', 'message'), text(value, 'error'), text(value, 'result'),
    text(value, 'message'), text(value, 'data', 'message'),
    ...list(value, 'errors').map(each => typeof each === 'string' ? each : text(each, 'message')),
  ]
  return places.find(place => place !== undefined && place.trim() !== '') ?? 'The program reported an error without a message'
}

/** The kind by status, then by the vendor's word; the message never counts. */
function kindIn(value: Json): FailureKind {
  const statuses = [
    ['api_error_status'], ['error', 'status'], ['error', 'statusCode'], ['error', 'code'], ['error', 'data', 'statusCode'],
    ['status'], ['statusCode'], ['data', 'statusCode'],
  ]
  const words = [['error', 'type'], ['error', 'code'], ['error', 'status'], ['error'], ['code'], ['data', 'errorType']]
  const byStatus = statuses.map(path => kindOfStatus(number(value, ...path) ?? 0)).find(kind => kind !== undefined)
  return byStatus ?? words.map(path => kindOfWord(text(value, ...path) ?? '')).find(kind => kind !== undefined) ?? 'error'
}

/** The error that a value reports, if it does. */
export function errorIn(value: Json): ErrorFacts | undefined {
  const error = field(value, 'error')
  const final = isFailedEnd(value)
  const isTold = errorType.test(text(value, 'type') ?? '') || isJson(error) || (typeof error === 'string' && error !== '')
  if (!final && !isTold) return undefined
  const resetsAt = instant(value, 'error', 'resets_at') ?? instant(value, 'resets_at')
  return { message: messageIn(value), kind: kindIn(value), final, ...(resetsAt ? { resetsAt } : {}) }
}
