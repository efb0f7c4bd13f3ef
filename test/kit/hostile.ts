/** Lines and endings that no reader may trip over. */
import type { ExitFacts } from '../../lib/plugin/provider.ts'

/** A process that ended well by itself, unless `facts` say otherwise. */
export const exit = (facts: Partial<ExitFacts> = {}): ExitFacts =>
  ({ code: 0, signal: null, ended: 'self', stderrTail: '', ...facts })

/** Every way to end. */
export const exits: readonly ExitFacts[] = [
  exit(), exit({ code: 1, stderrTail: 'error: \u001b[31mbad\u0007' }), exit({ code: 'unseen' }),
  exit({ code: null, signal: 'SIGKILL' }), exit({ code: 143, ended: 'lingered' }),
  exit({ ended: 'timeout' }), exit({ ended: 'stalled' }), exit({ ended: 'stopped' }), exit({ ended: 'overflow' }),
  exit({ cutLine: 20_000_000 }),
]

const escapes = '\u001b[31m\u0007\u0000\u202e\u2028\u009b2J\r'
/** Junk, and events of known types with everything wrong inside. */
export const hostile: readonly string[] = [
  '', ' ', 'null', '[]', '[1,[2]]', '"x"', '42', 'true', '{}', '{', '}', '{"type"', '{"type":"result"', '{"type":null}',
  '{"type":["result"]}', '\uFEFF{}', '\u0000\u0001\uFFFD\uD800',
  '{"__proto__":{"type":"result","result":"polluted"}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"type":"__proto__"}',
  '{"type":"constructor","role":"toString"}',
  'x'.repeat(1_000_000), `{"type":"assistant","message":{"content":[{"type":"text","text":"${'y'.repeat(1_000_000)}"}]}}`,
  '['.repeat(100_000), '{"a":'.repeat(50_000),
  ...[
    'result', 'error', 'system', 'assistant', 'user', 'rate_limit_event', 'thread.started', 'turn.completed', 'turn.failed',
    'item.completed',
  ].flatMap(type => [
    `{"type":"${type}"}`,
    JSON.stringify({
      type, role: type, subtype: 'init', session_id: `--flag ${escapes}`, thread_id: '../x',
      message: { id: 1, content: 'text', usage: { input_tokens: -1, output_tokens: 1e300 } },
    }),
    JSON.stringify({
      type,
      message: {
        id: 'm',
        content: [
          { type: 'text', text: `a${escapes}b` }, { type: 'tool_use', name: escapes, input: { command: escapes } }, null, 3,
        ],
      },
      item: { type: 'agent_message', text: escapes },
    }),
    JSON.stringify({
      type, item: null, error: { message: { a: 1 } }, usage: 'many',
      modelUsage: { ['__proto__']: { costUSD: 1 }, x: null, ok: { costUSD: -1, inputTokens: 0.5 } }, total_cost_usd: '1',
      rate_limit_info: { status: 'rejected', resetsAt: 1e30, rateLimitType: '__proto__', utilization: -3 },
    }),
  ]),
]

/** A fixed shuffle for each seed, so that a failure can be run again. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const order = [...items]
  let state = seed
  for (let at = order.length - 1; at > 0; at--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = state % (at + 1)
    const [a, b] = [order[at], order[other]]
    if (a !== undefined && b !== undefined) [order[at], order[other]] = [b, a]
  }
  return order
}
