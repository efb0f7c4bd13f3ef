import * as v from 'valibot'
import { checkShape, problemsOf, readDocument } from '../../../lib/model/document.ts'
import { Plan } from '../../../lib/model/plan.ts'
import { soundFields } from '../../../lib/model/shape.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

/** Problems as lines: place, message, hint. */
function shown(text: string, schema: v.GenericSchema = Plan): string[] {
  const document = readDocument(text, 'plan.json')
  return problemsOf(document, checkShape(schema, document).findings)
    .map(({ place, message, hint }) => `${place?.line}:${place?.column} ${message}${hint ? ` (${hint})` : ''}`)
}

const planFields = '$schema, version, title, why, playbook, phase, strategy, preset, maxConcurrent, defaultTimeoutSeconds, '
  + 'budget, workers)'
const workerFields = 'id, why, provider, mode, cwd, task, taskFile, timeoutSeconds, idleTimeoutSeconds, isolate, seedPaths, '
  + 'model, effort, tier, resume, mcp, allowCommands, costCapUsd, command, args, promptTransport, outputFormat, allowUnsafe'

suite('model/shape messages', test => {
  const plan = (fields: string, more = ''): string =>
    `{"version": 1${more},\n "workers": [{"id": "a", "provider": "p", "cwd": "."${fields}}]}`
  const cases: [string, string, string[]][] = [
    ['an unknown field, at its key, with the nearest', plan(', "tiers": "cheap"'),
      ['2:55 workers.0 has an unknown field "tiers" (did you mean "tier"?)']],
    ['an unknown field far from all others, with all', plan('', ', "zzzzz": 1'),
      ['1:16 The document has an unknown field "zzzzz" (known fields: ' + planFields]],
    ['every missing field, at the nearest parent', '{"version": 1, "workers": [{}]}', [
      '1:28 workers.0 needs "id": an id: letters, digits and . _ -, at most 64 characters, no sign first',
      '1:28 workers.0 needs "provider": a text that is not empty', '1:28 workers.0 needs "cwd": a text that is not empty']],
    ['missing fields of the top', '{}',
      ['1:1 The document needs "version": 1', '1:1 The document needs "workers": a list of 1 to 1000 entries']],
    ['a word that is not in the list', plan(', "mode": "read"'),
      ['2:63 workers.0.mode must be "read-only" or "write", not "read"']],
    ['a number out of range', plan(', "timeoutSeconds": 0'),
      ['2:73 workers.0.timeoutSeconds must be a whole number from 1 to 86400, not 0']],
    ['a broken number', plan('', ', "maxConcurrent": 1.5'),
      ['1:33 maxConcurrent must be a whole number from 1 to 1000, not 1.5']],
    ['an amount of money', plan(', "costCapUsd": 0'),
      ['2:69 workers.0.costCapUsd must be a number above 0 and of at most 1000000, not 0']],
    ['a text instead of a number', plan('', ', "budget": {"maxCalls": "3"}'),
      ['1:39 budget.maxCalls must be a whole number from 1 to 10000, not "3"']],
    ['a text instead of a flag', plan(', "isolate": "yes"'), ['2:66 workers.0.isolate must be true or false, not "yes"']],
    ['an object instead of a list', plan(', "args": {}'), ['2:63 workers.0.args must be a list, not an object']],
    ['one entry of a list', plan(', "args": ["a", 1]'), ['2:69 workers.0.args.1 must be a text without NUL, not 1']],
    ['a list instead of the document', '[]', ['1:1 The document must be an object, not a list of 0 entries']],
    ['a list instead of an object', '{"version": 1, "workers": [[]], "budget": [1]}', [
      '1:28 workers.0 must be an object, not a list of 0 entries', '1:43 budget must be an object, not a list of 1 entry']],
    ['a worker that is none', '{"version": 1, "workers": ["a"]}', ['1:28 workers.0 must be an object, not "a"']],
    ['too few workers', '{"version": 1, "workers": []}',
      ['1:27 workers must be a list of 1 to 1000 entries, not a list of 0 entries']],
    ['another version', '{"version": 2, "workers": 1}',
      ['1:13 version must be 1, not 2', '1:27 workers must be a list of 1 to 1000 entries, not 1']],
    ['a received text that would drive a terminal, cut',
      plan(`, "mode": ${JSON.stringify(`\u001b[2J\u202e\u009b${'x'.repeat(99)}`)}`),
      [`2:63 workers.0.mode must be "read-only" or "write", not "\\u001b[2J\\u{202e}\\u{9b}${'x'.repeat(54)}…"`]],
    ['a hostile key, cut', plan(`, ${JSON.stringify(`\u001b]0;${'k'.repeat(99)}`)}: 1`),
      [`2:55 workers.0 has an unknown field "\\u001b]0;${'k'.repeat(56)}…" (known fields: ${workerFields})`]],
    ['keys of prototypes, wherever they stand', plan(', "constructor": 1', ', "__proto__": {"x": 1}'), [
      '1:16 The document has an unknown field "__proto__" (known fields: ' + planFields,
      `2:55 workers.0 has an unknown field "constructor" (known fields: ${workerFields})`]],
    ['a place behind é and an emoji', plan(', "task": "é😀", "mode": 1'),
      ['2:77 workers.0.mode must be "read-only" or "write", not 1']],
  ]
  for (const [title, text, expected] of cases) test(`checkShape() reports ${title}`,
    () => { assert.equal(shown(text), expected) })

  test('checkShape() reports everything at once, sorted by position, also after a byte order mark and CRLF', () => {
    const text = '\uFEFF{\r\n "workers": [\r\n  {"id": "-x", "provider": "", "cwd": 1, "tire": 1}],\r\n'
      + ' "maxConcurent": 2,\r\n "version": "1"\r\n}'
    assert.equal(shown(text).map(line => line.split(' ', 2).join(' ')),
      ['3:10 workers.0.id', '3:28 workers.0.provider', '3:39 workers.0.cwd', '3:42 workers.0', '4:2 The', '5:13 version'])
  })

  test('checkShape() gives path, place and the line of each problem', () => {
    const text = '{"version": 1,\n "workers": [{"id": "a", "provider": "p", "cwd": ".", "task": "t", "mode": "x"}]}'
    const document = readDocument(text, 'plan.json')
    assert.equal(problemsOf(document, checkShape(Plan, document).findings), [{
      code: 'document.shape', message: 'workers.0.mode must be "read-only" or "write", not "x"', path: 'workers.0.mode',
      place: { file: 'plan.json', line: 2, column: 76 },
      facts: { source: ' "workers": [{"id": "a", "provider": "p", "cwd": ".", "task": "t", "mode": "x"}]}', caret: 76 },
    }])
  })
})

suite('model/shape of any schema', test => {
  const Prices = v.strictObject({ models: v.record(v.string(), v.strictObject({ input: v.pipe(v.number(), v.minValue(0)) })),
    note: v.exactOptional(v.string()) })

  test('checkShape() looks into records', () => {
    assert.equal(shown('{"models": {"a/b": {"input": -1, "inptu": 1}}}', Prices), [
      '1:30 models."a/b".input must be a number of at least 0, not -1',
        '1:34 models."a/b" has an unknown field "inptu" (did you mean "input"?)'])
  })

  test('checkShape() reports keys that valibot drops from records', () => {
    assert.equal(shown('{"models": {"constructor": {"input": 1}, "__proto__": {"input": 1}}}', Prices), [
      '1:13 models has an unknown field "constructor"', '1:42 models has an unknown field "__proto__"'])
  })

  test('checkShape() keeps unknown fields of loose objects and gives the value', () => {
    const document = readDocument('{"a": 1, "b": 2}', 'f')
    assert.equal(checkShape(v.looseObject({ a: v.number() }), document).value, { a: 1, b: 2 })
  })

  test('checkShape() takes null as left out, also for fields that must be there', () => {
    assert.equal(shown('{"models": {}, "note": null}', Prices), [])
    assert.equal(shown('{"models": null}', Prices), ['1:12 The document needs "models": an object'])
  })

  test('checkShape() stays fast with 10,000 wrong entries', () => {
    const document = readDocument(`{"models": {${Array.from({ length: 10_000 }, (_, n) => `"m${n}": {"x": 1}`).join(',')}}}`, 'f')
    const watch = stopwatch()
    const problems = problemsOf(document, checkShape(Prices, document).findings)
    assert.is(problems.length, 20_000)
    watch.under(5_000)
  })

  test('soundFields() leaves out what is wrong and what holds something wrong', () => {
    const document = readDocument('{"a": 1, "b": "x", "c": {"d": "x"}, "e": 1}', 'f')
    const Numbers = v.strictObject({ a: v.number(), b: v.number(), c: v.strictObject({ d: v.number() }), f: v.number() })
    const shape = checkShape(Numbers, document)
    assert.equal(soundFields(shape, shape.input, []), { a: 1 })
    assert.ok(shape.broken(['f']) && shape.broken(['c']) && shape.broken(['c', 'd']) && !shape.broken(['a']))
    assert.is(shape.value, undefined)
  })
})
