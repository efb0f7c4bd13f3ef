/** The fold over Claude's stream: answer, session, figures, live signs. */
import { claudeStream } from '../../../lib/plugin/claude-stream.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'
import { fold, init, kindOf, result, says } from '../../kit/claude-lines.ts'

const usage = (
  input: number, read: number, output: number,
): Record<string, number> => ({ input_tokens: input, cache_read_input_tokens: read, output_tokens: output })
const model = (input: number, costUSD: number): object => ({
  inputTokens: input, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4, costUSD,
})

suite('Claude stream', test => {
  test('usage counts once per message id, and the last value of each holds', () => {
    const lines = [
      init, says('a', {}, 'm1', usage(100, 1000, 1)), says('b', {}, 'm1', usage(100, 1000, 1)),
      says('c', {}, 'm1', usage(100, 1000, 50)), says('d', {}, 'm2', usage(10, 1100, 5)),
    ]
    assert.equal(
      fold(lines, { code: 143, ended: 'stopped' }).usage,
      { inputTokens: 110, cacheReadTokens: 2100, cacheWriteTokens: 0, outputTokens: 55 },
    )
    const stated = fold([
      ...lines,
      result({
        usage: { input_tokens: 10, cache_read_input_tokens: 22_272, cache_creation_input_tokens: 300, output_tokens: 5 },
      }),
    ])
    assert.equal(
      stated.usage, { inputTokens: 10, cacheReadTokens: 22_272, cacheWriteTokens: 300, outputTokens: 5 },
      'A result replaces the sum',
    )
  })

  test('usage of more messages than are remembered is still their sum', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => says('x', {}, `m${index}`, usage(1, 0, 2)))
    assert.equal(
      fold([init, ...lines], { ended: 'stopped' }).usage,
      { inputTokens: 1000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2000 },
    )
  })

  test('the bill comes from modelUsage, over all models', () => {
    const settled = fold([
      init, says('x'),
      result({ total_cost_usd: 0.3, modelUsage: { 'claude-opus-4-8[1m]': model(10, 0.25), 'claude-haiku-4-5': model(1, 0.05) } }),
    ])
    assert.equal(settled.usage, { inputTokens: 11, cacheReadTokens: 6, cacheWriteTokens: 8, outputTokens: 4 })
    assert.is(settled.costUsd, 0.3)
    assert.equal(settled.costByModel, { 'claude-opus-4-8[1m]': 0.25, 'claude-haiku-4-5': 0.05 })
    assert.equal(settled.billedModels, ['claude-opus-4-8[1m]', 'claude-haiku-4-5'])
  })

  test('the last result restates the totals of the process: they are not added', () => {
    assert.is(
      fold([
        init, says('x'), result({ total_cost_usd: 0.1 }), says('y', {}, 'm2'), result({ total_cost_usd: 0.25, result: 'second' }),
      ]).costUsd,
      0.25,
    )
    assert.is(fold([init, result({ result: 'first' }), result({ result: 'second' })]).text, 'second')
  })

  test('figures that are not there stay absent', () => {
    const settled = fold([init, result({ total_cost_usd: undefined, usage: undefined })])
    assert.is(settled.usage, undefined)
    assert.is(settled.costUsd, undefined)
    assert.is(settled.turns, undefined)
    assert.is(settled.quota, undefined)
  })

  test('the answer keeps line separators, and 8 MiB are read in less than 2 s', () => {
    assert.is(
      fold([init, '{"type":"result","subtype":"success","is_error":false,"result":"a\u2028b\u2029c\u0085d\\u000be"}']).text,
      'a\u2028b\u2029c\u0085d\u000be',
    )
    const watch = stopwatch()
    assert.is(fold([init, result({ result: 'x'.repeat(8 * 1024 * 1024) })]).text.length, 8 * 1024 * 1024)
    watch.under(2_000)
  })

  test('noise around the events is counted and decides nothing', () => {
    const settled = fold([
      '\u001b[33mLoading...\u001b[0m', '(node:1) [DEP0040] warning {not json}', '42', '"x"', `\uFEFF${init}`, says('hello'), '{}',
      result({ result: '' }), 'SDK shut down',
    ])
    assert.is(kindOf(settled), 'succeeded')
    assert.is(settled.text, 'hello')
    assert.equal(settled.warnings, ['5 lines of stdout were not in the CLI\'s format'])
  })

  test('words of subagents are not the answer, their tokens count', () => {
    const settled = fold(
      [init, says('main'), says('sub', { parent_tool_use_id: 'toolu_1' }, 'm9', usage(100, 0, 1))], { ended: 'stopped' },
    )
    assert.is(settled.text, 'main')
    assert.is(settled.usage?.inputTokens, 105)
  })

  test('several blocks of one message are one text, a repeated block is none', () => {
    assert.is(fold([init, says('one'), says('one'), says('two'), result({ result: '' })]).text, 'one\ntwo')
    assert.is(fold([init, says('old', {}, 'm0'), says('new'), result({ result: '' })]).text, 'new')
  })

  test('the text of a stream without an end is bounded and keeps its end', () => {
    const block = 'x'.repeat(1024 * 1024)
    const { text } = fold(
      [init, ...Array.from({ length: 20 }, (_, index) => says(`${index}${block}`)), says('STATUS: DONE')], { ended: 'stopped' },
    )
    assert.is(text.length, 4 * 1024 * 1024)
    assert.ok(text.endsWith('\nSTATUS: DONE'))
  })

  test('refused tools are listed by name, each once, and do not fail the run', () => {
    const settled = fold([
      init,
      result({
        permission_denials: [
          { tool_name: 'Write', tool_input: { content: 'secret' } }, { tool_name: 'Write' }, { tool_name: 'Bash' }, null,
          { tool_name: 3 },
        ],
      }),
    ])
    assert.is(kindOf(settled), 'succeeded')
    assert.equal(settled.denials, ['Write', 'Bash'])
  })

  test('a session that looks like an option or a path is not taken', () => {
    for (const id of ['--dangerous', '../x', '', 'a b', 3]) {
      assert.is(
        fold([JSON.stringify({ type: 'system', subtype: 'init', session_id: id }), result({ session_id: id })]).session,
        undefined,
      )
    }
    assert.is(
      fold([result({ is_error: true, subtype: 'error_during_execution', session_id: '9' })]).session, undefined,
      'A session that was not found is none',
    )
    assert.is(fold([result()]).session, 's1')
  })

  test('line() shows what happens', () => {
    const stream = claudeStream()
    const sign = (event: object): unknown => stream.line(JSON.stringify(event))
    assert.is(stream.init(), undefined)
    assert.equal(
      sign({
        type: 'system', subtype: 'init', session_id: 's1', model: 'm', claude_code_version: '2.1.197', permissionMode: 'plan',
        apiKeySource: 'none', tools: ['Bash', 3],
      }),
      { sign: 'started', session: 's1' },
    )
    assert.equal(
      stream.init(),
      { session: 's1', model: 'm', version: '2.1.197', permissionMode: 'plan', apiKeySource: 'none', tools: ['Bash'] },
    )
    assert.equal(
      sign({ type: 'assistant', message: { content: [{ type: 'text', text: 'a\nb' }] } }), { sign: 'text', text: 'a b' },
    )
    assert.equal(
      sign({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm\ttest' } }] } }),
      { sign: 'tool', text: 'Bash npm test' },
    )
    assert.equal(
      sign({ type: 'assistant', parent_tool_use_id: 't', message: { content: [{ type: 'text', text: 'inner' }] } }), null,
    )
    assert.equal(
      sign({
        type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 581, error_status: null,
        error: 'unknown',
      }),
      { sign: 'retry', text: 'unknown, attempt 1 of 10, next in 0.6 s' },
    )
    assert.equal(sign({ type: 'system', subtype: 'hook_started' }), null)
    assert.equal(sign({ type: 'result' }), { sign: 'result' })
  })

  test('what is worth a look becomes a warning', () => {
    const fallback = JSON.stringify({
      type: 'system', subtype: 'model_fallback', trigger: 'overloaded', original_model: 'a', fallback_model: 'b',
    })
    const broken = JSON.stringify({
      type: 'system', subtype: 'init', session_id: 's1', plugin_errors: [{ type: 'path-not-found', message: 'no such folder' }],
    })
    assert.equal(fold([broken, fallback, result()], { stderrTail: 'Warning: Unknown --effort value\nother\n' }).warnings,
      [
        'a plugin of the CLI did not load: no such folder', 'model a was replaced by b (overloaded)',
        'Warning: Unknown --effort value',
      ])
  })

  test('warnings are few, however many there are', () => {
    const fallback = (index: number): string => JSON.stringify({
      type: 'system', subtype: 'model_fallback', original_model: `m${index}`,
    })
    const stderrTail = 'warning: x\n'.repeat(1000)
    const { warnings } = fold([init, ...Array.from({ length: 1000 }, (_, index) => fallback(index)), result()], { stderrTail })
    assert.is(warnings?.length, 10)
  })
})
