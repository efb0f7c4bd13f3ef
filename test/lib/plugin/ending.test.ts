/** Verdicts over runs that came to no result. */
import { brokenOff, errorVerdict, exitSaysFailed, failed, unfinished, withoutResult } from '../../../lib/plugin/ending.ts'
import { assert, suite } from '../../kit/check.ts'
import { exit } from '../../kit/hostile.ts'

const kind = (verdict: ReturnType<typeof failed> | undefined): string => verdict === undefined ? 'none' : verdict.ok ? 'ok'
  : verdict.kind
const error = (verdict: ReturnType<typeof failed> | undefined): string => verdict === undefined || verdict.ok ? '' : verdict.error
const some = { events: 3, noise: 0 }
const none = { events: 0, noise: 0 }

suite('endings', test => {
  test('a failure has words that are safe to show, and never none', () => {
    assert.is(error(failed('error', `a\u001b[31m\nb${'x'.repeat(1000)}`)).length, 500)
    assert.is(error(failed('error', '\u0007 ')), 'The CLI reported an error without words')
    assert.equal(errorVerdict('Your quota will reset after 12h34m16s.'), {
      ok: false, kind: 'rate_limited', error: 'Your quota will reset after 12h34m16s.', resetHint: 'reset after 12h34m16s',
    })
    assert.is(kind(errorVerdict('2 tests failed')), 'error')
  })

  test('who ended it comes first, with the last retry', () => {
    for (const [ended, expected] of [['timeout', 'timed_out'], ['stalled', 'stalled'], ['stopped', 'stopped'],
      ['overflow', 'invalid_output']] as const) {
      assert.is(kind(withoutResult(some, exit({ ended, code: 1, stderrTail: 'error: not logged in' }))), expected)
    }
    assert.match(error(withoutResult({ ...some, lastRetry: '500 busy' }, exit({ ended: 'timeout' }))), /last retry: 500 busy$/)
  })

  test('a cut or broken line is named with its length', () => {
    assert.match(error(brokenOff({}, exit({ cutLine: 17_000_000 }))), '17000000')
    assert.match(error(withoutResult({ ...some, brokenBytes: 65_536 }, exit())), '65536')
    assert.is(brokenOff({}, exit()), undefined)
  })

  test('an unseen end is interrupted; a kill is one from outside unless the runner ended a process that had answered', () => {
    assert.is(kind(withoutResult(some, exit({ code: 'unseen' }))), 'interrupted')
    const bySignal = { code: null, signal: 'SIGKILL' } as const
    assert.match(error(unfinished({}, exit(bySignal))), 'killed by SIGKILL, not by the runner')
    assert.is(unfinished({}, exit({ ...bySignal, ended: 'lingered' })), undefined)
  })

  test('stderr tells the cause where nothing was printed, and only in an error line of its own where something was', () => {
    const stderrTail = 'Not logged in\n'
    assert.is(kind(withoutResult(none, exit({ code: 1, stderrTail }))), 'auth')
    assert.is(kind(withoutResult(none, exit({ stderrTail }))), 'auth')
    assert.is(kind(withoutResult(some, exit({ code: 1, stderrTail }))), 'error')
    assert.is(kind(withoutResult(some, exit({ code: 1, stderrTail: `x\nError: ${stderrTail}` }))), 'auth')
    assert.is(kind(withoutResult(some, exit({ stderrTail: 'Error: Session not found' }))), 'no_result')
    assert.is(kind(withoutResult(none, exit())), 'no_result')
    assert.is(kind(withoutResult({ events: 0, noise: 2 }, exit())), 'invalid_output')
  })

  test('an exit code says failed only when the process ended by itself and no signal stands behind it', () => {
    const says = [exit({ code: 1 }), exit({ code: 143 }), exit({ code: 0 }), exit({ code: null }), exit({ code: 'unseen' }),
      exit({ code: 1, ended: 'stopped' })]
    assert.equal(says.map(exitSaysFailed), [true, false, false, false, false, false])
  })
})
