/** Folds over output of unknown programs. */
import { documentFold, type Fold, linesFold, longestText, textFold } from '../../../lib/plugin/text-fold.ts'
import { assert, suite } from '../../kit/check.ts'
import { lineOf } from '../../kit/reading.ts'

const fed = (fold: Fold, ...events: readonly unknown[]) => {
  const signs = events.map(event => fold.line(lineOf(event))?.sign ?? null)
  return { ...fold.finish(), signs }
}
const piece = (text: string, more = {}) => ({ type: 'text', part: { text }, ...more })

suite('output folds', test => {
  test('text keeps its lines, and its end when it is long', () => {
    assert.is(fed(textFold(), '\u001b[1ma\u001b[0m', '', '  b').text, 'a\n\n  b')
    const long = fed(textFold(), ...Array.from({ length: 40 }, (_, n) => `${n}${'x'.repeat(100_000)}`))
    assert.equal([long.text.length, long.cutFrom], [longestText - 1, 4_000_110])
  })

  test('pieces are put together, a whole message starts anew', () => {
    assert.is(fed(linesFold(), piece('a'), piece('b'), { type: 'assistant', content: 'c' }, piece('d'), piece('e')).text, 'd\ne')
    const delta = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
    assert.is(fed(linesFold(), delta('Hel'), delta('lo')).text, 'Hello')
  })

  test('steps add up, totals replace', () => {
    const step = { part: { tokens: { input: 1, output: 2 }, cost: 0.5 } }
    const summed = fed(linesFold(), step, step)
    assert.equal([summed.usage?.inputTokens, summed.usage?.outputTokens, summed.costUsd], [2, 4, 1])
    assert.is(fed(linesFold(), step, { usage: { input_tokens: 9, output_tokens: 9 } }).usage?.inputTokens, 9)
  })

  test('a result ends the run with a sign; a good one outranks an error before it', () => {
    const error = { type: 'turn.failed', error: { message: 'bad' } }
    const good = { type: 'result', result: 'fine' }
    assert.equal(fed(linesFold(), error, good).error?.final, false)
    assert.equal(fed(linesFold(), good, error).error?.final, true)
    assert.equal(fed(linesFold(), { type: 'assistant', text: 'x' }, good).signs, ['text', 'result'])
  })

  test('a document counts its objects and says when it never ends', () => {
    assert.equal([fed(documentFold(), '{', '"text":"x"}').text, fed(documentFold(), '{"text":"é').brokenBytes], ['x', 12])
  })
})
