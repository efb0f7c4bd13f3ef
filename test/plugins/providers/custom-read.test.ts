/** What the custom provider makes of the output of unknown programs. */
import type { ExitFacts, OwnCommand } from '../../../lib/plugin/provider.ts'
import custom from '../../../plugins/providers/custom.ts'
import { assert, suite } from '../../kit/check.ts'
import { errorOf, kindOf, type Reading, readWith } from '../../kit/reading.ts'

const own = (outputFormat: OwnCommand['outputFormat']): OwnCommand =>
  ({ command: 'x', args: [], promptTransport: 'stdin', outputFormat, allowUnsafe: false })
const readAs = (format: OwnCommand['outputFormat']) => (events: readonly unknown[], end: Partial<ExitFacts> = {}): Reading =>
  readWith(custom, events, end, { own: own(format) })
const [text, json, jsonl] = [readAs('text'), readAs('json'), readAs('jsonl')]

const init = { type: 'system', subtype: 'init', session_id: 's1' }
const message = { type: 'assistant',
  message: { id: 'm1', content: [{ type: 'text', text: 'hello' }], usage: { input_tokens: 5, output_tokens: 7 } },
session_id: 's1' }
const result = (more: object = {}) =>
  ({ type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 's1', total_cost_usd: 0.01,
  usage: { input_tokens: 5, output_tokens: 7 }, ...more })
const noise = ['\u001b[33mLoading...\u001b[0m', '(node:1) [DEP0040] warning {not json}', '42', '"x"', '{}']

suite('custom reader', test => {
  test('plain text is the answer, without colours', () => {
    assert.equal([kindOf(text(['\u001b[32mone\u001b[0m', 'two', ''])), text(['\u001b[32mone\u001b[0m', 'two', '']).text],
      ['succeeded', 'one\ntwo'])
    assert.is(kindOf(text(['  '])), 'no_result')
  })

  test('of a long text the end is kept, with a note', () => {
    const long = text([...Array.from({ length: 5000 }, (_, n) => `${n} ${'x'.repeat(1000)}`), 'STATUS: DONE'])
    assert.equal([kindOf(long), long.text.length <= 1024 * 1024, long.text.endsWith('STATUS: DONE'), long.warnings?.length],
      ['succeeded', true, true, 1])
  })

  test('a result is found between noise, over several lines and behind a byte order mark', () => {
    const found = json([...noise, '\uFEFF{', '  "response": "hello",', '  "stats": {}', '}', 'SDK shut down'])
    assert.equal([kindOf(found), found.text], ['succeeded', 'hello'])
    const stream = jsonl([...noise, init, ...noise, `\uFEFF${JSON.stringify(message)}`, result({ result: 'hello' }),
      'SDK shut down'])
    assert.equal([kindOf(stream), stream.text, stream.session], ['succeeded', 'hello', 's1'])
    assert.match(stream.warnings?.[0] ?? '', '9 lines')
  })

  test('numbers, words and empty objects are never a result', () => {
    for (const read of [json, jsonl]) for (const line of noise) assert.is.not(kindOf(read([line])), 'succeeded', line)
    assert.is(kindOf(jsonl(['hello', 'world'])), 'invalid_output')
  })

  test('without a text in the result the last message counts, else there is none', () => {
    for (const empty of [undefined, '', null, { a: 1 }]) {
      const read = jsonl([init, message, result({ result: empty })])
      assert.equal([kindOf(read), read.text], ['succeeded', 'hello'])
      assert.is(kindOf(jsonl([init, result({ result: empty })])), 'no_result')
    }
  })

  test('an error result fails by its status, for either exit code', () => {
    for (const code of [0, 1]) {
      for (const [api_error_status, kind] of [[403, 'auth'], [429, 'rate_limited'], [529, 'overloaded'],
        [null, 'error']] as const) {
        const read = jsonl([init, result({ is_error: true, api_error_status, result: 'quota, 429, not logged in' })], { code })
        assert.equal([kindOf(read), errorOf(read), read.text], [kind, 'quota, 429, not logged in', ''])
      }
    }
  })

  test('an error result after an answer fails with exit code 0, and the answer is kept', () => {
    const read = jsonl([init, message, result({ is_error: true, result: 'broke' })])
    assert.equal([kindOf(read), errorOf(read), read.text], ['error', 'broke', 'hello'])
  })

  test('an error document gives kind and reset from its fields', () => {
    const { verdict } = json([{ error: { type: 'usage_limit_reached', message: 'Too much', resets_at: 1777936568,
      resets_in_seconds: 13872 } }], { code: 1 })
    assert.equal(verdict, { ok: false, kind: 'rate_limited', error: 'Too much', resetsAt: '2026-05-04T23:16:08.000Z' })
    assert.is(kindOf(json([{ response: '', error: { code: 41, message: 'Set an Auth method' } }])), 'error')
  })

  test('words about limits are prose, in an answer, in an error and on stderr', () => {
    const prose = 'Rate limit exceeded: handles 429, quota; resets 3pm'
    assert.is(kindOf(jsonl([init, result({ result: prose })])), 'succeeded')
    assert.is(kindOf(jsonl([init, message, result({ is_error: true, result: prose })], { code: 1 })), 'error')
    for (const read of [text, json, jsonl]) {
      assert.is(kindOf(read([], { code: 1, stderrTail: `${prose}\n` })), 'error')
      assert.is(kindOf(read([], { stderrTail: `${prose}\n` })), 'no_result')
    }
  })

  test('a bad exit code fails with the last line of stderr', () => {
    for (const code of [1, 2, 145]) {
      const read = text(['half an answer'], { code, stderrTail: 'trace\nfatal: \u001b[31mno such model\u001b[0m\n\n' })
      assert.equal([kindOf(read), errorOf(read), read.text],
        ['error', `The command ended with exit code ${code}: fatal: no such model`, 'half an answer'])
    }
  })

  test('a file named by {result} is the answer', () => {
    assert.equal([kindOf(text(['talk'], { answer: 'file\n' })), text(['talk'], { answer: 'file\n' }).text], ['succeeded', 'file'])
    assert.is(text(['talk'], { answer: '' }).text, 'talk')
    assert.is(kindOf(text(['talk'], { answer: 'file', code: 1 })), 'error')
  })

  test('output that breaks off is no result, and its length is named', () => {
    const cut = JSON.stringify(result({ result: 'x'.repeat(90_000) })).slice(0, 65_536)
    for (const read of [json([cut]), jsonl([init, message, cut])])
      assert.equal([kindOf(read), /6553[67] bytes/.test(errorOf(read))], ['invalid_output', true])
    assert.match(errorOf(jsonl([init, message], { cutLine: 20_000_000 })), '20000000')
    assert.is(kindOf(jsonl([init, message, result()], { cutLine: 20_000_000 })), 'succeeded')
  })

  test('an exit that nobody saw needs a result event or a result file', () => {
    assert.is(kindOf(text(['talk'], { code: 'unseen' })), 'interrupted')
    assert.is(kindOf(text(['talk'], { code: 'unseen', answer: 'x' })), 'succeeded')
    assert.is(kindOf(jsonl([message], { code: 'unseen' })), 'interrupted')
    assert.is(kindOf(jsonl([result()], { code: 'unseen' })), 'succeeded')
  })

  test('line separators inside a string stay, and big events are read fast', () => {
    const exact = 'a\u2028b\u2029c\u0085d\u000b'
    assert.is(jsonl([`{"type":"result","result":"a\u2028b\u2029c\u0085d\\u000b!"}`]).text, `${exact}!`)
    assert.is(jsonl([result({ result: 'y'.repeat(3_000_000) })]).text.length, 3_000_000)
    assert.is(json([JSON.stringify({ response: 'y'.repeat(4_000_000) })]).text.length, 4_000_000)
  }, 4_000)

  test('cost and tokens are those the program states, once', () => {
    const read = jsonl([init, result({ total_cost_usd: 0.1 }),
      result({ total_cost_usd: 0.25, permission_denials: [{ tool_name: 'Write' }, { tool_name: 'Write' }] })])
    assert.equal([read.costUsd, read.usage, read.denials],
      [0.25, { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7 }, ['Write']])
    const bare = jsonl([message])
    assert.equal([bare.costUsd, bare.usage], [undefined, undefined])
  })
})
