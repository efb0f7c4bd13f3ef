/** The user's policy in a few lines: what holds, and whether anyone ever said so. */
import { listed } from '../base/text.ts'
import { limits } from '../model/budget.ts'
import type { Policy } from '../model/policy.ts'
import type { ResetPolicy, UserPolicy } from '../run/policy.ts'

const most = 20

export function policyText(policy: UserPolicy & Partial<Pick<ResetPolicy, 'kept'>>): string {
  const { path, exists, onboarded, budget, providerOrder, conserveProviders, kept } = policy
  const limited = limits.flatMap(name => budget[name] === undefined ? [] : [`${name} ${budget[name]}`])
  const tiers = tiersOf(policy.modelTiers)
  return [
    `policy     ${path}${exists ? onboarded ? '' : ' (not set up yet)' : ' (no file: defaults)'}`,
    ...kept === undefined ? [] : [`kept       ${kept}`],
    `strategy   ${policy.defaultStrategy}, backend ${policy.backend}, at most ${policy.maxWorkers} workers, ${policy.maxConcurrent} at once`,
    `providers  ${listed(providerOrder, most)}; conserved: ${listed(conserveProviders, most) || 'none'} (switch: ${policy.providerSwitch})`,
    `budget     ${limited.join(', ') || 'no limits'}${budget.unknownCost ? `, unknown cost: ${budget.unknownCost}` : ''}`,
    ...tiers.length === 0 ? [] : [`tiers      ${listed(tiers, most)} (deprecated: move them into the playbooks)`],
  ].join('\n')
}

const tiersOf = (modelTiers: Policy['modelTiers']): string[] => Object.entries(modelTiers).flatMap(([tier, mapping]) =>
  Object.entries(mapping).map(([provider, { model, effort }]) => `${tier} ${provider}=${[model, effort].filter(Boolean).join(' ')}`))
