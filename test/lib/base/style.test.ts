import { forScreen, paint } from '../../../lib/base/style.ts'
import { width } from '../../../lib/base/text.ts'
import { assert, suite } from '../../kit/check.ts'

suite('style', test => {
  test('paint() colours on a screen with colour and leaves no trace elsewhere', () => {
    const text = `${paint('red', 'bad')} and ${paint('bold', 'good')}`
    assert.is(forScreen(text, { color: true }), '\u001b[31mbad\u001b[0m and \u001b[1mgood\u001b[0m')
    assert.is(forScreen(text, { color: false }), 'bad and good')
    assert.is(width(text), width('bad and good'))
  })

  test('forScreen() lets no sequence of the text through, coloured or not', () => {
    const hostile = paint('dim', 'a\u001b[8mhidden\u001b]0;t\u0007')
    assert.is(forScreen(hostile, { color: true }), '\u001b[2mahidden\u001b[0m')
    assert.is(forScreen(hostile, { color: false }), 'ahidden')
  })

  test('forScreen() ends a forged mark with its line and ignores marks of no style', () => {
    assert.is(forScreen('\ufdd2red\nplain', { color: true }), '\u001b[31mred\u001b[0m\nplain')
    assert.is(forScreen('a\ufde0b', { color: true }), 'a\u001b[0mb\u001b[0m')
  })
})
