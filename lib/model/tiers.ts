/** Tiers of models: which model and effort a worker of a tier gets on a provider. Pure. */
import * as v from 'valibot'
import type { Capabilities } from './capabilities.ts'
import { NameText } from './texts.ts'

export const tiers = ['cheap', 'standard', 'strong'] as const
export type Tier = typeof tiers[number]

const Choice = v.strictObject({
  model: v.exactOptional(NameText),
  effort: v.exactOptional(NameText),
})
const OfProviders = v.exactOptional(v.record(v.string(), Choice))

/** Model and effort by tier and provider id. */
export const ModelTiers = v.strictObject({ cheap: OfProviders, standard: OfProviders, strong: OfProviders })
export type ModelTiers = v.InferOutput<typeof ModelTiers>

export interface ChosenModel { readonly model?: string; readonly effort?: string; readonly note: string }

/** What a choice looks at: the provider that will run the worker and what the plan says itself. */
export interface TierWorker { readonly provider: string; readonly tier: Tier; readonly model?: string; readonly effort?: string }

/**
 * Model and effort of a worker: what the plan names wins, what it leaves open comes from the tier. A tier that says what the CLI
 * cannot be told is left out.
 */
export function modelFor(worker: TierWorker, modelTiers: ModelTiers, can: Pick<Capabilities, 'model' | 'effort'>): ChosenModel {
  const fromTier = modelTiers[worker.tier]?.[worker.provider]
  const model = worker.model ?? (can.model ? fromTier?.model : undefined)
  const effort = worker.effort ?? (can.effort ? fromTier?.effort : undefined)
  const parts = [...model ? [`model ${model}`] : [], ...effort ? [`effort ${effort}`] : []].join(', ')
  const pinned = worker.model !== undefined || worker.effort !== undefined
  const note = !parts ? `tier ${worker.tier}: no model is set for ${worker.provider}`
    : pinned && !fromTier ? `${parts}: named in the plan` : `tier ${worker.tier} on ${worker.provider}: ${parts}`
  return { ...(model ? { model } : {}), ...(effort ? { effort } : {}), note }
}
