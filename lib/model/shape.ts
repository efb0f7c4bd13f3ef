/**
 * The first step of every check of a document: does its shape hold? valibot decides, and its issues become findings in plain
 * words. Unknown fields are found here, because valibot names only the first one of an object and none like `constructor`.
 */
import * as v from 'valibot'
import { listed, nearest } from '../base/text.ts'
import { type Document, dotted, type Finding, labelOf, onePerPath, type Path, quoted } from './finding.ts'
import { entriesOf, expected, itemOf, received, unwrapped } from './wording.ts'

export interface Shape<T> {
  /** The checked value, when the whole shape holds. */
  readonly value?: T
  readonly findings: readonly Finding[]
  /** What was checked: the document without members that are null, which count as absent. */
  readonly input: unknown
  /** True when something at this path or inside it is wrong. */
  broken(path: Path): boolean
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that are null are as good as left out: agents like to write all fields. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => each === null ? [] : [[key, withoutNulls(each)]]))
}

/** Checks the shape of a document: every finding at once, one per path. */
export function checkShape<const S extends v.GenericSchema>(schema: S, document: Pick<Document, 'value'>): Shape<v.InferOutput<S>> {
  const input = withoutNulls(document.value)
  const parsed = v.safeParse(schema, input)
  const own = strayFindings(schema, input, [])
  const lists = new Set(own.filter(({ code }) => code === 'document.shape').map(({ path }) => keyOf(path)))
  const issues = parsed.issues?.flatMap(issue => findingOf(schema, input, issue)) ?? []
  const findings = onePerPath([...own, ...issues.filter(({ path }) => !beginnings(path).some(each => lists.has(each)))])
  const paths = new Set(findings.flatMap(({ path }) => beginnings(path)))
  return {
    ...(parsed.success && findings.length === 0 ? { value: parsed.output } : {}),
    findings, input,
    broken: path => paths.has(keyOf(path)),
  }
}

const keyOf = (path: Path): string => JSON.stringify(path)

/** The path and all that lead to it. */
const beginnings = (path: Path): string[] => [keyOf([]), ...path.map((_, index) => keyOf(path.slice(0, index + 1)))]

/** The members of `value` (at `path`) whose shape holds; an object for anything else than an object is empty. */
export const soundFields = (shape: Shape<unknown>, value: unknown, path: Path): Readonly<Record<string, unknown>> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !shape.broken([...path, key]))) : {}

function findingOf(schema: v.GenericSchema, input: unknown, issue: v.BaseIssue<unknown>): Finding[] {
  if (issue.expected === 'never') return []
  const path = (issue.path ?? []).map(item => typeof item.key === 'number' ? item.key : String(item.key))
  const last = path.at(-1)
  const inner = schemaAt(schema, path)
  const parent = path.slice(0, -1)
  if (typeof last !== 'string' || isThere(input, parent, last)) return [mismatch(inner, issue.input, path)]
  return [{ code: 'document.shape', path, message: `${labelOf(parent)} needs ${quoted(last)}: ${expected(inner)}` }]
}

const mismatch = (schema: v.GenericSchema, value: unknown, path: Path): Finding =>
  ({ code: 'document.shape', path, message: `${labelOf(path)} must be ${expected(schema)}, not ${received(value)}` })

function isThere(input: unknown, parent: Path, key: string): boolean {
  let here = input
  for (const step of parent) here = isObject(here) || Array.isArray(here) ? Reflect.get(here, step) : undefined
  return isObject(here) && Object.hasOwn(here, key)
}

/** The schema of what stands at a path, or the nearest one around it. */
function schemaAt(schema: v.GenericSchema, path: Path): v.GenericSchema {
  let here = schema
  for (const step of path) {
    const inner = entriesOf(here)?.get(String(step)) ?? itemOf(here)
    if (!inner) return here
    here = inner
  }
  return here
}

/** Keys that valibot leaves out of records without a word. */
const droppedKeys = new Set(['__proto__', 'prototype', 'constructor'])

/** What valibot does not tell: unknown fields, and lists where an object belongs, which it takes for objects. */
function strayFindings(schema: v.GenericSchema, value: unknown, path: Path): Finding[] {
  const { type } = unwrapped(schema)
  const entries = entriesOf(schema)
  const item = itemOf(schema)
  if (Array.isArray(value)) {
    if (entries || type === 'record') return [mismatch(schema, value, path)]
    return item ? value.flatMap((each, index) => strayFindings(item, each, [...path, index])) : []
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const inner = entries?.get(key) ?? item
    if (type === 'record' && droppedKeys.has(key)) return [unknownField([...path, key], [])]
    if (inner) return strayFindings(inner, each, [...path, key])
    return type === 'strict_object' ? [unknownField([...path, key], [...entries?.keys() ?? []])] : []
  })
}

function unknownField(path: Path, known: readonly string[]): Finding {
  const key = String(path.at(-1))
  const parent = path.slice(0, -1)
  const close = nearest(key, known)
  const all = known.length > 0 ? `known fields: ${listed(known, known.length)}` : undefined
  const hint = close ? `did you mean "${close}"?` : all
  return {
    code: 'document.unknown-field', path, at: 'key', message: `${labelOf(parent)} has an unknown field ${quoted(key)}`,
    ...(hint ? { hint } : {}), facts: { ...(close ? { nearest: close } : {}), field: dotted(path) },
  }
}
