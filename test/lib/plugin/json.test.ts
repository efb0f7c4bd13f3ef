/** Getters over untrusted JSON, and which lines are events. */
import { count, field, instant, list, number, parseJson, parseLine, text } from '../../../lib/plugin/json.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

suite('plugin json', test => {
  test('parseLine() reads an event through a byte order mark, colour codes, a CR and blanks', () => {
    for (const line of [
      '{"a":1}', '\uFEFF{"a":1}', '\u001b[33m{"a":1}\u001b[0m', '  {"a":1}\r', '\uFEFF\u001b[0m {"a":1} \u001b[K',
    ]) assert.equal(parseLine(line), { a: 1 }, JSON.stringify(line))
  })

  test('parseLine() takes objects only: numbers, strings, lists and prose are noise', () => {
    for (const line of [
      '', '42', '"x"', 'null', 'true', '[{"a":1}]', '(node:1) [DEP0040] warning {not json}', '{', '{"a":1', '{"a":1} tail',
      '['.repeat(200_000),
    ]) {
      assert.is(parseLine(line), undefined, line.slice(0, 40))
    }
    assert.equal(parseLine('{}'), {})
  })

  test('parseLine() keeps line separators inside a text', () => {
    assert.is(text(parseLine('{"r":"a\u2028b\u2029c\u0085d\\u000be"}'), 'r'), 'a\u2028b\u2029c\u0085d\u000be')
  })

  test('parseLine() of a long run of blanks takes no more time than its length', () => {
    const watch = stopwatch()
    assert.is(parseLine(`{${' '.repeat(4_000_000)}x`), undefined)
    assert.is(parseLine(`${'{}  '.repeat(500_000)}x`), undefined)
    watch.under(3_000)
  })

  test('the getters see own properties only, and only what they name', () => {
    const value = parseJson('{"a":{"b":"t","n":1.5,"l":[1],"z":null,"c":3},"__proto__":{"b":"own"}}')
    assert.is(field(value, 'constructor'), undefined)
    assert.is(field(value, 'a', 'toString'), undefined)
    assert.is(field(value, 'a', 'l', 'length'), undefined)
    assert.equal(field(value, '__proto__'), { b: 'own' })
    assert.is(text(value, 'a', 'b'), 't')
    assert.is(text(value, 'a', 'n'), undefined)
    assert.is(number(value, 'a', 'n'), 1.5)
    assert.is(number(value, 'a', 'b'), undefined)
    assert.equal(list(value, 'a', 'l'), [1])
    assert.equal(list(value, 'a', 'z'), [])
    assert.is(count(value, 'a', 'c'), 3)
    assert.is(count(value, 'a', 'n'), undefined)
    assert.is(text(undefined, 'a'), undefined)
    assert.is(field([1], '0'), undefined)
  })

  test('number() and count() refuse figures that are none', () => {
    for (const found of [Number.NaN, Infinity, '3', null, true, [3]]) assert.is(number({ n: found }, 'n'), undefined)
    for (const found of [-1, 0.5, 2 ** 53, 1e300]) assert.is(count({ n: found }, 'n'), undefined)
  })

  test('instant() tells seconds from milliseconds and refuses junk', () => {
    const at = (found: unknown): string | undefined => instant({ t: found }, 't')
    assert.is(at(1_749_924_000), '2025-06-14T18:00:00.000Z')
    assert.is(at(1_749_924_000_000), '2025-06-14T18:00:00.000Z')
    assert.is(at('2025-06-14T20:00:00+02:00'), '2025-06-14T18:00:00.000Z')
    for (const junk of [0, -5, 1e30, Number.NaN, '1749924000', '', 'tomorrow', '2025-06-14', '2025-99-99T00:00:00Z', null, {}]) {
      assert.is(at(junk), undefined, String(junk))
    }
  })
})
