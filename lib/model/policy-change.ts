/** What `policy set` does to a policy file: pure, and refused as a whole when the file that would come of it is not sound. */
import { Fail, fail, type Problem } from '../base/fail.ts'
import { kebab } from '../base/text.ts'
import { type Budget, limits } from './budget.ts'
import type { ProviderFacts } from './capabilities.ts'
import { type Finding, quoted } from './finding.ts'
import { checkPolicy, type PolicyFile, policyVersion } from './policy.ts'
import type { ModelTiers, Tier } from './tiers.ts'

/** Names of limits as the command line has them. */
export const limitNames: readonly string[] = limits.map(kebab)

/** What to change, by the names of the options; what is absent stays as it is. */
export interface PolicyChange extends Omit<PolicyFile, 'version' | 'onboarded' | 'budget' | 'modelTiers' | 'providerOrder' | 'conserveProviders'>, Budget {
  readonly providerOrder?: readonly string[]
  readonly conserveProviders?: readonly string[]
  /** Limits, by `limitNames`, that go before others are set; none means all. */
  readonly clear?: readonly string[]
  /** Each written `PROVIDER=VALUE`. Deprecated: tiers belong into the playbooks. */
  readonly cheapModel?: readonly string[]
  readonly cheapEffort?: readonly string[]
  readonly strongModel?: readonly string[]
}

/** Model or effort of one tier on one provider. */
interface TierPair { readonly tier: Tier; readonly field: 'model' | 'effort'; readonly provider: string; readonly value: string }

/**
 * The file after the change; it is marked as set up (`onboarded`).
 * @throws Fail('usage.bad-value') with everything that the change would make unsound
 */
export function changedPolicy(file: PolicyFile, change: PolicyChange, providers: readonly ProviderFacts[]): PolicyFile {
  const { clear, cheapModel = [], cheapEffort = [], strongModel = [], unknownCost, ...rest } = change
  const isLimit = (key: string): boolean => limits.some(limit => limit === key)
  const isCleared = (key: string): boolean => clear !== undefined && (clear.length === 0 ? isLimit(key) : clear.includes(kebab(key)))
  const named = Object.entries(rest)
  const budget = {
    ...Object.fromEntries(Object.entries(file.budget ?? {}).filter(([key]) => !isCleared(key))),
    ...Object.fromEntries(named.filter(([key]) => isLimit(key))), ...(unknownCost ? { unknownCost } : {}),
  }
  const modelTiers = withTiers(file.modelTiers ?? {}, [
    ...cheapModel.map(pairOf('cheap', 'model')), ...cheapEffort.map(pairOf('cheap', 'effort')), ...strongModel.map(pairOf('strong', 'model')),
  ])
  const { budget: _budget, modelTiers: _tiers, ...fields } = file
  const checked = checkPolicy({
    value: {
      ...fields, ...Object.fromEntries(named.filter(([key]) => !isLimit(key))), version: policyVersion, onboarded: true,
      ...(Object.keys(budget).length > 0 ? { budget } : {}), ...(Object.keys(modelTiers).length > 0 ? { modelTiers } : {}),
    },
  }, providers)
  const [first, ...more] = checked.findings.map(problemOf)
  if (first) throw new Fail(first, ...more)
  return checked.value ?? {}
}

const pairOf = (tier: Tier, field: TierPair['field']) => (text: string): TierPair => {
  const [, provider, value] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(text) ?? []
  if (provider !== undefined && value !== undefined) return { tier, field, provider, value }
  const flag = `--${tier}-${field}`
  throw fail('usage.bad-value', `Option ${flag} takes PROVIDER=${field.toUpperCase()}, not ${quoted(text)}`, { hint: `${flag} PROVIDER=${field === 'model' ? 'haiku' : 'low'}` })
}

const withTiers = (before: ModelTiers, pairs: readonly TierPair[]): ModelTiers => pairs.reduce<ModelTiers>((all, { tier, field, provider, value }) =>
  ({ ...all, [tier]: { ...all[tier], [provider]: { ...all[tier]?.[provider], [field]: value } } }), before)

/** The file was sound before, so whatever is wrong now came with the change. */
function problemOf({ path, message, hint }: Finding): Problem {
  const [part = '', second = '', , field = 'model'] = path.map(String)
  const option = part === 'budget' ? kebab(second) : part === 'modelTiers' ? `${second}-${field}` : kebab(part)
  return { code: 'usage.bad-value', message: part === 'defaultStrategy' ? message : `--${option}: ${message}`, ...(hint ? { hint } : {}) }
}
