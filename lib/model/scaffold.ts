/** A plan to fill in: valid as it stands, with TODO where only its author knows. Pure. */
import { Fail, fail } from '../base/fail.ts'
import { plural } from '../base/text.ts'
import type { ProviderFacts } from './capabilities.ts'
import { type Mode, type Plan, planVersion } from './plan.ts'
import { autoProvider, readOnlyBy, routeOf } from './routing.ts'
import { type SettledStrategy, strategies, strategyNamed, unknownStrategy } from './strategy.ts'

export interface ScaffoldWish {
  readonly strategy: string
  readonly workers: number
  /** Absolute. */
  readonly cwd: string
  readonly provider: string
}

const task = 'TODO: one bounded unit - goal, definition of done, owned paths, rules, checks.'

/** @throws Fail when such a plan could not be valid */
export function scaffold(wish: ScaffoldWish, providers: readonly ProviderFacts[]): Plan {
  const named = strategyNamed(wish.strategy)
  if (!named) throw unknownStrategy(wish.strategy)
  const strategy = named === 'auto' ? 'economy' : named
  const amount = named === 'auto' ? 1 : wish.workers
  const most = strategies[strategy].maxWorkers
  if (!Number.isInteger(amount) || amount < 1 || amount > most) {
    const range = most === 1 ? 'exactly 1 worker' : `1 to ${plural(most, 'worker')}`
    throw fail('usage.bad-value', `Strategy "${strategy}" takes ${range}, not ${amount}`)
  }
  const provider = chosen(wish.provider, providers)
  if (strategy === 'rescue' && !provider?.can.resume) {
    const why = provider ? `${provider.id} cannot resume a session` : 'the provider that the session belongs to must be named'
    const code = provider ? 'provider.cannot' : 'usage.missing-value'
    throw fail(code, `Cannot scaffold a rescue: ${why}`, { hint: 'pass --provider' })
  }
  const worker = {
    provider: provider?.id ?? autoProvider, cwd: wish.cwd, task,
    mode: modeFor(strategy, provider),
    ...(strategy === 'parallel' ? { isolate: true } : {}),
    ...(strategy === 'rescue' ? { resume: 'TODO-session-id' } : {}),
    ...(provider?.can.ownCommand ? { command: 'TODO-executable' } : {}),
  }
  const workers = Array.from({ length: amount }, (_, index) => ({ id: `worker-${index + 1}`, ...worker }))
  return { version: planVersion, strategy, workers }
}

/** Undefined for `auto`. */
function chosen(name: string, providers: readonly ProviderFacts[]): ProviderFacts | undefined {
  if (name.trim().toLowerCase() === autoProvider) return undefined
  const policy = { providerOrder: [], conserveProviders: [], providerSwitch: 'never' } as const
  const routing = routeOf({ provider: name, mode: 'write' }, policy, providers)
  if (!routing.ok) throw new Fail(routing.fault)
  return routing.route.provider
}

/** Writers where the strategy is about writing, or where the provider cannot work read-only. */
function modeFor(strategy: SettledStrategy, provider: ProviderFacts | undefined): Mode {
  if (strategy === 'parallel' || strategy === 'quality') return 'write'
  if (!provider || readOnlyBy(provider.can, strategy === 'rescue') !== 'none') return 'read-only'
  if (strategy !== 'research') return 'write'
  const message = `Cannot scaffold research on ${provider.id}: it cannot work read-only`
  throw fail('provider.cannot', message, { hint: 'pass --provider' })
}
