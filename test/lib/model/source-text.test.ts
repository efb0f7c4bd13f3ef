import { sourceText } from '../../../lib/model/source-text.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

suite('model/source-text', test => {
  const at = (text: string, offset: number): string => {
    const { line, column } = sourceText('f', text).place(offset)
    return `${line}:${column}`
  }
  const cases: [string, string, number, string][] = [
    ['counts from 1', 'ab', 0, '1:1'],
    ['ends lines at LF', 'a\nb', 2, '2:1'],
    ['ends lines at CRLF once', 'a\r\nb', 3, '2:1'],
    ['ends lines at CR', 'a\rb', 2, '2:1'],
    ['counts a letter of two bytes as one column', 'éx', 1, '1:2'],
    ['counts an emoji of two units as one column', '😀x', 2, '1:2'],
    ['forgets the emoji of earlier lines', '😀\n😀x', 5, '2:2'],
    ['has a place after the last character', 'ab', 2, '1:3'],
    ['has a place in an empty text', '', 0, '1:1'],
  ]
  for (const [title, text, offset, place] of cases) test(`place() ${title}`, () => { assert.is(at(text, offset), place) })

  test('lineText() gives a line without its end', () => {
    const { lineText } = sourceText('f', 'one\r\ntwo\n\nfour')
    assert.equal([0, 1, 2, 3, 4, 5].map(lineText), ['', 'one', 'two', '', 'four', ''])
  })

  test('place() stays fast for many offsets in one long line', () => {
    const source = sourceText('f', '😀'.repeat(1_000_000))
    const watch = stopwatch()
    for (let offset = 0; offset < 2_000_000; offset += 200) source.place(offset)
    watch.under(1_000)
  })
})
