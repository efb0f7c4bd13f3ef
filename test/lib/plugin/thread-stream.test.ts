/** What is made of a stream of threads: verdicts, answers, tokens of a thread, and warnings. */
import type { ExitFacts, Task } from '../../../lib/plugin/provider.ts'
import codex from '../../../plugins/providers/codex.ts'
import { assert, suite } from '../../kit/check.ts'
import { errorOf, kindOf, type Reading, readWith } from '../../kit/reading.ts'

const read = (events: readonly unknown[], end: Partial<ExitFacts> = {}, task: Partial<Task> = {}): Reading =>
  readWith(codex, events, end, task)
const started = { type: 'thread.started', thread_id: '01a2' }
const said = (text: string) => ({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } })
const completed = (input: number, cached = 0, output = 1, more = {}) =>
  ({ type: 'turn.completed', usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output, ...more } })
const failedTurn = (message: string) => ({ type: 'turn.failed', error: { message } })
const used = (inputTokens: number, cacheReadTokens: number, outputTokens: number) =>
  ({ inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens })

suite('plugin/thread-stream', test => {
  test('cached input and reasoning are inside the totals, and are not counted twice', () => {
    const { usage } = read([started, said('x'), completed(26549, 22272, 1590, { reasoning_output_tokens: 1152 })])
    assert.equal(usage, used(4277, 22272, 1590))
    assert.is(read([said('x'), completed(10, 50)]).usage?.inputTokens, 0)
  })

  test('a second total in one run replaces the first, because totals are those of the thread', () => {
    const { usage, sessionUsage, turns } = read([started, said('x'), completed(100), completed(180)])
    assert.equal([usage?.inputTokens, sessionUsage?.inputTokens, turns], [180, 180, 2])
  })

  test('a resumed run is charged with what it added to its thread', () => {
    const before = used(100, 20, 5)
    const { usage, sessionUsage, warnings } = read([started, said('x'), completed(260, 60, 9)], {},
      { resume: { session: '01a2', usage: before } })
    assert.equal(usage, used(100, 40, 4))
    assert.equal(sessionUsage, used(200, 60, 9))
    assert.is(warnings, undefined)
    assert.match(read([said('x'), completed(260)], {}, { resume: { session: '01a2' } }).warnings?.[0] ?? '', 'whole session')
  })

  test('a failed turn fails the run whatever the exit code, and what was said is kept', () => {
    for (const code of [0, 1]) {
      const result = read([started, said('half'), { type: 'error', message: 'model at capacity' },
        failedTurn('model at capacity')], { code })
      assert.equal([kindOf(result), errorOf(result), result.text, result.warnings],
        ['overloaded', 'model at capacity', 'half', undefined])
    }
  })

  test('an error item inside a run that goes well is a warning', () => {
    const item = { type: 'item.completed', item: { type: 'error', message: 'Model metadata not found' } }
    const result = read([started, item, { type: 'error', message: 'Reconnecting... 1/5 (cut)' }, said('done'), completed(5)])
    assert.is(kindOf(result), 'succeeded')
    assert.equal(result.warnings, ['Model metadata not found', 'The CLI retried 1 time; last: Reconnecting... 1/5 (cut)'])
  })

  test('a usage limit tells the reset in its own words', () => {
    const { verdict } = read([started,
      failedTurn('You’ve hit your usage limit. Upgrade to Pro or try again at Dec 1st, 2026 12:45 AM.')], { code: 1 })
    assert.equal(verdict.ok ? '' : [verdict.kind, verdict.resetHint], ['rate_limited', 'try again at Dec 1st, 2026 12:45 AM'])
  })

  test('prose about limits in an answer or on stderr is no limit', () => {
    const prose = 'usage limit reached; resets 3pm'
    assert.is(kindOf(read([started, said(prose), completed(5)])), 'succeeded')
    assert.is(kindOf(read([started, said(prose), failedTurn('2 tests failed')], { code: 1 })), 'error')
    assert.is(kindOf(read([started, said('x')], { code: 1, stderrTail: `Rate limit exceeded\n${prose}\n` })), 'error')
  })

  test('without stdout the line of stderr is the error; with exit code 0 there is no result', () => {
    const result = read([], { stderrTail: 'Error: Session not found\n' })
    assert.equal([kindOf(result), errorOf(result)], ['no_result', 'Error: Session not found'])
    assert.is(kindOf(read([started],
      { code: 1, stderrTail: 'Error: turn/start: turn/start failed: Input exceeds the maximum length of 1048576\n' })),
      'context_too_long')
  })

  test('the answer file counts before the last message, but not when it is empty', () => {
    assert.is(read([said('message'), completed(5)], { answer: 'file\n' }).text, 'file')
    assert.is(read([said('message'), completed(5)], { answer: ' \n' }).text, 'message')
    assert.is(kindOf(read([said(''), completed(5)], { answer: '' })), 'no_result')
  })

  test('only a completed turn proves a result: not a message, not a line that breaks off, not silence', () => {
    assert.is(kindOf(read([started, said('let me look')])), 'no_result')
    assert.is(kindOf(read([started, said('let me look')], { code: 'unseen' })), 'interrupted')
    const cut = read([started, '{"type":"item.completed","item":{"type":"agent_mess'])
    assert.equal([kindOf(cut), errorOf(cut).includes('51 bytes')], ['invalid_output', true])
    const long = read([started], { cutLine: 20_000_000 })
    assert.equal([kindOf(long), errorOf(long).includes('20000000')], ['invalid_output', true])
  })

  test('a completed turn counts however the process ended after it, but for a bad exit code of its own', () => {
    const whole = [started, said('done'), completed(5)]
    for (const end of [{ code: 'unseen' as const }, { code: null, signal: 'SIGKILL', ended: 'lingered' as const }]) {
      assert.is(kindOf(read(whole, end)), 'succeeded')
    }
    assert.is(kindOf(read(whole, { code: 1 })), 'error')
  })

  test('a refusal of the sandbox, which stands on stderr alone, becomes a warning', () => {
    const stderrTail = '2026-11-30T23:54:24Z ERROR codex_core::tools::router: error=patch rejected: writing is blocked\n'
    assert.equal(read([said('Patched.'), completed(5)], { stderrTail }).warnings,
      ['A tool call was refused: patch rejected: writing is blocked'])
  })

  test('signs show the session, tools, text, retries and the end', () => {
    const { signs } = read([
      started, { type: 'item.started', item: { type: 'command_execution', command: 'npm test' } },
      { type: 'item.completed', item: { type: 'file_change', changes: [{ path: '/repo/a' }, 3] } },
      { type: 'error', message: 'Reconnecting... 1/1' }, said('hello\u001b[31m'), completed(1),
    ])
    assert.equal(signs, [
      { sign: 'started', session: '01a2' }, { sign: 'tool', text: 'npm test' }, { sign: 'tool', text: 'edit /repo/a' },
      { sign: 'retry', text: 'Reconnecting... 1/1' }, { sign: 'text', text: 'hello' }, { sign: 'result' },
    ])
  })

  test('what is kept of a long run is bounded', () => {
    const warning = (n: number) =>
      ({ type: 'item.completed', item: { type: 'error', message: `warning ${n} ${'x'.repeat(5000)}` } })
    const result = read([...Array.from({ length: 500 }, (_, n) => warning(n)), said('y'.repeat(6_000_000)), completed(1)])
    assert.is(result.text.length, 4 * 1024 * 1024)
    assert.ok((result.warnings ?? []).length <= 5 && (result.warnings ?? []).every(each => each.length <= 200))
  })
})
