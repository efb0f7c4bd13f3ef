/** What a schema expects and what a value is, in plain words for messages. Pure. */
import type * as v from 'valibot'
import { quoted } from './finding.ts'

export const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** The schema inside `optional`, `nullish` and the like. */
export function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema && isSchema(schema.wrapped) ? unwrapped(schema.wrapped) : schema
}

/** The fields of an object schema, or undefined for any other. */
export function entriesOf(schema: v.GenericSchema): ReadonlyMap<string, v.GenericSchema> | undefined {
  const inner = unwrapped(schema)
  if (!('entries' in inner) || typeof inner.entries !== 'object' || inner.entries === null) return undefined
  return new Map(Object.entries(inner.entries).filter((entry): entry is [string, v.GenericSchema] => isSchema(entry[1])))
}

/** The schema of what a list or a record holds. */
export function itemOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  const inner = unwrapped(schema)
  if ('item' in inner && isSchema(inner.item)) return inner.item
  return inner.type === 'record' && 'value' in inner && isSchema(inner.value) ? inner.value : undefined
}

/** Joins with commas and a last "or". */
export function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

interface Check { readonly type: string; readonly requirement?: unknown; readonly message?: unknown }

const isCheck = (step: unknown): step is Check =>
  typeof step === 'object' && step !== null && 'kind' in step && step.kind === 'validation' && 'type' in step

/** Every check of a schema; a pipe may begin with a schema that is a pipe itself. */
function checksOf(schema: v.GenericSchema): readonly Check[] {
  const pipe: readonly unknown[] = 'pipe' in schema && Array.isArray(schema.pipe) ? schema.pipe : []
  const [first, ...steps] = pipe
  return [...isSchema(first) && first !== schema ? checksOf(first) : [], ...steps.filter(isCheck)]
}

const limit = (checks: readonly Check[], type: string): number | undefined => {
  const requirement = checks.find(check => check.type === type)?.requirement
  return typeof requirement === 'number' ? requirement : undefined
}

/** ` from 1 to 9`, ` of at least 1`, ` of at most 9`, ` above 0`, or nothing. */
function range(checks: readonly Check[], kind: 'value' | 'length'): string {
  const [least, most, above] = [limit(checks, `min_${kind}`), limit(checks, `max_${kind}`), limit(checks, `gt_${kind}`)]
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return ` of at least ${least}`
  const over = above === undefined ? '' : ` above ${above}`
  return most === undefined ? over : `${over}${over ? ' and' : ''} of at most ${most}`
}

const optionsOf = (schema: v.GenericSchema): readonly unknown[] =>
  'options' in schema && Array.isArray(schema.options) ? schema.options : []

const entries = (range: string): string =>
  range && ` of${range.replace(/^ (?:of|from)/, '')} ${/ 1$/.test(range) ? 'entry' : 'entries'}`

/**
 * What a schema expects, such as `a whole number from 1 to 86400`. Checks whose meaning a pattern does not tell carry their own
 * words, and those say it all.
 */
export function expected(schema: v.GenericSchema): string {
  const inner = unwrapped(schema)
  const checks = checksOf(inner)
  const words = checks.find(check => typeof check.message === 'string')?.message
  if (typeof words === 'string') return words
  switch (inner.type) {
    case 'string': return 'a text'
    case 'number': return `a ${checks.some(check => check.type === 'integer') ? 'whole ' : ''}number${range(checks, 'value')}`
    case 'boolean': return 'true or false'
    case 'array': return `a list${entries(range(checks, 'length'))}`
    case 'picklist': return anyOf(optionsOf(inner).map(option => JSON.stringify(option)))
    case 'literal': return 'literal' in inner ? JSON.stringify(inner.literal) : inner.expects
    case 'strict_object':
    case 'object':
    case 'loose_object':
    case 'record': return 'an object'
    default: return inner.expects
  }
}

/** What was found, cut and without control characters. */
export function received(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.length === 1 ? 'a list of 1 entry' : `a list of ${value.length} entries`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
