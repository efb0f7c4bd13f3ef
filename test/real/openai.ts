/** The Responses API of OpenAI as far as codex uses it with a provider of its own configuration: `POST /v1/responses`, a stream of events. */
import { array, field, string } from './json.ts'
import { type Answer, type Asked, type ModelServer, nextStep, type Scripts, serve, type Step, type Turn } from './model-server.ts'

/** Tokens of each answer; the input holds the cached ones. */
export const codexTokens = { input: 1_200, cached: 800, output: 42, reasoning: 7 }

const done = (what: string): Step => ({ do: 'say', text: `${what}\nSTATUS: DONE\nSUMMARY: ${what}` })
const refuse = (status: number, error: object, headers = {}): Step => ({ do: 'refuse', status, headers, body: { error } })
/** A command that runs on is left alone after a while (10 s unless the call says more), and the model goes on. */
const shell = (cmd: string): Step => ({ do: 'call', tool: 'exec_command', input: { cmd, yield_time_ms: 30_000 } })
/** apply_patch is a tool of free text. */
const patch = (text: string): Step => ({ do: 'call', tool: 'apply_patch', input: text })

const scripts: Scripts = {
  say: text => [done(text)],
  edit: file => [patch(`*** Begin Patch\n*** Update File: ${file}\n@@\n-old\n+new\n*** End Patch`), done('Patched the file.')],
  write: file => [patch(`*** Begin Patch\n*** Add File: ${file}\n+written by a worker\n*** End Patch`), done('Went on after the patch.')],
  bash: command => [shell(command), done('Went on after the command.')],
  both: command => [patch('*** Begin Patch\n*** Add File: written.txt\n+x\n*** End Patch'), shell(command), done('Tried both.')],
  'rate-limit': () => [refuse(429, { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 1s.' }, { 'retry-after': '1' })],
  'plan-limit': reset => [refuse(429, { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus', resets_at: Number(reset) })],
  overloaded: () => [refuse(503, { type: 'server_error', code: 'server_is_overloaded', message: 'Overloaded' })],
  slow: ms => [{ do: 'say', text: 'At last.', afterMs: Number(ms) }],
  hang: () => [{ do: 'hang' }],
}

function turnsOf(body: unknown): Turn[] {
  return array(field(body, 'input')).flatMap((item): Turn[] => {
    const type = string(field(item, 'type'))
    if (type.endsWith('_call_output')) return ['result']
    if (field(item, 'role') !== 'user') return []
    return array(field(item, 'content')).map(part => ({ text: string(field(part, 'text')) }))
  })
}

function answer({ path, body }: Asked, before: number): Answer {
  if (path !== '/v1/responses') return { status: 404, json: { error: { message: `Nothing at ${path}` } } }
  const step = nextStep(scripts, turnsOf(body))
  if (step.do === 'hang') return 'silence'
  if (step.do === 'refuse') return { status: step.status, json: step.body, headers: step.headers ?? {} }
  const response = { id: `resp_${before}`, object: 'response', status: 'in_progress', model: field(body, 'model'), output: [] as unknown[] }
  const item = itemOf(step, before)
  const usage = {
    input_tokens: codexTokens.input, input_tokens_details: { cached_tokens: codexTokens.cached },
    output_tokens: codexTokens.output, output_tokens_details: { reasoning_tokens: codexTokens.reasoning }, total_tokens: codexTokens.input + codexTokens.output,
  }
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: step.do === 'say' ? { ...item, content: [] } : item },
    ...(step.do === 'say' ? [{ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: item.id, delta: step.text }] : []),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ]
  return {
    headers: step.headers ?? {}, events: events.map((event, sequence) => ({ ...event, sequence_number: sequence })),
    ...(step.do === 'say' && step.afterMs ? { afterMs: step.afterMs } : {}),
  }
}

function itemOf(step: Extract<Step, { do: 'say' | 'call' }>, number: number): Record<string, unknown> {
  if (step.do === 'say') {
    return { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: step.text, annotations: [] }] }
  }
  const call = { call_id: `call_${number}`, name: step.tool, status: 'completed' }
  return typeof step.input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${number}`, ...call, input: step.input }
    : { type: 'function_call', id: `fc_${number}`, ...call, arguments: JSON.stringify(step.input) }
}

export const startOpenai = (): Promise<ModelServer> => serve(answer)
