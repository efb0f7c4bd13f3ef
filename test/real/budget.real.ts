/** Limits on money: the CLI that can hold one gets it, what was spent is counted, and nothing starts when it is used up. */
import { assert } from '../kit/check.ts'
import { claudeAnswerUsd } from './anthropic.ts'
import { realSuite } from './each.ts'
import { claudes, codex } from './install.ts'
import { field } from './json.ts'
import { calls } from './look.ts'

const near = (actual: number | undefined, expected: number): void => assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-6, `${actual} is not ${expected}`)

realSuite('budgets', test => {
  test('a worker\'s cost cap ends the CLI after the call that passes it', claudes, async rig => {
    // Each call costs about 1.50 US dollars; without the cap there would be three.
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[costly]]', costCapUsd: 2 }] })
    const { status, failureKind, error = '', metrics, costCapUsd } = ran.outcome('a')
    assert.equal([ran.code, status, failureKind, costCapUsd], [1, 'failed', 'budget', 2])
    assert.match(error, /maximum budget \(\$2(?:\.00)?\)/)
    assert.is(calls(rig.anthropic.asked).length, 2)
    near(metrics.totalCostUsd, 2 * (claudeAnswerUsd + (100_000 - 40) * 15 / 1e6))
  })

  test('a worker within its cap succeeds and its cost is that of the price list', claudes, async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[say cheap]]', costCapUsd: 0.5 }] })
    assert.is(ran.status, 'done')
    near(ran.outcome('a').metrics.totalCostUsd, claudeAnswerUsd)
  })

  test('the cap of a resumed session counts from the resume', claudes, async rig => {
    const first = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[say first]]' }] })
    const resume = first.outcome('a').sessionId!
    const ran = await rig.run({ workers: [{ id: 'b', provider: 'claude', task: '[[say second]]', resume, costCapUsd: 0.01 }] })
    assert.is(ran.outcome('b').status, 'succeeded')
  })

  test('a wave whose money is spent starts no further worker', claudes, async rig => {
    const workers = ['a', 'b'].map(id => ({ id, provider: 'claude', task: '[[costly]]' }))
    const ran = await rig.run({ maxConcurrent: 1, budget: { maxReportedCostUsd: 1 }, workers })
    assert.equal([ran.outcome('a').failureKind, ran.outcome('b').status, ran.outcome('b').failureKind], ['budget', 'skipped', 'budget'])
    assert.is(calls(rig.anthropic.asked).length, 1)
    near(ran.budgetUsage?.['reportedCostUsd'], claudeAnswerUsd + (100_000 - 40) * 15 / 1e6)
  })

  test('a CLI that tells no cost is refused under a cost limit, before it starts', [codex], async rig => {
    const plan = await rig.plan({ budget: { maxReportedCostUsd: 1 }, workers: [{ id: 'a', provider: 'codex', task: '[[say hi]]' }] })
    const { code, said } = await rig.ask('run', plan)
    assert.equal([code, field(said, 'error', 'code')], [2, 'budget.unknown-cost'])
    assert.is(rig.openai.asked.length, 0)
  })
})
