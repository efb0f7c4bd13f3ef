/** What single JSON values of unknown programs say. */
import { costIn, costsIn, denialsIn, errorIn, sessionIn, stepIn, textIn, usageIn,
  voiceOf } from '../../../lib/plugin/json-result.ts'
import { assert, suite } from '../../kit/check.ts'

const tokens = (inputTokens: number, cacheReadTokens: number, cacheWriteTokens: number, outputTokens: number) =>
  ({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens })

suite('JSON results', test => {
  test('the text stands in the usual places', () => {
    for (const value of [
      { result: 'hi' }, { output: 'hi' }, { text: 'hi' }, { content: 'hi' }, { response: 'hi' }, { message: 'hi' },
      { message: { content: 'hi' } },
      { message: { content: [{ type: 'text', text: 'h' }, { type: 'tool_use' }, null, { text: 'i' }] } },
      { content: [{ text: 'hi' }] },
      { part: { text: 'hi' } }, { data: { content: 'hi' } }, { response: { text: 'hi' } }, { result: { response: 'hi' } },
      { result: ' ', text: 'hi' },
    ]) assert.is(textIn(value), 'hi', JSON.stringify(value))
    for (const value of [{}, { result: { a: 1 } }, { text: 3 }, { message: null }, { data: [] }]) assert.is(textIn(value), '')
  })

  test('a value that holds itself many times is followed only so far', () => {
    let deep: Readonly<Record<string, unknown>> = { text: 'hi' }
    for (let level = 0; level < 50; level++) deep = { data: deep }
    assert.is(textIn(deep), '')
  })

  test('who speaks is told by type and role', () => {
    const voices = [
      { type: 'result' }, { type: 'assistant' }, { role: 'assistant' }, { type: 'assistant.message' },
      { type: 'message', role: 'user' }, { type: 'tool_result' },
      { type: 'session.error' }, { type: 'text' }, { type: 'message', role: 'assistant', delta: true }, { response: 'x' },
    ].map(voiceOf)
    assert.equal(voices, ['result', 'answer', 'answer', 'answer', 'none', 'none', 'none', 'piece', 'piece', 'other'])
  })

  test('tokens are read in every spelling, and cached input is counted once', () => {
    const cases: [unknown, ReturnType<typeof tokens>][] = [
      [{ inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3, outputTokens: 4 }, tokens(1, 2, 3, 4)],
      [{ input_tokens: 10, cache_read_input_tokens: 22272, cache_creation_input_tokens: 300, output_tokens: 5 },
        tokens(10, 22272, 300, 5)],
      [{ input_tokens: 26549, cached_input_tokens: 22272, output_tokens: 1590 }, tokens(4277, 22272, 0, 1590)],
      [{ input_tokens: 1, cached_input_tokens: 5, output_tokens: 2 }, tokens(0, 5, 0, 2)],
    ]
    for (const [usage, expected] of cases) assert.equal(usageIn({ usage }), expected)
    for (const usage of [undefined, {}, { input_tokens: 1 }, { input_tokens: -1, output_tokens: 1 },
      { input_tokens: 1.5, output_tokens: 1 }, 'many']) {
      assert.is(usageIn({ usage }), undefined)
    }
    assert.equal(stepIn({ part: { tokens: { input: 100, output: 5, reasoning: 3, cache: { write: 0, read: 20 } }, cost: 0.5 } }),
      { usage: tokens(100, 20, 0, 8), costUsd: 0.5 })
  })

  test('sessions, costs and refused tools are those that stand there', () => {
    assert.equal(['session_id', 'sessionId', 'sessionID', 'conversation_id', 'conversationId',
      'thread_id'].map(key => sessionIn({ [key]: 'a1' })), Array(6).fill('a1'))
    assert.is(sessionIn({ session_id: '--x', thread_id: 'b' }), 'b')
    assert.equal([costIn({ total_cost_usd: 0.5 }), costIn({ total_cost_usd: -1 }), costIn({ total_cost_usd: '1' })],
      [0.5, undefined, undefined])
    assert.equal(costsIn({ modelUsage: { 'opus-5[1m]': { costUSD: 1 }, ['__proto__']: { costUSD: 2 }, 'a b': { costUSD: 3 },
      x: null } }), { 'opus-5[1m]': 1 })
    assert.equal(denialsIn({ permission_denials: [{ tool_name: 'Bash' }, {}, 3] }), ['Bash'])
  })

  test('an error is known by its fields; its kind by status, then by the vendor\'s word', () => {
    const kinds = [
      { type: 'error', error: { data: { statusCode: 401, message: 'x' } } }, { error: { code: 429, message: 'x' } },
      { error: { type: 'overloaded_error' } },
      { error: { status: 'UNAUTHENTICATED' } }, { error: 'rate limit exceeded, 429' },
      { type: 'session.error', data: { statusCode: 503, message: 'x' } },
      { type: 'result', is_error: true, api_error_status: 402 }, { error: { code: 'insufficient_quota' } },
    ].map(value => errorIn(value)?.kind)
    assert.equal(kinds, ['auth', 'rate_limited', 'overloaded', 'auth', 'error', 'overloaded', 'billing', 'billing'])
    for (const value of [{}, { type: 'result' }, { error: null }, { error: '' }, { status: 'failed', test: 'a' },
      { is_error: false }]) assert.is(errorIn(value), undefined)
  })

  test('only the end of a run is final', () => {
    const final = [
      { type: 'result', subtype: 'error_during_execution' }, { type: 'result', status: 'error' },
      { is_error: true, result: 'x' }, { type: 'turn.failed' },
      { type: 'error', message: 'x' }, { type: 'tool', is_error: true, error: 'x' },
    ].map(value => errorIn(value)?.final)
    assert.equal(final, [true, true, true, true, false, false])
  })
})
