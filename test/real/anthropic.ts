/** The Messages API of Anthropic as far as a headless Claude uses it: `POST /v1/messages`, as a stream of events or as one document. */
import { join } from 'node:path'
import { array, field, string } from './json.ts'
import { type Answer, type Asked, type ModelServer, nextStep, type Scripts, serve, type Step, type Turn } from './model-server.ts'

/** Tokens of each answer but those that scripts set. */
export const claudeTokens = { input: 10, cacheWrite: 2_000, cacheRead: 5_000, output: 40 }
/** List price of one answer by claude-sonnet-4-5, in US dollars: 3, 3.75, 0.30 and 15 for a million tokens of each class. */
export const claudeAnswerUsd = (10 * 3 + 2_000 * 3.75 + 5_000 * 0.3 + 40 * 15) / 1e6

const say = (text: string): Step => ({ do: 'say', text })
const call = (tool: string, input: object): Step => ({ do: 'call', tool, input })
const refuse = (status: number, type: string, message: string, headers = {}): Step =>
  ({ do: 'refuse', status, headers, body: { type: 'error', error: { type, message }, request_id: 'req_test' } })
const done = (what: string): Step => say(`${what}\nSTATUS: DONE\nSUMMARY: ${what}`)
const bash = (command: string): Step => call('Bash', { command, description: 'as told' })

/** What the plan's limits look like on an answer. `reset` in seconds since 1970. */
const planHeaders = (status: string, reset: string, used: string): Record<string, string> => ({
  'anthropic-ratelimit-unified-status': status,
  'anthropic-ratelimit-unified-reset': reset,
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-5h-status': status,
  'anthropic-ratelimit-unified-5h-reset': reset,
  'anthropic-ratelimit-unified-5h-utilization': used,
  'anthropic-ratelimit-unified-5h-surpassed-threshold': status === 'allowed_warning' ? '0.9' : '',
  'anthropic-ratelimit-unified-overage-status': 'rejected',
  'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
})

const scripts: Scripts = {
  say: text => [done(text)],
  edit: (file, cwd) => [
    call('Read', { file_path: join(cwd, file) }), call('Edit', { file_path: join(cwd, file), old_string: 'old', new_string: 'new' }), done('Edited the file.'),
  ],
  write: (file, cwd) => [call('Write', { file_path: join(cwd, file), content: 'written by a worker\n' }), done('Went on after the write.')],
  bash: command => [bash(command), done('Went on after the command.')],
  both: (command, cwd) => [call('Write', { file_path: join(cwd, 'written.txt'), content: 'x\n' }), bash(command), done('Tried both.')],
  background: command => [call('Bash', { command, description: 'as told', run_in_background: true }), done('Started it.'), done('It has ended.')],
  costly: () => [1, 2, 3].map(each => ({ ...bash(`echo step ${each}`), outputTokens: 100_000 })),
  'rate-limit': () => [refuse(429, 'rate_limit_error', 'This request would exceed your account\'s rate limit.', { 'retry-after': '1' })],
  'plan-limit': reset => [refuse(429, 'rate_limit_error', 'This request would exceed your account\'s rate limit.', { 'retry-after': '3600', ...planHeaders('rejected', reset, '1') })],
  'plan-warning': reset => [{ do: 'say', text: 'Near the limit.', headers: planHeaders('allowed_warning', reset, '0.92') }],
  overloaded: () => [refuse(529, 'overloaded_error', 'Overloaded')],
  slow: ms => [{ do: 'say', text: 'At last.', afterMs: Number(ms) }],
  hang: () => [{ do: 'hang' }],
}

function turnsOf(body: unknown): Turn[] {
  return array(field(body, 'messages')).filter(message => field(message, 'role') === 'user').flatMap(message => {
    const content = field(message, 'content')
    if (typeof content === 'string') return [{ text: content }]
    return array(content).flatMap((block): Turn[] => {
      const type = field(block, 'type')
      const text = string(field(block, 'text'))
      // The end of a command in the background is told in words.
      if (type === 'tool_result' || text.includes('<task-notification>')) return ['result']
      return type === 'text' ? [{ text }] : []
    })
  })
}

/** Tools take absolute paths, and the folder stands in the system prompt. */
const cwdOf = (raw: string): string => /Primary working directory: (.+?)\\n/.exec(raw)?.[1] ?? ''

function answer({ path, body, raw }: Asked, before: number): Answer {
  if (path !== '/v1/messages') return { status: 404, json: { type: 'error', error: { type: 'not_found_error', message: `Nothing at ${path}` } } }
  const step = nextStep(scripts, turnsOf(body), cwdOf(raw))
  if (step.do === 'hang') return 'silence'
  if (step.do === 'refuse') return { status: step.status, json: step.body, headers: step.headers ?? {} }
  const block = step.do === 'say' ? { type: 'text', text: step.text } : { type: 'tool_use', id: `toolu_${before}`, name: step.tool, input: step.input }
  const usage = {
    input_tokens: claudeTokens.input, cache_read_input_tokens: claudeTokens.cacheRead, cache_creation_input_tokens: claudeTokens.cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: claudeTokens.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: step.outputTokens ?? claudeTokens.output, service_tier: 'standard',
  }
  const message = {
    id: `msg_${before}`, type: 'message', role: 'assistant', model: field(body, 'model'), content: [block],
    stop_reason: step.do === 'say' ? 'end_turn' : 'tool_use', stop_sequence: null, usage,
  }
  const headers = step.headers ?? {}
  if (field(body, 'stream') !== true) return { status: 200, json: message, headers }
  return { headers, events: eventsOf(message, block, usage), ...(step.do === 'say' && step.afterMs ? { afterMs: step.afterMs } : {}) }
}

type Block = { readonly type: string; readonly text?: string; readonly input?: unknown }

const eventsOf = (message: { readonly stop_reason: string }, block: Block, usage: object): Record<string, unknown>[] => [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} } },
  { type: 'content_block_delta', index: 0, delta: block.type === 'text' ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]

export const startAnthropic = (): Promise<ModelServer> => serve(answer)
