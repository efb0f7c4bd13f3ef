/**
 * A plan without faults as everything after it sees it: defaults filled in, provider, strategy, model and prompt of each worker
 * settled, with the reasons. Plain data: it survives a trip through JSON. Pure.
 */
import type { Budget } from './budget.ts'
import { defaultTimeoutSeconds, type Mode, type Plan, planVersion, type Worker } from './plan.ts'
import { type PlanFacts, promptOf, type WorkerFacts } from './plan-parts.ts'
import { estimatedTokens, mergedBudget, requestedStrategy, strategyWorker } from './plan-rules.ts'
import type { Policy } from './policy.ts'
import { type Route, routeOf } from './routing.ts'
import { safeSeedPath } from './seed-path.ts'
import { concurrencyOf, inferStrategy, type SettledStrategy, type Strategy } from './strategy.ts'
import { oneLine } from './texts.ts'
import { modelFor, type Tier } from './tiers.ts'

/** The command line of a worker whose provider takes it from the plan. */
export interface OwnCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly promptTransport: 'stdin' | 'argument'
  readonly outputFormat: 'text' | 'json' | 'jsonl'
  readonly allowUnsafe: boolean
}

export interface PlannedWorker {
  readonly id: string
  readonly why?: string
  /** The provider that runs it, by id. */
  readonly provider: string
  /** What the plan asked for, by id, or `auto`. */
  readonly requestedProvider: string
  readonly routingNote?: string
  readonly mode: Mode
  /** Absolute. */
  readonly cwd: string
  /** The task with the worker contract. */
  readonly prompt: string
  readonly estimatedPromptTokens: number
  readonly timeoutSeconds: number
  readonly idleTimeoutSeconds?: number
  readonly isolate: boolean
  readonly seedPaths: readonly string[]
  readonly model?: string
  readonly effort?: string
  readonly tier: Tier
  readonly modelNote: string
  readonly resume?: string
  readonly mcp: boolean
  readonly allowCommands: readonly string[]
  readonly costCapUsd?: number
  readonly own?: OwnCommand
}

export interface PlannedWave {
  readonly version: typeof planVersion
  readonly title?: string
  readonly why?: string
  readonly playbook?: string
  readonly phase?: string
  readonly strategy: SettledStrategy
  readonly requestedStrategy: Strategy
  readonly strategyReason: string
  readonly maxConcurrent: number
  readonly defaultTimeoutSeconds: number
  /** The plan's limits over the policy's. */
  readonly budget: Budget
  readonly policy: Policy
  readonly workers: readonly PlannedWorker[]
}

/** The members that are not undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> }
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Settles a plan in which `planFindings` found nothing. */
export function settlePlan(plan: Plan, facts: PlanFacts): PlannedWave {
  const requested = requestedStrategy(plan, facts)
  if (!requested) throw new Error('The strategy of a checked plan is known')
  const inferred = inferStrategy(plan.workers.map(strategyWorker))
  const isAuto = requested.strategy === 'auto'
  const strategy = requested.strategy === 'auto' ? inferred.strategy : requested.strategy
  const timeout = plan.defaultTimeoutSeconds ?? defaultTimeoutSeconds
  const { title, why, playbook, phase } = plan
  return {
    version: planVersion,
    ...given({ title: title && oneLine(title), why: why && oneLine(why), playbook, phase }),
    strategy, requestedStrategy: requested.strategy, strategyReason: isAuto ? `auto: ${inferred.reason}` : requested.by,
    maxConcurrent: concurrencyOf(strategy, plan.maxConcurrent, facts.policy.maxConcurrent), defaultTimeoutSeconds: timeout,
    budget: mergedBudget(plan.budget, facts), policy: facts.policy,
    workers: plan.workers.map((worker, index) => settleWorker(worker, facts.workers[index], { facts, strategy, timeout })),
  }
}

interface Settling { readonly facts: PlanFacts; readonly strategy: SettledStrategy; readonly timeout: number }

function settleWorker(worker: Worker, own: WorkerFacts | undefined, { facts, strategy, timeout }: Settling): PlannedWorker {
  const mode = worker.mode ?? 'read-only'
  const routing = routeOf({ ...worker, mode }, facts.policy, facts.providers)
  if (!routing.ok || own?.task === undefined) throw new Error(`Worker "${worker.id}" of a checked plan has a provider and a task`)
  const { route } = routing
  const { id, can } = route.provider
  const tier = tierOf(worker, strategy)
  const pinned = given({ model: worker.model, effort: worker.effort })
  const { note, ...model } = modelFor({ ...pinned, provider: id, tier }, facts.policy.modelTiers, can)
  const prompt = promptOf(own.task, mode, route)
  return {
    id: worker.id, ...given({ why: worker.why && oneLine(worker.why) }),
    provider: id, requestedProvider: route.requested, ...given({ routingNote: route.note }), mode, cwd: own.cwd,
    prompt, estimatedPromptTokens: estimatedTokens(prompt),
    timeoutSeconds: worker.timeoutSeconds ?? timeout, ...given({ idleTimeoutSeconds: worker.idleTimeoutSeconds }),
    isolate: worker.isolate ?? false, seedPaths: (worker.seedPaths ?? []).map(safeSeedPath).filter(path => path !== null),
    ...model, tier, modelNote: note, mcp: worker.mcp ?? false, allowCommands: worker.allowCommands ?? [],
    ...given({ resume: worker.resume, costCapUsd: worker.costCapUsd, own: ownCommand(worker, route) }),
  }
}

/** Strategy economy takes the cheap tier unless the plan says anything about the model. */
const tierOf = ({ tier, model, effort }: Worker, strategy: SettledStrategy): Tier =>
  tier ?? (strategy === 'economy' && model === undefined && effort === undefined ? 'cheap' : 'standard')

function ownCommand(worker: Worker, { provider }: Route): OwnCommand | undefined {
  const { command, args, promptTransport, outputFormat, allowUnsafe } = worker
  if (!provider.can.ownCommand || command === undefined) return undefined
  return {
    command, args: args ?? [], promptTransport: promptTransport ?? 'stdin', outputFormat: outputFormat ?? 'text',
    allowUnsafe: allowUnsafe ?? false,
  }
}
