import { Fail } from '../../../lib/base/fail.ts'
import type { PolicyFile } from '../../../lib/model/policy.ts'
import { changedPolicy, limitNames, type PolicyChange } from '../../../lib/model/policy-change.ts'
import { assert, suite } from '../../kit/check.ts'
import { providers } from '../../kit/plans.ts'

const changed = (file: PolicyFile, change: PolicyChange): PolicyFile => changedPolicy(file, change, providers)
const refused = (file: PolicyFile, change: PolicyChange): string[] => {
  try {
    changed(file, change)
  } catch (error) {
    if (error instanceof Fail) return error.problems.map(({ code, message, hint }) => `${code} ${message} (${hint})`)
    throw error
  }
  return []
}
const marked = { version: 1, onboarded: true } as const

suite('model/policy-change', test => {
  test('changedPolicy() states what was asked for and nothing else, so that later defaults still reach the user', () => {
    assert.equal(changed({}, {}), marked, 'Set without anything agrees to the defaults')
    assert.equal(changed({ maxWorkers: 3, backend: 'mcp' }, { backend: 'skill', defaultStrategy: 'economy' }),
      { ...marked, maxWorkers: 3, backend: 'skill', defaultStrategy: 'economy' })
  })

  test('changedPolicy() replaces lists as a whole, and an empty one clears conservation', () => {
    const file: PolicyFile = { conserveProviders: ['full'], providerOrder: ['full', 'bare'] }
    assert.equal(changed(file, { conserveProviders: [], providerOrder: ['bare'] }), { ...marked, conserveProviders: [], providerOrder: ['bare'] })
  })

  test('changedPolicy() sets limits beside those that stand', () => {
    assert.equal(changed({ budget: { maxCalls: 3 } }, { maxReportedCostUsd: 2.5, unknownCost: 'allow' }).budget,
      { maxCalls: 3, maxReportedCostUsd: 2.5, unknownCost: 'allow' })
  })

  test('changedPolicy() removes named limits, or all without a name, before it sets others', () => {
    const file: PolicyFile = { budget: { maxCalls: 3, maxWallSeconds: 60, unknownCost: 'allow' } }
    assert.equal(changed(file, { clear: ['max-wall-seconds'] }).budget, { maxCalls: 3, unknownCost: 'allow' })
    assert.equal(changed(file, { clear: [], maxTotalTokens: 5 }).budget, { maxTotalTokens: 5, unknownCost: 'allow' })
    assert.equal(changed({ budget: { maxCalls: 3 } }, { clear: [] }), marked)
    assert.ok(limitNames.includes('max-reported-cost-usd'))
  })

  test('changedPolicy() keeps the other half of a tier', () => {
    const file: PolicyFile = { modelTiers: { cheap: { full: { effort: 'low' } } } }
    assert.equal(changed(file, { cheapModel: ['full=m', 'metered = x'], strongModel: ['full=big'] }).modelTiers,
      { cheap: { full: { effort: 'low', model: 'm' }, metered: { model: 'x' } }, strong: { full: { model: 'big' } } })
  })

  test('changedPolicy() refuses by the names of the options, everything at once', () => {
    assert.equal(refused({}, { providerOrder: ['ful'], conserveProviders: ['zzz'], maxReportedCostUsd: 0 }), [
      'usage.bad-value --max-reported-cost-usd: budget.maxReportedCostUsd must be a number above 0 and of at most 1000000, not 0 (undefined)',
      'usage.bad-value --provider-order: A policy cannot name the provider "ful" (did you mean "full"?)',
      'usage.bad-value --conserve-providers: A policy cannot name the provider "zzz" (providers: full, metered, bare or eager)',
    ])
    assert.equal(refused({}, { defaultStrategy: 'econ' }), ['usage.bad-value There is no strategy "econ" (did you mean "economy"?)'])
    assert.equal(refused({}, { providerOrder: [] }).length, 1)
  })

  test('changedPolicy() refuses a tier that is no pair, a model that is no name and a provider that is none', () => {
    for (const pair of ['full', 'full=', '=m', 'full=two words']) {
      assert.match(refused({}, { cheapModel: [pair] })[0] ?? '', 'usage.bad-value Option --cheap-model takes PROVIDER=MODEL', pair)
    }
    assert.match(refused({}, { strongModel: ['full=-x'] })[0] ?? '', '--strong-model')
    assert.match(refused({}, { cheapEffort: ['fool=low'] })[0] ?? '', /^usage.bad-value --cheap-\w+: A policy cannot name the provider "fool"/)
    assert.equal(refused({}, { cheapModel: ['__proto__=m'] }).length, 1)
  })
})
