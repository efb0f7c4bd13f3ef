import * as v from 'valibot'
import { ArgText, characters, CommandText, NameText, oneLine } from '../../../lib/model/texts.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

suite('model/texts', test => {
  test('characters() counts code points', () => {
    assert.equal(['', 'abc', 'é', '😀a', '\ud800', '👨‍👩‍👧'].map(characters), [0, 3, 1, 2, 1, 5])
  })

  test('oneLine() keeps words and one space between them', () => { assert.is(oneLine(' a\n\tb  c '), 'a b c') })

  test('CommandText is one line that is not blank', () => {
    assert.equal(['npm test', ' x ', '', ' ', 'a\nb', 'a\rb', 'a\0'].map(text => v.is(CommandText, text)),
      [true, true, false, false, false, false, false])
  })

  test('ArgText may be empty and hold line breaks, but no NUL', () => {
    assert.equal(['', 'a\nb', '\0'].map(text => v.is(ArgText, text)), [true, true, false])
  })

  test('NameText begins with a letter or digit, so it is never an option', () => {
    assert.equal(['a', 'a/b:c@d+e[1m]', '-a', '', '../a', 'a b', 'a"'].map(text => v.is(NameText, text)),
      [true, true, false, false, false, false, false])
  })

  test('CommandText and ArgText stay fast on long hostile texts', () => {
    const watch = stopwatch()
    for (const text of [' '.repeat(1_000_000), `${'a '.repeat(500_000)}\n`,
      '\0'.repeat(1_000_000)]) assert.not.ok(v.is(CommandText, text))
    watch.under(1_000)
  })
})
