import * as v from 'valibot'
import { expected, received } from '../../../lib/model/wording.ts'
import { assert, suite } from '../../kit/check.ts'

suite('model/wording', test => {
  const schemas: [v.GenericSchema, string][] = [
    [v.string(), 'a text'], [v.pipe(v.string(), v.regex(/x/, 'an x')), 'an x'], [v.boolean(), 'true or false'],
      [v.number(), 'a number'],
    [v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)), 'a whole number from 1 to 9'],
      [v.pipe(v.number(), v.gtValue(0)), 'a number above 0'],
    [v.pipe(v.number(), v.maxValue(9)), 'a number of at most 9'],
      [v.pipe(v.pipe(v.number(), v.integer()), v.description('inside')), 'a whole number'],
    [v.picklist(['a']), '"a"'], [v.picklist(['a', 'b', 'c']), '"a", "b" or "c"'], [v.literal(1), '1'],
      [v.array(v.string()), 'a list'],
    [v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(3)), 'a list of 1 to 3 entries'],
      [v.pipe(v.array(v.string()), v.maxLength(1)), 'a list of at most 1 entry'],
    [v.record(v.string(), v.number()), 'an object'], [v.looseObject({}), 'an object'],
      [v.nullish(v.optional(v.boolean())), 'true or false'],
  ]
  for (const [schema, words] of schemas) test(`expected() says ${words}`, () => { assert.is(expected(schema), words) })

  const values: [unknown, string][] = [
    ['a', '"a"'], ['a"b\n', '"a\\"b\\n"'], ['x'.repeat(61), `"${'x'.repeat(60)}…"`], ['\u202e\u0085', '"\\u{202e}\\u{85}"'],
      [1.5, '1.5'], [null, 'null'], [true, 'true'],
    [[], 'a list of 0 entries'], [[1], 'a list of 1 entry'], [{}, 'an object'], ['😀'.repeat(61), `"${'😀'.repeat(60)}…"`],
  ]
  for (const [value, words] of values) test(`received() says ${words}`, () => { assert.is(received(value), words) })
})
