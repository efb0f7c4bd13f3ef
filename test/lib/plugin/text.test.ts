/** Text of agents made fit to show. */
import { plain, shorten } from '../../../lib/plugin/text.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

suite('plugin text', test => {
  test('plain() leaves one line without sequences, controls and direction marks', () => {
    assert.is(plain('a\r\nb\tc', 50), 'a b c')
    assert.is(plain('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007', 50), 'red link')
    assert.is(plain('\u0000a\u0007\u009b2Jb\u202ec\u2028d', 50), 'a bc d')
  })

  test('plain() is bounded, also for a text of many MiB', () => {
    const watch = stopwatch()
    assert.is(plain('x'.repeat(30_000_000), 10).length, 10)
    assert.is(plain('\u001b'.repeat(3_000_000), 10), '…')
    watch.under(1_000)
  })

  test('shorten() halves no character', () => {
    assert.is(shorten('ab🙂cd', 4), 'ab…')
    assert.is(shorten('ab🙂cd', 5), 'ab🙂…')
    assert.is(shorten('abcd', 4), 'abcd')
  })
})
