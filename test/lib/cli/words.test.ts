import { assignWords } from '../../../lib/cli/words.ts'
import { assert, suite } from '../../kit/check.ts'

const word = (name: string, more: object = {}): { name: string; help: string } => ({ name, help: `the ${name}`, ...more })

suite('words', test => {
  test('assignWords() fills needed words first, then optional ones from the left', () => {
    const mark = [word('folder', { optional: true }), word('worker'), word('mark')]
    assert.equal(assignWords(mark, ['w1', 'used']).values, [undefined, 'w1', 'used'])
    assert.equal(assignWords(mark, ['run-1', 'w1', 'used']).values, ['run-1', 'w1', 'used'])
    const copy = [word('from'), word('to', { optional: true })]
    assert.equal(assignWords(copy, ['a']).values, ['a', undefined])
    assert.equal(assignWords(copy, ['a', '']).values, ['a', ''])
  })

  test('assignWords() gives the rest any number of words, and at least one unless it is optional', () => {
    const runs = [word('first'), word('runs', { rest: true, optional: true })]
    assert.equal(assignWords(runs, ['a']), { values: ['a'], problems: [] })
    assert.equal(assignWords(runs, ['a', 'b', 'c']).values, ['a', 'b', 'c'])
    assert.equal(assignWords([word('runs', { rest: true })], []).problems.map(each => each.code), ['usage.missing-argument'])
  })

  test('assignWords() names every missing, unexpected and unknown word', () => {
    const two = [word('plan'), word('mode', { choices: ['on', 'off'] })]
    assert.equal(assignWords(two, []).problems.map(each => each.message),
      ['Argument "plan" is missing: the plan', 'Argument "mode" is missing: the mode'])
    assert.equal(assignWords(two, ['p', 'of']).problems, [
      { code: 'usage.bad-value', message: 'Argument "mode" takes one of on, off, not "of"', hint: 'use off' }])
    assert.is(assignWords(two, ['p', 'on', 'x', 'y']).problems[0]?.message,
      'At most 2 arguments can be used: "x", "y" is too much')
    assert.is(assignWords([], ['x']).problems[0]?.code, 'usage.unexpected-argument')
  })

  test('assignWords() points at a list option that took the words', () => {
    assert.is(assignWords([word('plan')], [], '--order').problems[0]?.hint,
      '--order takes every word behind it: put it last, or write --order=a,b')
  })
})
