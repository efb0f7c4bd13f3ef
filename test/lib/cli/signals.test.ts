import { Fail } from '../../../lib/base/fail.ts'
import { interruption, type SignalName } from '../../../lib/cli/signals.ts'
import { settableClock } from '../../../lib/io/clock.ts'
import { assert, suite } from '../../kit/check.ts'

const play = (...script: readonly (SignalName | number)[]): string[] => {
  const clock = settableClock()
  const told: string[] = []
  const on = interruption(clock, reason => { told.push(reason.message) }, () => { told.push('forced') })
  for (const step of script) {
    if (typeof step === 'number') clock.advance(step)
    else on(step)
  }
  return told
}

suite('signals', test => {
  test('interruption() tells the first signal once, however often one comes', () => {
    assert.equal(play('SIGTERM', 150, 'SIGTERM', 5_000, 'SIGTERM', 'SIGHUP'), ['Interrupted by SIGTERM'])
    assert.equal(play('SIGHUP', 'SIGTERM'), ['Interrupted by SIGHUP'])
    assert.equal(play('SIGINT', 20, 'SIGINT', 1_900, 'SIGINT'), ['Interrupted by SIGINT'])
  })

  test('interruption() is forced by a Ctrl-C two seconds later', () => {
    assert.equal(play('SIGINT', 2_000, 'SIGINT'), ['Interrupted by SIGINT', 'forced'])
    assert.equal(play('SIGTERM', 2_000, 'SIGINT'), ['Interrupted by SIGTERM', 'forced'])
  })

  test('interruption() gives a reason that ends a command as interrupted', () => {
    let reason: Error | undefined
    interruption(settableClock(), error => { reason = error }, () => undefined)('SIGINT')
    assert.instance(reason, Fail)
    assert.is(reason instanceof Fail && reason.exit, 130)
  })
})
