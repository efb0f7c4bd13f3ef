/** The bill of a Claude process that resumed a session or gave several results (claude 2.1.332). */
import { assert, suite } from '../../kit/check.ts'
import { fold, init, kindOf, result, says } from '../../kit/claude-lines.ts'

const of = (times: number): object => ({
  inputTokens: 10 * times, outputTokens: 40 * times, cacheReadInputTokens: 5_000 * times, cacheCreationInputTokens: 2_000 * times, costUSD: 0.25 * times,
})
const used = (times: number): object => ({ inputTokens: 10 * times, cacheReadTokens: 5_000 * times, cacheWriteTokens: 2_000 * times, outputTokens: 40 * times })
/** A result of a session that stands at `session` answers, of which `since` came after the last result. */
const told = (session: number, since: number, more: object = {}): string => result({
  total_cost_usd: 0.25 * session, modelUsage: { opus: of(session) }, model_usage_since_last_result: since > 0 ? { opus: of(since) } : {}, num_turns: 1, ...more,
})

suite('claude usage', test => {
  test('a resumed session is billed for this process, not for what it had used before', () => {
    const { usage, costUsd, costByModel, billedModels } = fold([init, says('hello'), told(3, 1)])
    assert.equal([usage, costUsd, costByModel, billedModels], [used(1), 0.25, { opus: 0.25 }, ['opus']])
  })

  test('several results of one process are added up', () => {
    const { usage, costUsd, costByModel } = fold([init, says('hello'), told(5, 2), says('and more', {}, 'm2'), told(6, 1)])
    assert.equal([usage, costUsd, costByModel], [used(3), 0.75, { opus: 0.75 }])
  })

  test('a second result with a model of its own names both', () => {
    const second = told(2, 1, { model_usage_since_last_result: { haiku: of(1) } })
    const { usage, costByModel, billedModels } = fold([init, says('hello'), told(1, 1), second])
    assert.equal([usage, costByModel, billedModels], [used(2), { opus: 0.25, haiku: 0.25 }, ['opus', 'haiku']])
  })

  test('a resumed session in which nothing ran costs nothing and is no success', () => {
    const none = { input_tokens: 0, output_tokens: 0 }
    const settled = fold([init, told(3, 0, { result: 'Unknown command: /x', usage: none, num_turns: 0 })])
    assert.equal([kindOf(settled), settled.costUsd, settled.usage?.inputTokens], ['nothing_ran', 0, 0])
  })

  test('results without figures of their own replace those before: their totals hold them', () => {
    const total = (times: number): string => result({ total_cost_usd: 0.25 * times, modelUsage: { opus: of(times) } })
    const { usage, costUsd } = fold([init, says('hello'), total(1), total(2)])
    assert.equal([usage, costUsd], [used(2), 0.5])
  })

  test('denials of every result are listed once', () => {
    const denied = (...names: string[]): object => ({ permission_denials: names.map(tool_name => ({ tool_name })) })
    assert.equal(fold([init, says('hello'), told(1, 1, denied('Bash', 'Edit')), told(2, 1, denied('Bash', 'Write'))]).denials, ['Bash', 'Edit', 'Write'])
  })
})
