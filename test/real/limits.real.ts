/** What a service refuses and tells of limits, as outcomes: the kind of failure, when it is over, and readings of the plan. */
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, clis, codex } from './install.ts'
import { calls } from './look.ts'

/** In two hours, in whole seconds since 1970. */
const reset = Math.floor(Date.now() / 1000) + 7_200
const resetTime = new Date(reset * 1000).toISOString()

realSuite('limits', test => {
  test('an answer 429 is rate_limited after the retries that the user allows', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[rate-limit]]' }] })
    const { status, failureKind, exitCode } = ran.outcome('a')
    assert.equal([ran.code, ran.status, status, failureKind, exitCode], [1, 'failed', 'failed', 'rate_limited', 1])
    // CLAUDE_CODE_MAX_RETRIES and request_max_retries are 1.
    assert.is(calls(rig.serverOf(cli).asked).length, 2)
  })

  test('a plan that is used up is rate_limited with the time of its reset, at once', claudes, async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: `[[plan-limit ${reset}]]` }] })
    const { status, failureKind, resetsAt, quota } = ran.outcome('a')
    assert.equal([status, failureKind, resetsAt], ['failed', 'rate_limited', resetTime])
    // 2.1.332 tells the percentage too.
    const { rejected, resetsAt: windowResetsAt } = quota?.windows['5h'] ?? {}
    assert.equal([rejected, windowResetsAt], [true, resetTime])
    assert.is(calls(rig.anthropic.asked).length, 1)
  }, { login: 'plan' })

  test('a plan that is used up is rate_limited and says when to try again', [codex], async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'codex', task: `[[plan-limit ${reset}]]` }] })
    const { status, failureKind, resetHint = '' } = ran.outcome('a')
    assert.equal([status, failureKind], ['failed', 'rate_limited'])
    assert.match(resetHint, /try again at/)
    assert.is(calls(rig.openai.asked).length, 1)
  })

  test('a plan that is nearly used up is a reading of the outcome', claudes, async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: `[[plan-warning ${reset}]]` }] })
    assert.is(ran.outcome('a').status, 'succeeded')
    assert.equal(ran.outcome('a').quota?.windows['5h'], { usedPercent: 92, resetsAt: resetTime })
  }, { login: 'plan' })

  test('an overloaded service is overloaded', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[overloaded]]' }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').failureKind], ['failed', 'overloaded'])
  })

  test('a failed worker does not take the good one beside it along', clis, async (rig, cli) => {
    const workers = [{ id: 'bad', provider: cli.program, task: '[[overloaded]]' }, { id: 'good', provider: cli.program, task: '[[say fine]]' }]
    const ran = await rig.run({ maxConcurrent: 2, workers })
    assert.equal([ran.code, ran.status, ran.outcome('bad').status, ran.outcome('good').status], [1, 'partial', 'failed', 'succeeded'])
  })
})
