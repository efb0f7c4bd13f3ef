import type { ProviderFacts } from '../../../lib/model/capabilities.ts'
import { routeOf, type RoutedWorker } from '../../../lib/model/routing.ts'
import type { Policy } from '../../../lib/model/policy.ts'
import { assert, suite } from '../../kit/check.ts'
import { policyWith, providerNamed, providers } from '../../kit/plans.ts'

/** `provider (note)` of a route, or `code: message`. */
function route(worker: Partial<RoutedWorker>, policy: Partial<Policy> = {}, known: readonly ProviderFacts[] = providers): string {
  const routing = routeOf({ provider: 'auto', mode: 'read-only', ...worker }, policyWith(policy), known)
  if (!routing.ok) return `${routing.fault.code}: ${routing.fault.message}`
  const { provider, requested, note } = routing.route
  return `${requested} -> ${provider.id}${note ? ` (${note})` : ''}`
}
const byOrder = 'selected by provider order'
const without = (...missing: string[]): ProviderFacts[] =>
  providers.map(each => ({ ...each, installed: !missing.includes(each.id) }))
const automatic = { conserveProviders: ['full'], providerSwitch: 'automatic' } as const

suite('model/routing', test => {
  const cases: [string, string, string][] = [
    ['takes a named provider', route({ provider: 'full' }), 'full -> full'],
    ['takes an alias', route({ provider: ' Full-cli ' }), 'full -> full'],
    ['takes a named provider that is not installed', route({ provider: 'full' }, {}, without('full')), 'full -> full'],
    ['takes the first by rank for auto', route({}), `auto -> metered (${byOrder})`],
    ['keeps to the policy\'s order', route({}, { providerOrder: ['bare', 'full'] }), `auto -> bare (${byOrder})`],
    ['passes over what is not installed', route({}, {}, without('metered', 'full')), `auto -> bare (${byOrder})`],
    ['passes over what is conserved', route({}, { conserveProviders: ['metered'] }), `auto -> full (${byOrder})`],
    ['passes over what cannot read only', route({}, { providerOrder: ['eager', 'bare'] }), `auto -> bare (${byOrder})`],
    ['takes it for a writer', route({ mode: 'write' }, { providerOrder: ['eager', 'bare'] }), `auto -> eager (${byOrder})`],
    ['never chooses one whose command line is in the plan', route({}, { providerOrder: ['own', 'full'] }),
      `auto -> full (${byOrder})`],
    ['refuses auto when nobody can read only', route({}, { providerOrder: ['eager'] }),
      'provider.none-available: No installed, unconserved provider of the policy\'s order can run a read-only worker'],
    ['refuses auto when nobody is there', route({ mode: 'write' }, {}, []),
      'provider.none-available: No installed, unconserved provider of the policy\'s order can run this worker'],
    ['refuses auto with a session', route({ resume: 's', model: 'm' }),
      'document.rule: A resumed session needs its own provider, not "auto"'],
    ['refuses auto with a model', route({ model: 'm' }),
      'document.rule: Provider "auto" takes no model: it belongs to one provider'],
    ['refuses auto with an effort', route({ effort: 'e' }),
      'document.rule: Provider "auto" takes no effort: it belongs to one provider'],
    ['asks before a conserved provider', route({ provider: 'full' }, { conserveProviders: ['full'] }),
      'provider.conserved: Provider "full" is marked for conservation'],
    ['asks for an alias of a conserved provider', route({ provider: 'full-cli' }, { conserveProviders: ['full'] }),
      'provider.conserved: Provider "full" is marked for conservation'],
    ['keeps a conserved provider where it never switches', route({ provider: 'full' }, { ...automatic, providerSwitch: 'never' }),
      'full -> full'],
    ['replaces a conserved provider', route({ provider: 'full' }, automatic),
      'full -> metered (conserved provider full replaced (providerSwitch automatic))'],
    ['does not replace it when a model pins it', route({ provider: 'full', model: 'm' }, automatic),
      'provider.conserved: Provider "full" is marked for conservation, and "model" keeps the worker from switching'],
    ['does not replace it when a session pins it', route({ provider: 'full', resume: 's' }, automatic),
      'provider.conserved: Provider "full" is marked for conservation, and "resume" keeps the worker from switching'],
    ['refuses when nobody can replace it', route({ provider: 'full' }, { ...automatic, providerOrder: ['full'] }),
      'provider.none-available: No available provider can replace the conserved provider "full"'],
    ['never replaces one whose command line is in the plan',
      route({ provider: 'own' }, { ...automatic, conserveProviders: ['own'] }), 'own -> own'],
    ['refuses an unknown provider', route({ provider: 'x\u001b' }), 'provider.unknown: There is no provider "x\\u001b"'],
  ]
  for (const [title, actual, expected] of cases) test(`routeOf() ${title}`, () => { assert.is(actual, expected) })

  test('routeOf() names the nearest provider or alias', () => {
    const routing = routeOf({ provider: 'metred', mode: 'write' }, policyWith(), [providerNamed('metered')])
    assert.is(routing.ok ? undefined : routing.fault.hint, 'did you mean "metered"?')
  })
})
