import { problemsOf, readDocument } from '../../../lib/model/document.ts'
import { assert, suite } from '../../kit/check.ts'
import { type Change, findingsOf, planOf, planWith, policyWith, providerNamed, shortly, worker } from '../../kit/plans.ts'

const rule = (path: string): string => `document.rule ${path}`
const writer = (id: string, change: Change = {}): Change => worker({ id, mode: 'write', isolate: true, ...change })
const readers = (count: number): Change[] => Array.from({ length: count }, (_, n) => worker({ id: `r${n}` }))

suite('model/plan-rules between workers', test => {
  test('planFindings() refuses an id twice, whatever the case, at the later one', () => {
    assert.equal(findingsOf(planOf(worker({ id: 'Scout' }), worker({ id: 'b' }),
      worker({ id: 'sCOUT' }))).map(({ path, message }) => [path, message]),
      [[['workers', 2, 'id'], 'The id "sCOUT" is that of workers.0; case does not count']])
  })

  test('planFindings() refuses one session for two workers', () => {
    assert.equal(shortly(planOf(worker({ id: 'a', resume: 's' }), worker({ id: 'b', resume: 'S' }),
      worker({ id: 'c', resume: 's' }))), [rule('workers.2.resume')])
  })

  test('planFindings() compares ids although other fields are broken', () => {
    assert.ok(shortly(planOf(worker({ id: 'a', mode: 1 }), worker({ id: 'a', cwd: 2 }))).includes(rule('workers.1.id')))
  })

  test('planFindings() limits title to 120 and why to 300 characters', () => {
    assert.equal(shortly(planWith({ title: 'é'.repeat(120), why: 'x'.repeat(300) })), [])
    assert.equal(shortly(planWith({ title: 'é'.repeat(121), why: 'x'.repeat(301) })), [rule('title'), rule('why')])
  })
})

suite('model/plan-rules strategy', test => {
  const cases: [string, Change, string[]][] = [
    ['refuses strategy beside preset', planWith({ strategy: 'economy', preset: 'save' }), [rule('preset')]],
    ['takes preset alone', planWith({ preset: 'save' }), []],
    ['refuses an unknown strategy', planWith({ strategy: 'econmy' }), [rule('strategy')]],
    ['refuses an unknown preset', planWith({ preset: 'x' }), [rule('preset')]],
    ['takes a name of any case', planWith({ strategy: ' ECONOMY ' }), []],
    ['allows economy 1 worker', planWith({ strategy: 'economy', workers: readers(1) }), []],
    ['allows economy no 2 workers', planWith({ strategy: 'economy', workers: readers(2) }), [rule('strategy')]],
    ['allows balanced 6 workers', planWith({ strategy: 'balanced', workers: readers(6) }), []],
    ['allows balanced no 7 workers', planWith({ strategy: 'balanced', workers: readers(7) }), [rule('strategy')]],
    ['allows quality no 7 workers', planWith({ preset: 'review', workers: readers(7) }), [rule('preset')]],
    ['allows research as many as the policy', planWith({ strategy: 'research', workers: readers(16) }), []],
    ['allows research no more than the policy', planWith({ strategy: 'research', workers: readers(17) }), [rule('strategy')]],
    ['counts workers of auto too, at the workers', planWith({ workers: readers(17) }), [rule('workers')]],
    ['refuses each writer of research',
      planWith({ strategy: 'research', workers: [worker({ id: 'a' }), writer('b'), writer('c')] }),
      [rule('workers.1.mode'), rule('workers.2.mode')]],
    ['refuses each shared writer of parallel',
      planWith({ strategy: 'parallel', workers: [writer('a'), writer('b', { isolate: false })] }),
      [rule('workers.1.isolate')]],
    ['takes readers in parallel', planWith({ strategy: 'parallel', workers: [writer('a'), worker({ id: 'b' })] }), []],
    ['needs a session for rescue', planWith({ strategy: 'rescue' }), [rule('workers.0.resume')]],
    ['takes a session for rescue', planWith({ strategy: 'rescue', workers: [worker({ resume: 's' })] }), []],
    ['refuses two workers of rescue',
      planWith({ strategy: 'rescue', workers: [worker({ id: 'a', resume: 's' }), worker({ id: 'b' })] }), [rule('strategy')]],
  ]
  for (const [title, plan, expected] of cases) test(`planFindings() ${title}`, () => { assert.equal(shortly(plan), expected) })

  test('planFindings() lets the command line win over both names', () => {
    assert.equal(shortly(planWith({ strategy: 'research', preset: 'save', workers: [writer('a')] }), { strategy: 'balanced' }),
      [])
  })

  test('planFindings() uses the policy\'s default and its cap', () => {
    assert.equal(shortly(planOf(...readers(2)), { policy: policyWith({ defaultStrategy: 'economy' }) }), [rule('workers')])
    const messages = findingsOf(planOf(...readers(3)), { policy: policyWith({ maxWorkers: 2 }) }).map(({ message }) => message)
    assert.equal(messages, ['The policy\'s maxWorkers allows at most 2 workers, the plan has 3'])
  })

  test('planFindings() infers nothing while a worker is broken', () => {
    assert.equal(shortly(planWith({ strategy: 'rescue', workers: [worker({ mode: 'x' })] })), ['document.shape workers.0.mode'])
    assert.equal(shortly(planWith({ strategy: 'rescue', workers: ['x', worker()] })), ['document.shape workers.0'])
  })
})

suite('model/plan-rules budget', test => {
  const policy = policyWith({ budget: { maxCalls: 5, maxReportedCostUsd: 2, unknownCost: 'refuse' } })
  const over = planWith({ budget: { maxCalls: 6, maxReportedCostUsd: 2.5, maxWallSeconds: 99, unknownCost: 'allow' } })

  test('planFindings() refuses each limit above the policy\'s, naming both', () => {
    assert.equal(findingsOf(over, { policy }).map(({ code, message }) => `${code}: ${message}`), [
      'budget.over-policy: The plan\'s maxCalls 6 is above the policy\'s 5',
        'budget.over-policy: The plan\'s maxReportedCostUsd 2.5 is above the policy\'s 2',
      'budget.over-policy: The plan\'s unknownCost "allow" is above the policy\'s "refuse"'])
  })

  test('planFindings() lets a plan lower limits, repeat them and exceed them when that is asked for', () => {
    assert.equal(shortly(planWith({ budget: { maxCalls: 5, maxReportedCostUsd: 0.5 } }), { policy }), [])
    assert.equal(shortly(over, { policy, overPolicy: true }), [])
  })

  const costs: [string, Change, Change, string[]][] = [
    ['takes a provider that caps its cost', { provider: 'full' }, {}, []],
    ['refuses one that neither caps nor reports', { provider: 'metered' }, {}, ['budget.unknown-cost workers.0.costCapUsd']],
    ['takes it with a cap of its own', { provider: 'metered', costCapUsd: 1 }, {}, []],
    ['takes it when unknown costs are allowed', { provider: 'metered' }, { unknownCost: 'allow' }, []],
    ['refuses it when they are refused', { provider: 'bare' }, { unknownCost: 'refuse' },
      ['budget.unknown-cost workers.0.costCapUsd']],
    ['looks at the chosen provider of auto', { provider: 'auto' }, {}, ['budget.unknown-cost workers.0.costCapUsd']],
  ]
  for (const [title, change, budget, expected] of costs) {
    test(`planFindings() under a cost limit ${title}`, () => {
      assert.equal(shortly(planWith({ workers: [worker(change)], budget: { maxReportedCostUsd: 2, ...budget } })), expected)
    })
  }

  test('planFindings() asks no cap where the CLI caps, and one where it only reports afterwards what it cost', () => {
    const plan = planWith({ workers: [worker({ provider: 'metered' })], budget: { maxReportedCostUsd: 2 } })
    const found = (can: object): string[] => shortly(plan, { providers: [providerNamed('metered', can)] })
    assert.equal([found({ costCap: true }), found({ cost: true })], [[], ['budget.unknown-cost workers.0.costCapUsd']])
  })

  test('planFindings() asks no cap of anyone without a cost limit, and one under the policy\'s limit', () => {
    assert.equal(shortly(planOf(worker({ provider: 'metered' }))), [])
    assert.equal(shortly(planOf(worker({ provider: 'metered' })), { policy }), ['budget.unknown-cost workers.0.costCapUsd'])
  })

  test('planFindings() adds up the estimates of all tasks, contract included', () => {
    const plan = (maxEstimatedPromptTokens: number): string[] =>
      findingsOf(planWith({ workers: readers(2), budget: { maxEstimatedPromptTokens } })).map(({ path, message }) =>
        `${path.join('.')} ${message}`)
    const estimate = Number(/at (\d+)/.exec(plan(1)[0] ?? '')?.[1])
    assert.ok(estimate > 100 && estimate % 2 === 0)
    assert.equal(plan(estimate), [])
    assert.equal(plan(estimate - 1), [`budget.maxEstimatedPromptTokens The tasks are estimated at ${estimate} prompt tokens, `
      + `the budget's maxEstimatedPromptTokens is ${estimate - 1}`])
  })

  test('planFindings() checks limits that hold although another is broken', () => {
    assert.equal(shortly(planWith({ budget: { maxCalls: 6, maxWallSeconds: 'x' } }), { policy }),
      ['document.shape budget.maxWallSeconds', 'budget.over-policy budget.maxCalls'])
  })
})

suite('model/plan-rules order', test => {
  test('problemsOf() sorts shape and rules by position and tells one of each path', () => {
    const plan = planWith({ workers: [worker({ isolate: true, tires: 1, timeoutSeconds: 0 })], title: 'x'.repeat(121) })
    const document = readDocument(JSON.stringify(plan, null, 1), 'plan.json')
    const problems = problemsOf(document, [...findingsOf(plan), ...findingsOf(plan)])
    assert.equal(problems.map(({ path, place }) => `${place?.line} ${path}`),
      ['9 workers.0.isolate', '10 workers.0.tires', '11 workers.0.timeoutSeconds', '14 title'])
  })
})
