/** Which provider runs a worker: the named one, the first of the policy's order, or another where the policy conserves. Pure. */
import { nearest } from '../base/text.ts'
import { type Capabilities, type ProviderFacts, providerNamed, providerNames } from './capabilities.ts'
import { type Finding, quoted } from './finding.ts'
import type { Mode } from './plan.ts'
import type { Policy } from './policy.ts'
import { anyOf } from './wording.ts'

/** The word that leaves the choice to the policy. */
export const autoProvider = 'auto'

/** What routing looks at in a worker. */
export interface RoutedWorker {
  readonly provider: string
  readonly mode: Mode
  readonly model?: string | undefined
  readonly effort?: string | undefined
  readonly resume?: string | undefined
}

export interface Route {
  readonly provider: ProviderFacts
  /** What the plan asked for, as an id or `auto`. */
  readonly requested: string
  /** Why it is another than the one asked for. */
  readonly note?: string
}

export type Routing =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly fault: Pick<Finding, 'code' | 'message' | 'hint'> }

export type RoutingPolicy = Pick<Policy, 'providerOrder' | 'conserveProviders' | 'providerSwitch'>

/** How far a provider keeps a read-only worker from writing; a resumed session may differ. */
export const readOnlyBy = (can: Capabilities, isResumed: boolean): Capabilities['readOnly'] =>
  isResumed ? can.readOnlyOnResume ?? can.readOnly : can.readOnly

const refusal = (code: Finding['code'], message: string, hint: string): Routing => ({ ok: false, fault: { code, message, hint } })

/** True for `auto` and for every id and alias. */
export const isProviderName = (name: string, providers: readonly ProviderFacts[]): boolean =>
  name.trim().toLowerCase() === autoProvider || providerNamed(name, providers) !== undefined

/** Chooses the provider of a worker. Whether it can do the rest of the job is checked afterwards. */
export function routeOf(worker: RoutedWorker, policy: RoutingPolicy, providers: readonly ProviderFacts[]): Routing {
  if (worker.provider.trim().toLowerCase() === autoProvider) return firstFitting(worker, policy, providers)
  const named = providerNamed(worker.provider, providers)
  if (!named) return unknownProvider(worker.provider, providers)
  const asked: Routing = { ok: true, route: { provider: named, requested: named.id } }
  if (named.can.ownCommand || !policy.conserveProviders.includes(named.id) || policy.providerSwitch === 'never') return asked
  return policy.providerSwitch === 'ask'
    ? refusal('provider.conserved', `Provider "${named.id}" is marked for conservation`,
      'name another provider, or set providerSwitch to automatic in the policy')
    : replacement(named, worker, policy, providers)
}

/** Installed providers in the policy's order that are not conserved and can do the worker's mode. */
function candidates(worker: RoutedWorker, policy: RoutingPolicy, providers: readonly ProviderFacts[]): ProviderFacts[] {
  return policy.providerOrder
    .map(id => providerNamed(id, providers))
    .filter(provider => provider !== undefined)
    .filter(({ id, installed, can }) => installed && !can.ownCommand && !policy.conserveProviders.includes(id)
      && (worker.mode === 'write' || can.readOnly !== 'none'))
}

function firstFitting(worker: RoutedWorker, policy: RoutingPolicy, providers: readonly ProviderFacts[]): Routing {
  if (worker.resume) {
    return refusal('document.rule', 'A resumed session needs its own provider, not "auto"', 'name the provider of the session')
  }
  if (worker.model || worker.effort) {
    return refusal('document.rule', `Provider "auto" takes no ${worker.model ? 'model' : 'effort'}: it belongs to one provider`,
      'name the provider, or use a tier instead')
  }
  const [provider] = candidates(worker, policy, providers)
  if (provider) return { ok: true, route: { provider, requested: autoProvider, note: 'selected by provider order' } }
  const needed = worker.mode === 'read-only' ? 'a read-only' : 'this'
  return noneAvailable(`No installed, unconserved provider of the policy's order can run ${needed} worker`)
}

const noneAvailable = (message: string): Routing => refusal('provider.none-available', message, 'doctor')

function replacement(
  { id: conserved }: ProviderFacts, worker: RoutedWorker, policy: RoutingPolicy, providers: readonly ProviderFacts[],
): Routing {
  const provider = candidates(worker, policy, providers).find(({ id }) => id !== conserved)
  if (!provider) return noneAvailable(`No available provider can replace the conserved provider "${conserved}"`)
  const pinned = (['model', 'effort', 'resume'] as const).find(field => worker[field])
  const note = `conserved provider ${conserved} replaced (providerSwitch automatic)`
  if (!pinned) return { ok: true, route: { provider, requested: conserved, note } }
  const message = `Provider "${conserved}" is marked for conservation, and "${pinned}" keeps the worker from switching`
  return refusal('provider.conserved', message, `leave "${pinned}" out, or name another provider`)
}

function unknownProvider(name: string, providers: readonly ProviderFacts[]): Routing {
  const close = nearest(name, [...providerNames(providers), autoProvider])
  const hint = close ? `did you mean "${close}"?` : `providers: ${anyOf([...providers.map(({ id }) => id), autoProvider])}`
  return refusal('provider.unknown', `There is no provider ${quoted(name)}`, hint)
}
