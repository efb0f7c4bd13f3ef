/**
 * The user's policy: which providers, strategies and limits plans get when they do not say, and what they may not exceed. Files
 * of earlier versions are read as they are. Pure; lib/run reads the file.
 */
import * as v from 'valibot'
import { nearest } from '../base/text.ts'
import { Budget } from './budget.ts'
import { type ProviderFacts, providerNamed, providerNames } from './capabilities.ts'
import { checkShape, type Document, type Finding, type Path, refuse } from './document.ts'
import { broken, quoted } from './finding.ts'
import { soundFields } from './shape.ts'
import { mostWorkers, type Strategy, strategyHint, strategyNamed } from './strategy.ts'
import { Text } from './texts.ts'
import { ModelTiers, tiers } from './tiers.ts'
import { anyOf } from './wording.ts'

export const policyVersion = 1
export const backends = ['auto', 'skill', 'mcp'] as const
export const providerSwitches = ['ask', 'automatic', 'never'] as const

const workers = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostWorkers))

export const PolicyFile = v.strictObject({
  version: v.exactOptional(v.literal(policyVersion)),
  onboarded: v.exactOptional(v.boolean()),
  backend: v.exactOptional(v.picklist(backends)),
  defaultStrategy: v.exactOptional(Text),
  providerSwitch: v.exactOptional(v.picklist(providerSwitches)),
  providerOrder: v.exactOptional(v.pipe(v.array(Text), v.minLength(1))),
  conserveProviders: v.exactOptional(v.array(Text)),
  maxWorkers: v.exactOptional(workers),
  maxConcurrent: v.exactOptional(workers),
  budget: v.exactOptional(Budget),
  modelTiers: v.exactOptional(ModelTiers),
})
/** What a policy file states; what it leaves out is the default. */
export type PolicyFile = v.InferOutput<typeof PolicyFile>

/** A policy with every default filled in and providers by id. */
export interface Policy {
  readonly version: typeof policyVersion
  readonly onboarded: boolean
  readonly backend: typeof backends[number]
  readonly defaultStrategy: Strategy
  readonly providerSwitch: typeof providerSwitches[number]
  readonly providerOrder: readonly string[]
  readonly conserveProviders: readonly string[]
  readonly maxWorkers: number
  readonly maxConcurrent: number
  readonly budget: Budget
  readonly modelTiers: ModelTiers
}

/** What holds without a policy file. */
export function defaultPolicy(providers: readonly ProviderFacts[]): Policy {
  const ranked = providers.flatMap(({ id, rank }) => rank === undefined ? [] : [{ id, rank }])
  return {
    version: policyVersion, onboarded: false, backend: 'auto', defaultStrategy: 'auto', providerSwitch: 'ask',
    providerOrder: ranked.sort((a, b) => a.rank - b.rank).map(({ id }) => id),
    conserveProviders: [], maxWorkers: 16, maxConcurrent: 4, budget: {}, modelTiers: {},
  }
}

/** What a document states. @throws Fail with everything that is wrong in it */
export function readPolicyFile(document: Document, providers: readonly ProviderFacts[]): PolicyFile {
  const { findings, value } = checkPolicy(document, providers)
  refuse(document, findings)
  return value ?? {}
}

/** Everything that is wrong with a policy, and what it states when nothing is. */
export function checkPolicy(document: Pick<Document, 'value'>, providers: readonly ProviderFacts[]): { readonly findings: readonly Finding[]; readonly value?: PolicyFile } {
  const shape = checkShape(PolicyFile, document)
  const findings = [...shape.findings, ...policyFindings(v.parse(PolicyFile, soundFields(shape, shape.input, [])), providers)]
  return { findings, ...(shape.value ? { value: shape.value } : {}) }
}

function policyFindings(file: PolicyFile, providers: readonly ProviderFacts[]): Finding[] {
  const { defaultStrategy } = file
  const strategy = defaultStrategy === undefined || strategyNamed(defaultStrategy) ? []
    : [broken(['defaultStrategy'], `There is no strategy ${quoted(defaultStrategy)}`, strategyHint(defaultStrategy))]
  const lists = (['providerOrder', 'conserveProviders'] as const).flatMap(name =>
    file[name]?.flatMap((each, index) => providerFinding(each, [name, index], providers)) ?? [])
  const models = tiers.flatMap(tier => Object.entries(file.modelTiers?.[tier] ?? {}).flatMap(([name, { model, effort }]) => {
    const path = ['modelTiers', tier, name]
    const empty = model === undefined && effort === undefined
    return [
      ...providerFinding(name, path, providers).map((finding): Finding => ({ ...finding, at: 'key' })),
      ...empty ? [broken(path, `${tier} on ${quoted(name)} needs a model or an effort`)] : [],
    ]
  }))
  return [...strategy, ...lists, ...models]
}

/** A policy speaks of installed kinds of provider, never of one whose command line is in each plan. */
function providerFinding(name: string, path: Path, providers: readonly ProviderFacts[]): Finding[] {
  if (providerNamed(name, providers)?.can.ownCommand === false) return []
  const known = providers.filter(({ can }) => !can.ownCommand)
  const close = nearest(name, providerNames(known))
  return [{
    code: 'provider.unknown', path, message: `A policy cannot name the provider ${quoted(name)}`,
    hint: close ? `did you mean "${close}"?` : `providers: ${anyOf(known.map(({ id }) => id))}`,
  }]
}

/** The policy that a file without faults means: defaults filled in, strategies and providers by their own names. */
export function policyOf(file: PolicyFile, providers: readonly ProviderFacts[]): Policy {
  const { defaultStrategy, providerOrder, conserveProviders, modelTiers, ...rest } = file
  const idOf = (name: string): string => providerNamed(name, providers)?.id ?? name
  const ids = (names: readonly string[]): string[] => [...new Set(names.map(idOf))]
  const strategy = defaultStrategy === undefined ? undefined : strategyNamed(defaultStrategy)
  return {
    ...defaultPolicy(providers), ...rest,
    ...(strategy ? { defaultStrategy: strategy } : {}),
    ...(providerOrder ? { providerOrder: ids(providerOrder) } : {}),
    ...(conserveProviders ? { conserveProviders: ids(conserveProviders) } : {}),
    ...(modelTiers ? { modelTiers: Object.fromEntries(Object.entries(modelTiers).map(([tier, mapping]) =>
      [tier, Object.fromEntries(Object.entries(mapping).map(([name, choice]) => [idOf(name), choice]))])) } : {}),
  }
}
