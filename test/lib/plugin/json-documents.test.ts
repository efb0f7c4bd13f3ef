/** JSON documents inside other output. */
import { documentsIn } from '../../../lib/plugin/json-documents.ts'
import { assert, suite } from '../../kit/check.ts'

const hello = '{\n  "response": "a } \\" ] b",\n  "list": [\n    {}\n  ]\n}'
const value = { response: 'a } " ] b', list: [{}] }

suite('JSON documents', test => {
  test('a document stands alone, behind warnings, or before telemetry', () => {
    for (const output of [hello, `\uFEFF${hello}\n`, `warn {x}\n\u001b[33m\u001b[0m${hello}\nbye\n`,
      `[info] start\n{ oops\n${hello}`]) {
      assert.equal(documentsIn(output).values, [value], output)
    }
    assert.is(documentsIn(`warn {x}\n\n${hello}\nbye\n`).noise, 2)
  })

  test('several documents and lists give their objects in order', () => {
    assert.equal(documentsIn('{"a":1}\n{"b":[{"c":2}]}\n').values, [{ a: 1 }, { b: [{ c: 2 }] }])
    assert.equal(documentsIn('note\n[\n{"a":1},\n{"b":2}\n]\n').values, [{ a: 1 }, { b: 2 }])
    assert.equal(documentsIn('[1,{"a":1},null,{"b":2}]').values, [{ a: 1 }, { b: 2 }])
  })

  test('words, numbers and nothing are no document', () => {
    for (const output of ['', ' \n', '42', '"x"', 'null', '[]', '[1,2]', 'hello'])
      assert.equal(documentsIn(output).values, [], output)
  })

  test('a document that never ends is told from noise that looks like one', () => {
    assert.is(documentsIn('{"response":"hel').isBroken, true)
    assert.is(documentsIn('[\n{"a":1},\n{"b":').isBroken, true)
    assert.is(documentsIn('{ oops').isBroken, false)
  })

  test('a megabyte of brackets takes no long time', () => {
    for (const piece of ['{\n', '{"\n', '[', '{"a":"\\\\\\"', '[{"a":"x"},\n'])
      documentsIn(piece.repeat(1_000_000 / piece.length))
  }, 5_000)
})
