import { settlePlan, type PlannedWave, type PlannedWorker } from '../../../lib/model/planned.ts'
import type { PlanFacts } from '../../../lib/model/plan-parts.ts'
import { assert, suite } from '../../kit/check.ts'
import { type Change, checkedPlan, factsFor, planOf, planWith, policyWith, worker } from '../../kit/plans.ts'

const settle = (plan: Change, facts: Partial<PlanFacts> = {}): PlannedWave => settlePlan(checkedPlan(plan), factsFor(plan, facts))
function first(change: Change, facts: Partial<PlanFacts> = {}): PlannedWorker {
  const [only] = settle(planOf(worker(change)), facts).workers
  if (!only) throw new Error('One worker was planned')
  return only
}
const tiers = { modelTiers: { cheap: { full: { model: 'small' } }, standard: { full: { model: 'medium' } } } }

suite('model/planned worker', test => {
  test('settlePlan() fills in every default', () => {
    const { prompt, estimatedPromptTokens, ...rest } = first({})
    assert.equal(rest, {
      id: 'w1', provider: 'full', requestedProvider: 'full', mode: 'read-only', cwd: '/place', timeoutSeconds: 1800,
        isolate: false, seedPaths: [],
      tier: 'cheap', modelNote: 'tier cheap: no model is set for full', mcp: false, allowCommands: [],
    })
    assert.ok(prompt.startsWith('do it\n\nRuntime contract:'))
    assert.is(estimatedPromptTokens, Math.ceil(prompt.length / 4))
  })

  test('settlePlan() keeps everything that the plan says', () => {
    const change = { why: ' a\n b ', mode: 'write', timeoutSeconds: 5, idleTimeoutSeconds: 70, isolate: true, seedPaths: ['x'],
      mcp: true, allowCommands: ['npm test'], costCapUsd: 1 }
    const settled = first({ ...change, model: 'm', effort: 'e' })
    assert.equal({ ...settled, ...change, why: 'a b', model: 'm', effort: 'e', tier: 'standard',
      modelNote: 'model m, effort e: named in the plan' }, settled)
    assert.is(first({ resume: 's' }).resume, 's')
  })

  test('settlePlan() gives the command line only to providers that take it', () => {
    assert.equal(first({ provider: 'own', command: 'run' }).own,
      { command: 'run', args: [], promptTransport: 'stdin', outputFormat: 'text', allowUnsafe: false })
    assert.is(first({}).own, undefined)
  })

  test('settlePlan() tells readers in the contract to write nothing, and gives own commands the exact task', () => {
    assert.ok(first({}).prompt.includes('read-only') && !first({ mode: 'write' }).prompt.includes('read-only'))
    assert.ok(first({ task: '/x' }).prompt.startsWith('Task: /x'))
    assert.ok(first({ provider: 'own', command: 'run', task: '/x' }).prompt.startsWith('/x\n'))
  })

  test('settlePlan() counts prompt tokens of characters, an emoji being one', () => {
    assert.is(first({ task: '😀'.repeat(400) }).estimatedPromptTokens, first({ task: 'x'.repeat(400) }).estimatedPromptTokens)
  })

  test('settlePlan() says why a worker runs elsewhere than asked', () => {
    const auto = first({ provider: 'AUTO' })
    assert.equal([auto.provider, auto.requestedProvider, auto.routingNote], ['metered', 'auto', 'selected by provider order'])
    const moved = first({ provider: 'full-cli' },
      { policy: policyWith({ conserveProviders: ['full'], providerSwitch: 'automatic' }) })
    assert.equal([moved.provider, moved.requestedProvider], ['metered', 'full'])
    assert.ok(moved.routingNote?.includes('full'))
  })

  const models: [string, Change, string, string | undefined][] = [
    ['the cheap tier under economy', {}, 'cheap', 'small'], ['the tier of the plan', { tier: 'standard' }, 'standard', 'medium'],
    ['no tier for a pinned model', { model: 'm' }, 'standard', 'm'],
      ['no cheap tier for a pinned effort', { effort: 'e' }, 'standard', 'medium'],
    ['the standard tier in a rescue', { resume: 's' }, 'standard', 'medium'],
  ]
  for (const [title, change, tier, model] of models) {
    test(`settlePlan() takes ${title}`, () => {
      const settled = first(change, { policy: policyWith(tiers) })
      assert.equal([settled.tier, settled.model], [tier, model])
    })
  }
})

suite('model/planned wave', test => {
  const two = [worker({ id: 'a' }), worker({ id: 'b' })]

  test('settlePlan() tells what the wave is', () => {
    const { workers: _, policy: __,
      ...rest } = settle(planWith({ title: ' a  title ', why: 'a\n why', playbook: 'p', phase: 'q', workers: two }))
    assert.equal(rest, {
      version: 1, title: 'a title', why: 'a why', playbook: 'p', phase: 'q', strategy: 'research', requestedStrategy: 'auto',
        strategyReason: 'auto: 2 read-only workers',
      maxConcurrent: 4, defaultTimeoutSeconds: 1800, budget: {},
    })
  })

  const reasons: [string, Change, Partial<PlanFacts>, string][] = [
    ['the command line', { strategy: 'research' }, { strategy: 'quality' }, 'quality: asked for by --strategy'],
    ['the plan', { strategy: 'explore' }, {}, 'research: asked for by the plan'],
    ['the old name', { preset: 'thorough' }, {}, 'quality: asked for by the plan'],
    ['the policy', {}, { policy: policyWith({ defaultStrategy: 'balanced' }) }, 'balanced: the policy\'s default'],
  ]
  for (const [title, change, facts, expected] of reasons) {
    test(`settlePlan() takes the strategy of ${title}`, () => {
      const { strategy, strategyReason } = settle(planWith({ ...change, workers: two }), facts)
      assert.is(`${strategy}: ${strategyReason}`, expected)
    })
  }

  test('settlePlan() runs as many at once as plan, strategy and policy allow', () => {
    assert.is(settle(planWith({ maxConcurrent: 2, workers: two })).maxConcurrent, 2)
    assert.is(settle(planWith({ maxConcurrent: 900, workers: two })).maxConcurrent, 4)
    assert.is(settle(planWith({ strategy: 'quality', maxConcurrent: 900, workers: two }),
      { policy: policyWith({ maxConcurrent: 99 }) }).maxConcurrent, 3)
  })

  test('settlePlan() puts the plan\'s limits over the policy\'s', () => {
    const policy = policyWith({ budget: { maxCalls: 9, maxWallSeconds: 60 } })
    assert.equal(settle(planWith({ budget: { maxCalls: 2 } }), { policy }).budget, { maxCalls: 2, maxWallSeconds: 60 })
  })

  test('settlePlan() uses the plan\'s time-out where a worker has none', () => {
    const { workers } = settle(planWith({ defaultTimeoutSeconds: 60,
      workers: [worker({ id: 'a' }), worker({ id: 'b', timeoutSeconds: 7 })] }))
    assert.equal(workers.map(({ timeoutSeconds }) => timeoutSeconds), [60, 7])
  })

  test('settlePlan() gives plain data', () => {
    const plan = settle(planWith({ workers: two }))
    assert.equal(JSON.parse(JSON.stringify(plan)), plan)
  })
})
