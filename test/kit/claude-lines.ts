/** Lines of Claude's stream for tests, and one call that folds them. */
import { claudeStream } from '../../lib/plugin/claude-stream.ts'
import type { ExitFacts, Settled } from '../../lib/plugin/provider.ts'

type Fields = Readonly<Record<string, unknown>>
const tokens: Fields = { input_tokens: 5, output_tokens: 7 }

export const init = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's1' })

/** An assistant event with one text block. */
export const says = (said: string, more: Fields = {}, id = 'm1', usage: Fields = tokens): string => JSON.stringify({
  type: 'assistant', message: { id, content: [{ type: 'text', text: said }], usage }, session_id: 's1', ...more,
})

/** A good result event, unless `more` says otherwise. */
export const result = (more: Fields = {}): string => JSON.stringify({
  type: 'result', subtype: 'success', is_error: false, result: 'hello', session_id: 's1', total_cost_usd: 0.01, usage: tokens,
  ...more,
})

export const limitEvent = (info: Fields): string => JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })

/** Folds the lines; the process ended by itself with code 0, unless `exit` says otherwise. */
export function fold(lines: readonly string[], exit: Partial<ExitFacts> = {}): Settled {
  const stream = claudeStream()
  for (const line of lines) stream.line(line)
  return stream.settle({ code: 0, signal: null, ended: 'self', stderrTail: '', ...exit })
}

/** `succeeded`, or the kind of failure. */
export const kindOf = ({ verdict }: Settled): string => verdict.ok ? 'succeeded' : verdict.kind
export const errorOf = ({ verdict }: Settled): string => verdict.ok ? '' : verdict.error
