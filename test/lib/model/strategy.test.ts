import {
  concurrencyOf, inferStrategy, type SettledStrategy, strategiesTable, strategyFaults, strategyHint, strategyNamed, type StrategyWorker,
} from '../../../lib/model/strategy.ts'
import { assert, suite } from '../../kit/check.ts'

const reader: StrategyWorker = { mode: 'read-only', isolate: false }
const shared: StrategyWorker = { mode: 'write', isolate: false }
const isolated: StrategyWorker = { mode: 'write', isolate: true }
const resumed: StrategyWorker = { mode: 'write', isolate: false, resume: 's' }

suite('model/strategy', test => {
  const limits: [SettledStrategy, number, number][] =
    [['economy', 1, 1], ['balanced', 6, 3], ['quality', 6, 3], ['research', 1000, 64], ['parallel', 1000, 64], ['rescue', 1, 1]]
  for (const [strategy, workers, concurrent] of limits) {
    const worker = strategy === 'rescue' ? resumed : strategy === 'parallel' ? isolated : reader
    test(`strategyFaults() lets ${strategy} have ${workers} and no more`, () => {
      assert.equal(strategyFaults(strategy, Array<StrategyWorker>(workers).fill(worker), 2000), [])
      assert.is(strategyFaults(strategy, Array<StrategyWorker>(workers + 1).fill(worker), 2000).length, 1)
    })
    test(`concurrencyOf() runs ${concurrent} of ${strategy} at once unless policy or plan say less`, () => {
      assert.is(concurrencyOf(strategy, undefined, 1000), concurrent)
      assert.is(concurrencyOf(strategy, 1000, 1000), concurrent)
      assert.is(concurrencyOf(strategy, undefined, 1), 1)
      assert.is(concurrencyOf(strategy, 1, 1000), 1)
    })
  }

  test('strategyFaults() names whose limit it is', () => {
    assert.is(strategyFaults('balanced', Array<StrategyWorker>(7).fill(reader), 16)[0]?.message,
      'Strategy "balanced" allows at most 6 workers, the plan has 7')
    assert.is(strategyFaults('balanced', [reader, reader], 1)[0]?.message,
      'The policy\'s maxWorkers allows at most 1 worker, the plan has 2')
  })

  const inferred: [string, StrategyWorker[], SettledStrategy][] = [
    ['one worker', [shared], 'economy'], ['one resumed worker', [resumed], 'rescue'], ['readers', [reader, reader], 'research'],
    ['isolated writers', [isolated, isolated], 'parallel'],
      ['isolated writers and readers', [isolated, reader, isolated], 'parallel'],
    ['one isolated writer and a reader', [isolated, reader], 'balanced'],
      ['a shared writer among isolated ones', [isolated, isolated, shared], 'balanced'],
    ['a resumed worker among others', [resumed, reader], 'balanced'],
  ]
  for (const [title, workers, strategy] of inferred) {
    test(`inferStrategy() takes ${strategy} for ${title}`, () => {
      assert.is(inferStrategy(workers).strategy, strategy)
      assert.ok(inferStrategy(workers).reason)
    })
  }

  const aliases: [string, string | undefined][] = [
    ['save', 'economy'], ['cheap', 'economy'], ['thorough', 'quality'], ['review', 'quality'], ['explore', 'research'],
      ['read', 'research'], ['fast', 'parallel'],
    ['fanout', 'parallel'], ['resume', 'rescue'], ['recover', 'rescue'], ['AUTO', 'auto'], [' Quality ', 'quality'],
      ['constructor', undefined], ['__proto__', undefined], ['', undefined],
  ]
  for (const [name, strategy] of aliases) test(`strategyNamed() takes "${name}" as ${strategy}`,
    () => { assert.is(strategyNamed(name), strategy) })

  test('strategyHint() names the nearest, or all', () => {
    assert.is(strategyHint('ballanced'), 'did you mean "balanced"?')
    assert.is(strategyHint('xyz'), 'strategies: auto, economy, balanced, quality, research, parallel or rescue')
  })

  test('strategiesTable() lists every strategy with limits and words', () => {
    const table = strategiesTable()
    assert.equal(table.map(({ strategy, maxWorkers, maxConcurrent }) => [strategy, maxWorkers, maxConcurrent]),
      [['auto', 1000, 64], ...limits])
    assert.ok(table.every(({ description }) => description.length > 10))
  })
})
