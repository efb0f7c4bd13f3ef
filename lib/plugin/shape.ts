/**
 * The shape of a provider plugin, checked when it is loaded: a typing mistake in a plugin is named then, and not when a
 * worker runs. What the hooks return is checked by the conformance suite.
 */
import * as v from 'valibot'
import { listed, nearest } from '../base/text.ts'
import { namePattern, providerIdPattern } from '../model/names.ts'
import type { Capabilities, Provider } from './provider.ts'

/** Signals that ask a program to end; the runner itself adds TERM and KILL. */
const stopSignals = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

const hook = <K extends keyof Provider>() =>
  v.custom<NonNullable<Provider[K]>>(value => typeof value === 'function', 'Expected a function')

const Id = v.pipe(v.string(), v.regex(providerIdPattern, 'Expected lower-case letters, digits and hyphens'))
const Text = v.pipe(v.string(), v.trim(), v.nonEmpty('Expected some text'))
const Variable = v.pipe(
  v.string(), v.regex(/^[A-Za-z_]\w*\*?$/, 'Expected the name of a variable, with "*" at the end for a prefix'),
)
const ReadOnly = v.picklist(['enforced', 'advisory', 'none'])

const CapabilitiesShape = v.strictObject({
  resume: v.boolean(),
  readOnly: ReadOnly,
  readOnlyOnResume: v.exactOptional(ReadOnly),
  model: v.boolean(),
  effort: v.boolean(),
  costCap: v.boolean(),
  tokens: v.boolean(),
  cost: v.boolean(),
  blocksSubagents: v.boolean(),
  blocksMcp: v.boolean(),
  allowCommands: v.boolean(),
  ownCommand: v.boolean(),
  silent: v.boolean(),
  promptVia: v.picklist(['stdin', 'argument', 'plan']),
  maxPrompt: v.strictObject({ size: v.pipe(v.number(), v.integer(), v.minValue(1)), unit: v.picklist(['bytes', 'characters']) }),
} satisfies Record<keyof Capabilities, v.GenericSchema>)

/** A provider plugin; `api` 1. */
export const ProviderShape = v.strictObject({
  kind: v.literal('provider'),
  api: v.literal(1),
  id: Id,
  summary: Text,
  aliases: v.array(Id),
  vendor: v.exactOptional(v.pipe(v.string(), v.regex(namePattern, 'Expected a name'))),
  executable: Text,
  rank: v.exactOptional(v.pipe(v.number(), v.finite())),
  can: CapabilitiesShape,
  stop: v.array(v.picklist(stopSignals)),
  parentEnv: v.array(Variable),
  assumed: v.unknown(),
  inspect: v.exactOptional(hook<'inspect'>()),
  probe: v.exactOptional(hook<'probe'>()),
  advise: v.exactOptional(hook<'advise'>()),
  invoke: hook<'invoke'>(),
  read: hook<'read'>(),
} satisfies Record<keyof Provider, v.GenericSchema>)

const known = [...Object.keys(ProviderShape.entries), ...Object.keys(CapabilitiesShape.entries)]

function reasonOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? ''
  if (issue.kind === 'schema' && issue.type === 'strict_object' && issue.expected === 'never') {
    const near = nearest(path.split('.').at(-1) ?? '', known)
    return `"${path}" is not a field of a provider${near ? `, did you mean "${near}"?` : ''}`
  }
  if (!path) return 'its default export is not a provider object'
  return issue.received === 'undefined' ? `"${path}" has no value` : `"${path}": ${issue.message}`
}

export type Checked = { readonly ok: true; readonly provider: Provider } | { readonly ok: false; readonly reason: string }

/** Checks what a plugin file exports by default. `id` is the file's base name, which the plugin's id must equal. */
export function checkProvider(plugin: unknown, id: string): Checked {
  const parsed = v.safeParse(ProviderShape, plugin)
  if (!parsed.success) return { ok: false, reason: listed([...new Set(parsed.issues.map(reasonOf))], 5) }
  const provider: Provider = parsed.output
  if (provider.id !== id) return { ok: false, reason: `its id is "${provider.id}", but the file is named "${id}"` }
  if (provider.can.ownCommand !== (provider.can.promptVia === 'plan')) {
    return { ok: false, reason: '"can.promptVia" is "plan" exactly when "can.ownCommand" is true' }
  }
  return { ok: true, provider }
}
