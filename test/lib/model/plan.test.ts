import { assert, suite } from '../../kit/check.ts'
import { checkedPlan, planOf, planWith, shortly, worker } from '../../kit/plans.ts'

const shape = (path: string): string => `document.shape ${path}`
const long = (length: number): string => 'a'.repeat(length)

suite('model/plan limits', test => {
  /** A value that fits and one that is over, at the top of a plan. */
  const top: [string, unknown, unknown][] = [
    ['version', 1, 2], ['version', 1, '1'],
    ['title', 'x', ' '], ['why', 'x', ''], ['why', 'x', 3],
    ['playbook', 'openai/gpt-5.5', '-x'], ['playbook', long(128), long(129)], ['phase', 'a[1m]', 'a b'],
    ['maxConcurrent', 1, 0], ['maxConcurrent', 1000, 1001], ['maxConcurrent', 2, 1.5],
    ['defaultTimeoutSeconds', 1, 0], ['defaultTimeoutSeconds', 86_400, 86_401],
    ['strategy', 'Economy', 7], ['preset', 'save', ''],
  ]
  for (const [field, fits, over] of top) {
    test(`Plan takes ${field} ${JSON.stringify(fits).slice(0, 30)} and not ${JSON.stringify(over).slice(0, 30)}`, () => {
      assert.equal(shortly(planWith({ [field]: fits })), [])
      assert.ok(shortly(planWith({ [field]: over })).includes(shape(field)))
    })
  }

  const limits: [string, unknown, unknown][] = [
    ['maxCalls', 10_000, 10_001], ['maxCalls', 1, 0], ['maxWallSeconds', 86_400, 86_401], ['maxWallSeconds', 1, 0],
    ['maxEstimatedPromptTokens', 1e9, 0], ['maxReportedTokens', 1, 0.5], ['maxTotalTokens', 1, -1],
    ['maxReportedCostUsd', 0.01, 0], ['maxReportedCostUsd', 1e6, 1e7], ['unknownCost', 'allow', 'maybe'],
  ]
  for (const [field, fits, over] of limits) {
    test(`Budget takes ${field} ${JSON.stringify(fits)} and not ${JSON.stringify(over)}`, () => {
      assert.equal(shortly(planWith({ budget: { [field]: fits } })), [])
      assert.equal(shortly(planWith({ budget: { [field]: over } })), [shape(`budget.${field}`)])
    })
  }

  /** The same inside a worker; `more` makes the fitting value valid. */
  const own: [string, unknown, unknown, object?][] = [
    ['id', 'a', ''], ['id', long(64), long(65)], ['id', 'A.b_c-9', '.a'], ['id', 'a', 'a/b'], ['id', 'a', 'ä'],
    ['why', 'x', ''], ['provider', ' FULL ', ''], ['mode', 'write', 'readonly'], ['cwd', '~/x', ''], ['task', 'x', ' \n'],
    ['taskFile', 't.md', '', { task: undefined }],
    ['timeoutSeconds', 1, 0], ['timeoutSeconds', 86_400, 86_401], ['idleTimeoutSeconds', 5, 4],
      ['idleTimeoutSeconds', 86_400, 86_401],
    ['isolate', true, 'true', { mode: 'write' }], ['seedPaths', ['a'], ['']], ['seedPaths', [], 'a'],
    ['model', 'claude-opus-5-5[1m]', '--model'], ['model', long(128), long(129)], ['effort', 'high', 'very high'],
      ['tier', 'strong', 'best'],
    ['resume', 'a1-b2', 'a b'], ['mcp', true, 1], ['costCapUsd', 0.01, 0], ['costCapUsd', 1e6, 1e7],
    ['allowCommands', ['npm test'], ['npm test\nrm x'], { mode: 'write', isolate: true }],
      ['allowCommands', ['x'], [' '], { mode: 'write', isolate: true }],
    ['command', 'run', 'a\0b', { provider: 'own' }], ['args', ['', '-x'], ['a\0'], { provider: 'own', command: 'run' }],
    ['promptTransport', 'argument', 'file', { provider: 'own', command: 'run' }],
      ['outputFormat', 'jsonl', 'xml', { provider: 'own', command: 'run' }],
    ['allowUnsafe', true, 'yes', { provider: 'own', command: 'run' }],
  ]
  for (const [field, fits, over, more] of own) {
    test(`Worker takes ${field} ${JSON.stringify(fits).slice(0, 30)} and not ${JSON.stringify(over).slice(0, 30)}`, () => {
      const change = field === 'seedPaths' && Array.isArray(fits) && fits.length > 0 ? { ...more, mode: 'write',
        isolate: true } : more
      assert.equal(shortly(planOf(worker({ ...change, [field]: fits }))), [])
      assert.ok(shortly(planOf(worker({ ...change, [field]: over }))).some(line => line.startsWith(shape(`workers.0.${field}`))))
    })
  }

  test('Plan takes 1000 workers and not 1001, and not none', () => {
    const many = (count: number): string[] =>
      shortly(planOf(...Array.from({ length: count }, (_, n) => worker({ id: `w${n}` }))),
        { strategy: 'research' }).filter(line => line.startsWith('document.shape'))
    assert.equal([many(0), many(1000), many(1001)], [[shape('workers')], [], [shape('workers')]])
  })

  test('Plan takes null as left out, as earlier versions wrote it', () => {
    const nulls = planWith({ title: null, budget: null,
      workers: [worker({ model: null, taskFile: null, idleTimeoutSeconds: null, mode: null })] })
    assert.equal(shortly(nulls), [])
    assert.equal(checkedPlan(nulls), { version: 1, workers: [{ id: 'w1', provider: 'full', cwd: '.', task: 'do it' }] })
  })
})
