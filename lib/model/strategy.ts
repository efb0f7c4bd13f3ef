/**
 * Strategies: how many workers a plan may have, how many at once, and of which kind. `auto` becomes the one that fits. Pure.
 */
import { type Fail, fail } from '../base/fail.ts'
import { nearest, plural } from '../base/text.ts'
import { quoted } from './finding.ts'
import { anyOf } from './wording.ts'

/** Most workers of a plan, whatever the strategy. */
export const mostWorkers = 1_000

export const strategies = {
  auto: { maxWorkers: mostWorkers, maxConcurrent: 64, description: 'Becomes the smallest strategy that fits the workers' },
  economy: { maxWorkers: 1, maxConcurrent: 1, description: 'One worker, on the cheap tier unless the plan says otherwise' },
  balanced: { maxWorkers: 6, maxConcurrent: 3, description: 'A few workers of any kind' },
  quality: { maxWorkers: 6, maxConcurrent: 3, description: 'Work with reviews or second opinions' },
  research: { maxWorkers: mostWorkers, maxConcurrent: 64, description: 'Read-only workers side by side' },
  parallel: { maxWorkers: mostWorkers, maxConcurrent: 64, description: 'Writers side by side, each in its own worktree' },
  rescue: { maxWorkers: 1, maxConcurrent: 1, description: 'One worker that goes on in an earlier session' },
} as const

export type Strategy = keyof typeof strategies
export type SettledStrategy = Exclude<Strategy, 'auto'>

export const strategyAliases: Readonly<Record<string, Strategy>> = {
  save: 'economy', cheap: 'economy', thorough: 'quality', review: 'quality', explore: 'research', read: 'research',
  fast: 'parallel', fanout: 'parallel', resume: 'rescue', recover: 'rescue',
}

const isStrategy = (name: string): name is Strategy => Object.hasOwn(strategies, name)
const names = Object.keys(strategies)

/** The strategy that a name or alias means, whatever its case. */
export function strategyNamed(name: string): Strategy | undefined {
  const wanted = name.trim().toLowerCase()
  if (isStrategy(wanted)) return wanted
  return Object.hasOwn(strategyAliases, wanted) ? strategyAliases[wanted] : undefined
}

/** What to say about a name that is no strategy. */
export function strategyHint(name: string): string {
  const close = nearest(name, [...names, ...Object.keys(strategyAliases)])
  return close ? `did you mean "${close}"?` : `strategies: ${anyOf(names)}`
}

/** The refusal of a command line's strategy. */
export const unknownStrategy = (name: string): Fail =>
  fail('usage.bad-value', `There is no strategy ${quoted(name)}`, { hint: strategyHint(name) })

/** What strategies look at in a worker. */
export interface StrategyWorker { readonly mode: 'read-only' | 'write'; readonly isolate: boolean; readonly resume?: string }

export interface Inferred { readonly strategy: SettledStrategy; readonly reason: string }

/** The strategy that fits the workers, and why. */
export function inferStrategy(workers: readonly StrategyWorker[]): Inferred {
  const [first] = workers
  if (workers.length === 1 && first) {
    return first.resume
      ? { strategy: 'rescue', reason: 'one worker that resumes a session' }
      : { strategy: 'economy', reason: 'one new worker' }
  }
  const writers = workers.filter(({ mode }) => mode === 'write')
  if (writers.length === 0) return { strategy: 'research', reason: `${workers.length} read-only workers` }
  const areIsolated = writers.every(({ isolate }) => isolate)
  if (writers.length >= 2 && areIsolated) return { strategy: 'parallel', reason: `${writers.length} isolated writers` }
  return { strategy: 'balanced', reason: writers.length === 1 ? 'one writer beside readers' : 'writers that share a checkout' }
}

/** Something that a strategy refuses: of the whole plan, or of one worker's field. */
export interface StrategyFault {
  readonly worker?: number
  readonly field?: 'mode' | 'isolate' | 'resume'
  readonly message: string
  readonly hint?: string
}

/** What a strategy and the policy's cap refuse. */
export function strategyFaults(
  strategy: SettledStrategy, workers: readonly StrategyWorker[], policyMost: number,
): StrategyFault[] {
  const own = strategies[strategy].maxWorkers
  const most = Math.min(own, policyMost)
  const faults: StrategyFault[] = []
  if (workers.length > most) {
    const [whose, hint] = own <= policyMost
      ? [`Strategy "${strategy}"`, 'name another strategy or split the plan']
      : ['The policy\'s maxWorkers', 'split the plan, or raise maxWorkers in the policy']
    faults.push({ message: `${whose} allows at most ${plural(most, 'worker')}, the plan has ${workers.length}`, hint })
  }
  workers.forEach((worker, index) => {
    if (strategy === 'research' && worker.mode === 'write') {
      faults.push({ worker: index, field: 'mode', message: 'Strategy "research" takes read-only workers only' })
    }
    if (strategy === 'parallel' && worker.mode === 'write' && !worker.isolate) {
      faults.push({ worker: index, field: 'isolate', message: 'Strategy "parallel" needs "isolate": true on every writer' })
    }
  })
  if (strategy === 'rescue' && workers.length === 1 && !workers[0]?.resume) {
    faults.push({ worker: 0, field: 'resume', message: 'Strategy "rescue" needs "resume" with the session to go on with' })
  }
  return faults
}

/** How many workers run at once: what was asked for, as far as strategy and policy allow. */
export const concurrencyOf = (strategy: SettledStrategy, requested: number | undefined, policyMaxConcurrent: number): number =>
  Math.min(requested ?? strategies[strategy].maxConcurrent, strategies[strategy].maxConcurrent, policyMaxConcurrent)

export interface StrategyRow {
  readonly strategy: string
  readonly maxWorkers: number
  readonly maxConcurrent: number
  readonly description: string
}

/** Every strategy with its limits, for people. */
export const strategiesTable = (): StrategyRow[] =>
  Object.entries(strategies).map(([strategy, rules]) => ({ strategy, ...rules }))
