import { Fail, type Problem } from '../../../lib/base/fail.ts'
import { documentLimit, readDocument } from '../../../lib/model/document.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

const problems = (text: string): readonly Problem[] => {
  try {
    readDocument(text, 'plan.json')
  } catch (error) {
    if (error instanceof Fail) return error.problems
    throw error
  }
  return []
}
const shown = (text: string): string[] => problems(text).map(({ place, message }) => `${place?.line}:${place?.column} ${message}`)

suite('model/document syntax', test => {
  const cases: [string, string, string[]][] = [
    ['an empty file', '', ['1:1 The document is empty']],
    ['a file of blanks', ' \n ', ['2:2 The document is empty']],
    ['a trailing comma in an object, at the comma', '{"a": 1,\n}', ['1:8 Nothing follows this comma']],
    ['a trailing comma in a list', '[1,2,]', ['1:5 Nothing follows this comma']],
    ['two trailing commas in two lines', '{"a": [1,\n],\n}',
      ['1:9 Nothing follows this comma', '2:2 Nothing follows this comma']],
    ['a line comment', '// no\n{}', ['1:1 Comments are not JSON']],
    ['a block comment', '{"a": /* no */ 1}', ['1:7 Comments are not JSON']],
    ['a duplicate key, at the second', '{"a": 1,\n "b": 2,\n "a": 3}',
      ['3:2 The key "a" stands here a second time; the first is in line 1']],
    ['a duplicate key inside', '{"w": [{"id": 1, "id": 2}]}',
      ['1:18 The key "id" stands here a second time; the first is in line 1']],
    ['a key that is a duplicate once its escape is read', '{"a": 1, "\\u0061": 2}',
      ['1:10 The key "a" stands here a second time; the first is in line 1']],
    ['single quotes', '{\'a\': 1}', ['1:2 "\'a\'" is not JSON']],
    ['a bare key', '{a: 1}', ['1:2 "a" is not JSON']],
    ['words of other languages', '[True, 1]', ['1:2 "True" is not JSON']],
    ['NaN', '[NaN]', ['1:2 "NaN" is not JSON']],
    ['a plus sign', '[+1]', ['1:2 "+1" is not JSON']],
    ['a broken number', '[1.]', ['1:2 This number is not JSON']],
    ['a missing comma', '{"a": 1 "b": 2}', ['1:9 A comma is missing before this']],
    ['a missing colon', '{"a" 1}', ['1:6 A colon is missing before this']],
    ['a missing value', '{"a": , "b": 1}', ['1:7 A value is missing here']],
    ['a text without an end', '{"a": "x', ['1:7 A text does not end in its line']],
    ['a line break in a text', '{"a": "x\ny"}', ['1:7 A text does not end in its line']],
    ['a control character, where it stands', '{"a": "xy\u0001"}', ['1:10 A control character must be written as an escape']],
    ['a tab in a text', '["a\tb"]', ['1:4 A control character must be written as an escape']],
    ['an unknown escape, where it stands', '["a\\\\\\x"]', ['1:6 This escape is not JSON']],
    ['a broken unicode escape', '["\\u12"]', ['1:3 This escape is not JSON']],
    ['an open brace', '{"a": 1', ['1:8 A closing "}" is missing here']],
    ['an open bracket', '[1', ['1:3 A closing "]" is missing here']],
    ['an open brace behind another fault, which may be its cause', '{"a": tru,\n "b": 1', ['1:7 "tru" is not JSON']],
    ['a second document', '{} {}', ['1:4 Nothing may follow the end of the document']],
    ['a second byte order mark', '\uFEFF\uFEFF{}', ['1:1 "\\u{feff}" is not JSON']],
    ['a place after é and an emoji', '{"é": "😀", "b": tru}', ['1:17 "tru" is not JSON']],
    ['a place in the line of a byte order mark', '\uFEFF{"a": 1,}', ['1:8 Nothing follows this comma']],
    ['a place after CRLF lines', '{\r\n "a": 1,\r\n "b": 2,\r\n}', ['3:8 Nothing follows this comma']],
    ['faults of several kinds, sorted', '{"b": {"x": 1, "x": 2},\n "c": 1,\n}',
      ['1:16 The key "x" stands here a second time; the first is in line 1', '2:8 Nothing follows this comma']],
  ]
  for (const [title, text, expected] of cases) test(`readDocument() refuses ${title}`,
    () => { assert.equal(shown(text), expected) })

  test('readDocument() tells code, file, path, hint and the line with its caret', () => {
    assert.equal(problems('{"workers": [\n {"é": "😀", "é": 2}]}'), [{
      code: 'document.duplicate-key', message: 'The key "é" stands here a second time; the first is in line 2',
        hint: 'remove one of them',
      path: 'workers.0.é', place: { file: 'plan.json', line: 2, column: 13 },
        facts: { source: ' {"é": "😀", "é": 2}]}', caret: 13 },
    }])
  })

  test('readDocument() shows a window of a long line around its caret, without control characters', () => {
    const [problem] = problems(`["${'x'.repeat(500)}\u0007",\u00a0 1]`)
    const { source, caret } = problem?.facts ?? {}
    assert.is(problem?.place?.column, 503)
    assert.ok(typeof source === 'string' && typeof caret === 'number')
    assert.ok(source.length <= 160)
    assert.ok(source.startsWith('x', caret - 2) && source.startsWith(' ', caret - 1))
  })
})

suite('model/document values', test => {
  test('readDocument() accepts a byte order mark, CRLF and every kind of value', () => {
    const { value } = readDocument('\uFEFF{\r\n "a": [1, -0.5e3, true, null, "\\u00e9\\n"]\r\n}', 'f')
    assert.equal(value, { a: [1, -500, true, null, 'é\n'] })
  })

  test('readDocument() takes hostile keys as own keys and pollutes nothing', () => {
    const { value } = readDocument('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}', 'f')
    assert.equal(Object.keys(value ?? {}), ['__proto__', 'constructor'])
    assert.not.ok('polluted' in {})
  })

  test('readDocument() takes what JSON.parse takes, with the same value', () => {
    const texts = ['0', '-0', '1E+2', '"\\ud83d\\ude00"', '"\\ud800"', '[]', '{"":{"":[[]]}}', '"\\/"', ' [ 1 ,\t2 ] ', '1e999',
      '"\u2028"', '"\u007f"']
    for (const text of texts) assert.equal(readDocument(text, 'f').value, JSON.parse(text))
  })

  test('placeOf() finds values, keys, and the nearest parent of what is not there', () => {
    const document = readDocument('{"a": {"b": [10, {"c": 1}]}}', 'f')
    const at = (path: readonly (string | number)[], key?: 'key'): number => document.placeOf(path, key).column
    assert.is(at([]), 1)
    assert.is(at(['a', 'b', 0]), 14)
    assert.is(at(['a', 'b', 1, 'c']), 24)
    assert.is(at(['a', 'b', 1, 'c'], 'key'), 19)
    assert.is(at(['a', 'b', 1, 'missing', 'more']), 18)
    assert.is(at(['a', 'b', 7]), 13)
    assert.is(at(['constructor']), 1)
  })
})

suite('model/document bounds', test => {
  const fast = (title: string, text: () => string, expected: RegExp): void => {
    test(`readDocument() refuses ${title} at once, with file and size`, () => {
      const given = text()
      const watch = stopwatch()
      const [problem] = problems(given)
      watch.under(2_000)
      assert.match(problem?.message ?? '', expected)
      assert.is(problem?.place?.file, 'plan.json')
    })
  }
  fast('a text of 50 million characters', () => ' '.repeat(50_000_000),
    /"plan.json": it has 50000000 characters, at most 16777216/)
  fast('100,000 brackets', () => '['.repeat(100_000), /"plan.json": it nests deeper than 64 levels \(it has 100000 characters\)/)
  fast('100,000 brackets behind a quote in a comment', () => `/* " */ ${'['.repeat(100_000)}`, /nests deeper than 64/)
  fast('brackets among wrong closing ones', () => '[}'.repeat(100_000), /nests deeper than 64/)
  fast('millions of values', () => `[${'1,'.repeat(8_000_000)}1]`, /"plan.json": it holds more than 200000 values/)

  test('readDocument() takes 64 levels and not 65', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    assert.equal(problems(nested(64)), [])
    assert.is(problems(nested(65)).length, 1)
  })

  test('readDocument() takes a text of exactly the limit', () => {
    assert.equal(problems(`"${'x'.repeat(documentLimit - 2)}"`), [])
    assert.is(problems(`"${'x'.repeat(documentLimit - 1)}"`).length, 1)
  })
})
