import { defaultPolicy } from '../../../lib/model/policy.ts'
import { policyText } from '../../../lib/report/policy-text.ts'
import { assert, suite } from '../../kit/check.ts'
import { providers } from '../../kit/plans.ts'

suite('report/policy-text', test => {
  test('policyText() says what holds and that nobody set it yet', () => {
    assert.is(policyText({ ...defaultPolicy(providers), path: '/c/orchestrate.json', exists: false }), [
      'policy     /c/orchestrate.json (no file: defaults)',
      'strategy   auto, backend auto, at most 16 workers, 4 at once',
      'providers  metered, full, bare, eager; conserved: none (switch: ask)',
      'budget     no limits',
    ].join('\n'))
  })

  test('policyText() names limits, deprecated tiers and where the former file is', () => {
    const policy = {
      ...defaultPolicy(providers), conserveProviders: ['full'], budget: { maxCalls: 3, maxReportedCostUsd: 2.5, unknownCost: 'allow' as const },
      modelTiers: { cheap: { full: { model: 'm', effort: 'low' } } }, path: '/p', exists: true, kept: '/p.old',
    }
    assert.is(policyText(policy), [
      'policy     /p (not set up yet)', 'kept       /p.old',
      'strategy   auto, backend auto, at most 16 workers, 4 at once',
      'providers  metered, full, bare, eager; conserved: full (switch: ask)',
      'budget     maxCalls 3, maxReportedCostUsd 2.5, unknown cost: allow',
      'tiers      cheap full=m low (deprecated: move them into the playbooks)',
    ].join('\n'))
  })
})
