/** What the kimi provider makes of a stream that has no final event. */
import type { ExitFacts, Task } from '../../../lib/plugin/provider.ts'
import kimi from '../../../plugins/providers/kimi.ts'
import { assert, suite } from '../../kit/check.ts'
import { errorOf, kindOf, type Reading, readWith } from '../../kit/reading.ts'

const read = (events: readonly unknown[], end: Partial<ExitFacts> = {}, task: Partial<Task> = {}): Reading =>
  readWith(kimi, events, end, task)
const said = (content: unknown) => ({ role: 'assistant', content })
const hint = { role: 'meta', type: 'session.resume_hint', session_id: 'session_1' }
const retrying = { role: 'meta', type: 'turn.step.retrying', failed_attempt: 1, max_attempts: 10, error_message: '500 mock',
  status_code: 500 }
const call = { role: 'assistant', content: 'looking', tool_calls: [{ function: { name: 'Bash' } }] }

suite('kimi reader', test => {
  test('the last message without a tool call is the answer, as text or as blocks', () => {
    const result = read([said('first'), call, { role: 'tool', content: 'out' },
      said([{ type: 'think', text: 'hm' }, { type: 'text', text: 'last' }]), hint])
    assert.equal([kindOf(result), result.text, result.session], ['succeeded', 'last', 'session_1'])
    assert.equal(result.signs.map(({ sign }) => sign), ['text', 'tool', 'text', 'result'])
  })

  test('an answer without an exit that anybody saw counts only with the hint of a good end', () => {
    assert.is(kindOf(read([said('x')], { code: 'unseen' })), 'interrupted')
    assert.is(kindOf(read([said('x'), hint], { code: 'unseen' })), 'succeeded')
    assert.is(kindOf(read([said('x'), hint], { code: null, signal: 'SIGTERM', ended: 'lingered' })), 'succeeded')
    assert.is(kindOf(read([said('x')], { code: null, signal: 'SIGTERM', ended: 'timeout' })), 'timed_out')
  })

  test('a failed run keeps the session that it was to resume', () => {
    const result = read([], { code: 1, stderrTail: 'error: failed to run prompt: Session "s" not found.\nSee log: /x\n' },
      { resume: { session: 's' } })
    assert.equal([kindOf(result), errorOf(result), result.session], ['error', 'Session "s" not found.', 's'])
  })

  test('the status in the program\'s own error line decides the kind, not the words of other lines', () => {
    const end = (line: string): Partial<ExitFacts> =>
      ({ code: 1, stderrTail: `quota, 429, login\nerror: failed to run prompt: ${line}\nSee log: /x\n` })
    for (const [line, kind] of [
      ['provider.auth_error: 401 Incorrect API key', 'auth'],
      ['provider.api_error: 429 You exceeded your current quota', 'rate_limited'],
      ['provider.api_error: 503 busy', 'overloaded'], ['Model "nope" is not configured in config.toml.', 'model_unavailable'],
      ['2 tests failed', 'error'],
    ] as const) assert.is(kindOf(read([said('x')], end(line))), kind, line)
  })

  test('a time-out names the last retry', () => {
    const result = read([retrying], { code: null, signal: 'SIGTERM', ended: 'timeout' })
    assert.equal([kindOf(result), errorOf(result).includes('500 mock (attempt 1 of 10)')], ['timed_out', true])
    assert.equal(result.signs, [{ sign: 'retry', text: '500 mock (attempt 1 of 10)' }])
  })

  test('a dump of objects in the text mode is never an answer', () => {
    const result = read(["TurnBegin(user_input='hi')", "TextPart(type='text', text='hello')", 'TurnEnd()'])
    assert.equal([kindOf(result), result.text], ['invalid_output', ''])
  })
})
