/** Verdicts over Claude's stream, ending by ending. */
import { assert, suite } from '../../kit/check.ts'
import { errorOf, fold, init, kindOf, limitEvent, result, says } from '../../kit/claude-lines.ts'

const hello = says('hello')
const toolResult = '{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}'
const synthetic = (error: string, message: string): string => says(
  message, { error, message: { model: '<synthetic>', content: [{ type: 'text', text: message }] } },
)

suite('verdict over a Claude stream', test => {
  test('a stream that ends at a tool result has no result, however the process ended, and keeps the session', () => {
    const lines = [init, hello, toolResult]
    assert.is(kindOf(fold(lines)), 'no_result')
    assert.is(kindOf(fold(lines, { code: null, signal: 'SIGKILL', ended: 'stalled' })), 'stalled')
    assert.is(kindOf(fold(lines, { code: 'unseen' })), 'interrupted')
    assert.is(fold(lines).session, 's1')
    assert.is(fold(lines).text, 'hello')
  })

  test('a good result counts however the process was ended after it, and unseen', () => {
    for (const exit of [
      { code: 143, ended: 'lingered' }, { code: null, signal: 'SIGKILL', ended: 'lingered' }, { code: 'unseen' },
      { code: 0, ended: 'stopped' }, { code: 143 },
    ] as const) {
      const settled = fold([init, hello, result()], exit)
      assert.is(kindOf(settled), 'succeeded')
      assert.is(settled.costUsd, 0.01)
    }
  })

  test('a turn that a signal broke off is told by who sent it, and an error that names its cause stays one', () => {
    const aborted = (terminal_reason?: string): string => result({
      is_error: true, subtype: 'error_during_execution', result: undefined, ...(terminal_reason ? { terminal_reason } : {}),
      errors: ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use'],
    })
    for (const reason of ['aborted_tools', 'aborted_streaming']) {
      assert.is(kindOf(fold([init, hello, aborted(reason)], { code: 'unseen' })), 'interrupted', 'A guard ended it')
      assert.is(kindOf(fold([init, hello, aborted(reason)], { code: 1, ended: 'timeout' })), 'timed_out')
      const settled = fold([init, hello, aborted(reason)], { code: 0 })
      assert.is(kindOf(settled), 'interrupted')
      assert.match(errorOf(settled), 'else than the runner')
    }
    const unknown = result({ is_error: true, subtype: 'error_during_execution', result: undefined, errors: ['No conversation found'] })
    assert.is(errorOf(fold([unknown], { code: 'unseen' })), 'No conversation found')
  })

  test('a process that says itself that it failed has failed, with its text kept', () => {
    const settled = fold([init, hello, result()], { code: 3 })
    assert.is(kindOf(settled), 'error')
    assert.match(errorOf(settled), 'exit code 3')
    assert.is(settled.text, 'hello')
  })

  test('the error flag and the HTTP status come before subtype and exit code', () => {
    const failing = (status: number, message: string): string => result({
      is_error: true, api_error_status: status, terminal_reason: 'api_error', result: message,
    })
    for (const code of [0, 1]) {
      assert.is(kindOf(fold([init, failing(403, 'Your organization has disabled access')], { code })), 'auth')
      assert.is(kindOf(fold([init, failing(429, 'Slow down')], { code })), 'rate_limited')
      assert.is(kindOf(fold([init, failing(529, 'API Error: 529 {"type":"error"}')], { code })), 'overloaded')
    }
    const settled = fold([init, failing(403, 'Your organization has disabled access')])
    assert.is(errorOf(settled), 'Your organization has disabled access')
    assert.is(settled.text, '', 'The error is not the answer')
  })

  test('a result without text falls back to the last message, and to no_result without one', () => {
    for (const empty of [{ result: undefined }, { result: '' }, { result: null }, { result: { a: 1 } }, { result: ' \n' }]) {
      assert.is(fold([init, hello, result(empty)]).text, 'hello')
      assert.is(kindOf(fold([init, hello, result(empty)])), 'succeeded')
      assert.is(kindOf(fold([init, result(empty)])), 'no_result')
      assert.is(fold([init, result(empty)]).text, '')
    }
  })

  test('prose about limits never decides; error text and structured fields do', () => {
    const prose = 'handles 429, quota, usage limit reached; resets 3pm'
    assert.is(kindOf(fold([init, says(prose), result({ result: prose })])), 'succeeded')
    assert.is(kindOf(fold([init, says(prose), result({ is_error: true, result: '2 tests failed' })], { code: 1 })), 'error')
    assert.is(kindOf(fold([init, hello], { code: 1, stderrTail: `${prose}\nusage limit reached` })), 'error')
    assert.is(
      kindOf(
        fold([
          init, says(prose), limitEvent({ status: 'rejected', resetsAt: 1_787_590_800 }),
          result({ is_error: true, result: 'no' }),
        ]),
      ),
      'rate_limited',
    )
  })

  test('only a rejected limit is a refusal, with its reset', () => {
    const info = (status: string): string => limitEvent({
      status, resetsAt: 1_787_590_800, rateLimitType: 'seven_day', utilization: 0.37, overageStatus: 'rejected',
      isUsingOverage: false,
    })
    for (const status of ['allowed', 'allowed_warning', 'some_new_word']) {
      assert.is(kindOf(fold([init, info(status), hello, result()])), 'succeeded', status)
    }
    const { verdict } = fold([init, info('rejected'), result({ is_error: true, result: 'Stopped' })], { code: 1 })
    assert.equal(verdict, { ok: false, kind: 'rate_limited', error: 'Stopped', resetsAt: '2026-08-24T17:00:00.000Z' })
    assert.is(kindOf(fold([init, hello, result(), info('rejected')])), 'succeeded', 'An event after the result changes nothing')
    assert.is(kindOf(fold([init, hello, result({ is_error: true, result: 'x' }), info('rejected')], { code: 1 })), 'error')
  })

  test('a refusal that was worked around does not hide another cause', () => {
    const rejected = limitEvent({ status: 'rejected', rateLimitType: 'seven_day_opus' })
    assert.is(
      kindOf(
        fold([
          init, rejected, hello, synthetic('server_error', 'API Error: Unable to connect to API'),
          result({ is_error: true, result: 'API Error: Unable to connect to API' }),
        ]),
      ),
      'network',
    )
    assert.is(
      kindOf(fold([init, rejected, hello, result({ is_error: true, subtype: 'error_max_turns', result: undefined })])), 'error',
    )
  })

  test('without a time the words about the reset are kept', () => {
    const { verdict } = fold([
      init, result({ is_error: true, api_error_status: 429, result: 'You\'ve hit your limit · resets 10pm (Europe/Warsaw)' }),
    ])
    assert.equal(
      verdict,
      {
        ok: false, kind: 'rate_limited', error: 'You\'ve hit your limit · resets 10pm (Europe/Warsaw)',
        resetHint: 'resets 10pm (Europe/Warsaw)',
      },
    )
  })

  test('an API error without a result event is still told by its class', () => {
    assert.is(kindOf(fold([init, synthetic('billing_error', 'Credit balance is too low')], { code: 1 })), 'billing')
    assert.is(kindOf(fold([init, synthetic('rate_limit', 'x'), hello], { code: 1 })), 'error', 'An answer came after it')
    assert.is(kindOf(fold([init, synthetic('rate_limit', 'x')], { code: 143, ended: 'timeout' })), 'timed_out')
  })

  test('output that breaks off is invalid and its length is named', () => {
    const whole = result({ result: 'x'.repeat(90_000) })
    const cut = fold([init, whole.slice(0, 65_536)])
    assert.is(kindOf(cut), 'invalid_output')
    assert.match(errorOf(cut), '65536')
    const tooLong = fold([init, hello], { cutLine: 20_000_000 })
    assert.is(kindOf(tooLong), 'invalid_output')
    assert.match(errorOf(tooLong), '20000000')
    assert.is(
      kindOf(fold([init, hello, result()], { cutLine: 20_000_000 })), 'succeeded', 'The outcome does not hang on that line',
    )
  })

  test('an empty stdout is told by stderr', () => {
    const silent = (stderrTail: string, code = 1): string => kindOf(fold([], { code, stderrTail }))
    assert.is(silent('--dangerously-skip-permissions cannot be used with root/sudo privileges\n'), 'permission')
    assert.is(silent('Not logged in · Please run /login'), 'auth')
    assert.is(silent('error: unknown option \'--x\''), 'error')
    assert.is(silent('Error: Session not found', 0), 'no_result')
    assert.is(silent('', 0), 'no_result')
    assert.match(errorOf(fold([], { stderrTail: 'Error: Session not found' })), 'Session not found')
  })

  test('a stop in mid-answer is the stop, though the CLI reports an error, and zeros are not what was used', () => {
    const aborted = result({
      is_error: true, subtype: 'error_during_execution', terminal_reason: 'aborted_streaming', result: undefined,
      errors: ['[ede_diagnostic] x'], total_cost_usd: 0, usage: { input_tokens: 0, output_tokens: 0 }, modelUsage: {},
    })
    assert.is(kindOf(fold([init, hello, aborted], { ended: 'timeout' })), 'timed_out')
    const settled = fold([init, hello, aborted], { ended: 'stopped' })
    assert.equal(
      settled.usage, { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7 },
      'Zeros after an answer are not what was used',
    )
    assert.is(settled.costUsd, undefined)
  })

  test('a stop names the last retry', () => {
    const retry = JSON.stringify({
      type: 'system', subtype: 'api_retry', attempt: 7, max_retries: 10, retry_delay_ms: 36_000, error_status: 401,
      error: 'authentication_failed',
    })
    assert.match(errorOf(fold([init, retry], { ended: 'timeout' })), 'authentication_failed (401), attempt 7 of 10')
  })

  test('each field that names the cause decides without the words', () => {
    const failing = (more: Record<string, unknown>): string => result({ is_error: true, result: 'words nobody knows', ...more })
    assert.is(kindOf(fold([init, failing({ api_error_status: 400, terminal_reason: 'prompt_too_long' })])), 'context_too_long')
    const classes = {
      rate_limit: 'rate_limited', overloaded: 'overloaded', server_error: 'overloaded', authentication_failed: 'auth',
      billing_error: 'billing', model_not_found: 'model_unavailable', max_output_tokens: 'error', invalid_request: 'error',
      toString: 'error',
    }
    for (const [word, kind] of Object.entries(classes)) {
      assert.is(kindOf(fold([init, synthetic(word, 'x'), failing({})])), kind, word)
    }
    assert.is(kindOf(fold([init, result({ is_error: undefined, subtype: 'error_max_budget_usd', result: undefined })])), 'budget')
    assert.is(kindOf(fold([init, result({ is_error: undefined, api_error_status: 429 })])), 'rate_limited')
  })

  test('an error that names its cause counts though the runner ended the process', () => {
    assert.is(
      kindOf(fold([init, result({ is_error: true, api_error_status: 429, result: 'x' })], { ended: 'stopped' })), 'rate_limited',
    )
    assert.is(kindOf(fold([init, result({ is_error: true, subtype: 'error_max_turns' })], { ended: 'timeout' })), 'error')
  })
})
