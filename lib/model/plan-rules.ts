/**
 * The second step of checking a plan: everything its shape cannot say, all at once, over the parts whose shape holds. Pure: what
 * the machine knows comes in as facts.
 */
import { type Budget, overPolicy } from './budget.ts'
import { broken, type Finding, quoted } from './finding.ts'
import { noteLimits } from './names.ts'
import { type PlanFacts, type PlanParts, planParts, promptOf, type WorkerPart } from './plan-parts.ts'
import { providerFindings } from './provider-rules.ts'
import type { Shape } from './shape.ts'
import { inferStrategy, type Strategy, strategyFaults, strategyHint, strategyNamed, type StrategyWorker } from './strategy.ts'
import { characters } from './texts.ts'
import { noteFault, workerFindings } from './worker-rules.ts'

/** Tokens of a prompt: characters / 4, never 0. What a CLI adds of its own cannot be told before. */
export const estimatedTokens = (prompt: string): number => Math.max(1, Math.ceil(characters(prompt) / 4))

/** Everything that a plan's rules refuse. */
export function planFindings(shape: Shape<unknown>, facts: PlanFacts): Finding[] {
  const parts = planParts(shape, facts)
  return [
    ...noteFindings(parts),
    ...parts.workers.flatMap(worker => [...workerFindings(worker), ...providerFindings(worker, facts)]),
    ...repeated(parts.workers, 'id', id => id.toLowerCase(), (id, first) =>
      `The id ${quoted(id)} is that of workers.${first}; case does not count`),
    ...repeated(parts.workers, 'resume', session => session, (session, first) =>
      `The session ${quoted(session)} is resumed by workers.${first} already; one worker at a time can`),
    ...strategyFindings(parts, facts),
    ...facts.overPolicy ? [] : overPolicy(parts.budget, facts.policy.budget, ['budget']),
    ...costFindings(parts, mergedBudget(parts.budget, facts)),
    ...estimateFindings(parts, mergedBudget(parts.budget, facts)),
  ]
}

/** The plan's limits over the policy's. */
export const mergedBudget = (budget: Budget | undefined, facts: PlanFacts): Budget => ({ ...facts.policy.budget, ...budget })

function noteFindings({ fields, holds }: PlanParts): Finding[] {
  return (['title', 'why'] as const).filter(name => holds(name))
    .flatMap(name => noteFault(name, fields[name], noteLimits[name]).map(message => broken([name], message)))
}

/** Values that two workers share and may not. */
function repeated(
  workers: readonly WorkerPart[], field: 'id' | 'resume', keyOf: (value: string) => string,
  message: (value: string, first: number) => string,
): Finding[] {
  const first = new Map<string, number>()
  return workers.flatMap(({ fields, index, at }) => {
    const value = fields[field]
    if (value === undefined) return []
    const before = first.get(keyOf(value))
    if (before === undefined) first.set(keyOf(value), index)
    return before === undefined ? [] : [at(field, message(value, before))]
  })
}

/** The strategy asked for: by the command line, the plan, or the policy. */
export function requestedStrategy(
  plan: { readonly strategy?: string; readonly preset?: string }, facts: PlanFacts,
): { readonly strategy: Strategy; readonly by: string } | undefined {
  if (facts.strategy) return { strategy: facts.strategy, by: 'asked for by --strategy' }
  const written = plan.strategy ?? plan.preset
  if (written === undefined) return { strategy: facts.policy.defaultStrategy, by: 'the policy\'s default' }
  const strategy = strategyNamed(written)
  return strategy && { strategy, by: 'asked for by the plan' }
}

/** A worker as strategies see it. */
export const strategyWorker = ({ mode, isolate, resume }: Partial<StrategyWorker>): StrategyWorker =>
  ({ mode: mode ?? 'read-only', isolate: isolate ?? false, ...(resume ? { resume } : {}) })

function strategyFindings(parts: PlanParts, facts: PlanFacts): Finding[] {
  const { fields, holds, workers } = parts
  if (!holds('strategy', 'preset')) return []
  const unknown = (['strategy', 'preset'] as const).flatMap(name => {
    const written = fields[name]
    if (written === undefined || strategyNamed(written)) return []
    return [broken([name], `There is no strategy ${quoted(written)}`, strategyHint(written))]
  })
  const both = fields.strategy !== undefined && fields.preset !== undefined && !facts.strategy
    ? [broken(['preset'], 'The plan has both "strategy" and its old name "preset"', 'leave "preset" out')] : []
  const requested = requestedStrategy(fields, facts)
  if (!requested || unknown.length + both.length > 0) return [...unknown, ...both]
  if (!parts.whole || !workers.every(worker => worker.holds('mode', 'isolate', 'resume'))) return []
  const looked = workers.map(worker => strategyWorker(worker.fields))
  const strategy = requested.strategy === 'auto' ? inferStrategy(looked).strategy : requested.strategy
  const place = fields.strategy === undefined ? fields.preset === undefined ? 'workers' : 'preset' : 'strategy'
  return strategyFaults(strategy, looked, facts.policy.maxWorkers).map(({ worker, field, message, hint }) =>
    broken(worker === undefined ? [place] : ['workers', worker, ...field ? [field] : []], message, hint))
}

/**
 * Under a cost limit a running worker counts as its cap: one that its CLI cannot end at a cost needs a cap of its own, also when it
 * reports its cost at the end.
 */
function costFindings(parts: PlanParts, budget: Budget): Finding[] {
  if (budget.maxReportedCostUsd === undefined || budget.unknownCost === 'allow' || !parts.holds('budget')) return []
  const limit = `the budget's maxReportedCostUsd ${budget.maxReportedCostUsd}`
  return parts.workers.flatMap(({ routing, fields, holds, label, at }) => {
    if (!routing?.ok || !holds('costCapUsd') || fields.costCapUsd !== undefined) return []
    const { id, can } = routing.route.provider
    return can.costCap ? [] : [at('costCapUsd',
      `${label} needs "costCapUsd" under ${limit}: ${id} cannot be ended at a cost${can.cost ? '' : ', and reports none'}`,
      'give it "costCapUsd", or set "unknownCost": "allow" in the budget', 'budget.unknown-cost')]
  })
}

function estimateFindings(parts: PlanParts, budget: Budget): Finding[] {
  const most = budget.maxEstimatedPromptTokens
  if (most === undefined || !parts.holds('budget')) return []
  const estimate = parts.workers.reduce((sum, { facts, fields, routing }) =>
    sum + (facts?.task === undefined || !routing?.ok ? 0 : estimatedTokens(promptOf(facts.task, fields.mode, routing.route))), 0)
  const path = parts.budget.maxEstimatedPromptTokens === undefined ? ['workers'] : ['budget', 'maxEstimatedPromptTokens']
  const message = `The tasks are estimated at ${estimate} prompt tokens, the budget's maxEstimatedPromptTokens is ${most}`
  return estimate <= most ? [] : [broken(path, message, 'shorten the tasks or raise the limit')]
}
