/**
 * A fold over JSONL of Claude's shape (`claude --output-format stream-json`, its forks, and CLIs that copied it): what a
 * watcher may show of each event, and at the end verdict, answer, session, tokens, cost and limits. Memory is bounded:
 * the last answer (at most 4 MiB of text), sums, and what the last result said. Reads lines, writes nothing.
 */
import { plural } from '../base/text.ts'
import {
  apiErrorOf, denialsOf, type Init, initOf, isMain, isSynthetic, mostDenials, problemsAtStart, resultOf, sessionOf, textsOf, toolsOf,
} from './claude-events.ts'
import { quotaFold, type Refusal } from './claude-quota.ts'
import { apiUsage, type Bill, billOf, plusBill, usageMeter } from './claude-usage.ts'
import { type ApiError, type ResultFacts, verdictOf } from './claude-verdict.ts'
import { eventLines, type EventLines, longestAnswer, signLength } from './event-lines.ts'
import { count, field, type Json, list, number, text } from './json.ts'
import type { ExitFacts, LiveSign, Reader, Settled } from './provider.ts'
import { plain } from './text.ts'

const mostWarnings = 5

/** A reader that also tells how the session began; undefined before the first event says so. */
export interface ClaudeStream extends Reader { init(): Init | undefined }

/** What is kept of the last result event. */
interface Ending {
  readonly facts: ResultFacts
  readonly bill: Bill
  readonly denials: readonly string[]
  readonly turns?: number
  readonly session?: string
}

interface State {
  init?: Init
  /** The last message of the main thread that held text. */
  readonly answer: { id: string; text: string; last: string }
  readonly usage: ReturnType<typeof usageMeter>
  readonly quota: ReturnType<typeof quotaFold>
  apiError?: ApiError
  refusal?: Refusal
  ending?: Ending
  lastRetry?: string
  /** Commands that the model left running and will be told of when they end. */
  background: number
  readonly lines: EventLines
  readonly warnings: Set<string>
}

function warn(state: State, warning: string): void {
  if (state.warnings.size < mostWarnings) state.warnings.add(plain(warning, signLength))
}

/** One event holds one block of a message; a gateway may send a block again. */
function keepAnswer({ answer }: State, id: string, said: string): void {
  if (answer.id !== id) Object.assign(answer, { id, text: said })
  else if (answer.last !== said) answer.text = `${answer.text}\n${said}`
  answer.last = said
  // The end holds the hand-off lines, so the end is what is kept.
  if (answer.text.length > longestAnswer) answer.text = answer.text.slice(-longestAnswer)
}

function assistant(state: State, event: Json): LiveSign | null {
  if (isSynthetic(event)) {
    const error = apiErrorOf(event)
    if (error && isMain(event)) state.apiError = error
    return error ? { sign: 'retry', text: plain(error.message || error.errorClass, signLength) } : null
  }
  const id = text(event, 'message', 'id') ?? ''
  const usage = apiUsage(field(event, 'message', 'usage'))
  if (usage) state.usage.note(id, usage)
  const [tool] = toolsOf(event)
  if (!isMain(event)) return tool ? { sign: 'tool', text: plain(`subagent: ${tool}`, signLength) } : null
  delete state.apiError
  const said = textsOf(event)
  if (said.trim() !== '') keepAnswer(state, id, said)
  if (tool) return { sign: 'tool', text: plain(tool, signLength) }
  return said.trim() === '' ? null : { sign: 'text', text: plain(said, signLength) }
}

function retry(state: State, event: Json): LiveSign {
  const status = number(event, 'error_status')
  const cause = `${text(event, 'error') ?? 'error'}${status === undefined ? '' : ` (${status})`}`
  const wait = number(event, 'retry_delay_ms')
  const when = wait === undefined ? '' : `, next in ${(wait / 1000).toFixed(1)} s`
  const attempt = `attempt ${count(event, 'attempt') ?? '?'} of ${count(event, 'max_retries') ?? '?'}`
  state.lastRetry = plain(`${cause}, ${attempt}${when}`, signLength)
  return { sign: 'retry', text: state.lastRetry }
}

function system(state: State, event: Json): LiveSign | null {
  switch (text(event, 'subtype')) {
    case 'init': {
      state.init = initOf(event)
      for (const problem of problemsAtStart(event)) warn(state, problem)
      const { session } = state.init
      return { sign: 'started', ...(session === undefined ? {} : { session }) }
    }
    case 'api_retry': return retry(state, event)
    case 'model_fallback': {
      const word = (key: string): string => text(event, key) ?? 'unknown'
      const change = `model ${word('original_model')} was replaced by ${word('fallback_model')} (${word('trigger')})`
      warn(state, change)
      return { sign: 'retry', text: plain(change, signLength) }
    }
    case 'background_tasks_changed':
      state.background = list(event, 'tasks').length
      return null
    case 'task_started': return { sign: 'tool', text: plain(`subagent: ${text(event, 'description') ?? 'started'}`, signLength) }
    default: return null
  }
}

function result(state: State, event: Json): LiveSign {
  const bill = billOf(event, state.usage.total())
  const turns = count(event, 'num_turns')
  const session = sessionOf(event)
  const { apiError, refusal } = state
  state.ending = {
    facts: { ...resultOf(event, bill, state.answer.text), ...(apiError ? { apiError } : {}), ...(refusal ? { refusal } : {}) },
    bill: plusBill(state.ending?.bill, event, bill),
    denials: [...new Set([...state.ending?.denials ?? [], ...denialsOf(event)])].slice(0, mostDenials),
    ...(turns === undefined ? {} : { turns }),
    ...(session === undefined ? {} : { session }),
  }
  // Claude 2.1.332 waits for them, up to 600 s, and then gives another result; 2.1.197 ends them after 5 s.
  return state.background > 0 ? { sign: 'text', text: `answered; goes on when ${state.background} background tasks have ended` } : { sign: 'result' }
}

function limit(state: State, event: Json): LiveSign | null {
  const refusal = state.quota.note(event)
  if (!refusal) return null
  state.refusal = refusal
  return { sign: 'retry', text: `the plan's limit is reached${refusal.resetsAt ? `, until ${refusal.resetsAt}` : ''}` }
}

function signOf(state: State, event: Json): LiveSign | null {
  switch (text(event, 'type')) {
    case 'system': return system(state, event)
    case 'assistant': return assistant(state, event)
    case 'rate_limit_event': return limit(state, event)
    case 'result': return result(state, event)
    default: return null
  }
}

function warningsOf(state: State, verdict: Settled['verdict'], exit: ExitFacts): string[] {
  const stderr = verdict.ok ? exit.stderrTail.split('\n', 100) : []
  const said = stderr.filter(each => /^(?:warning|ignoring)\b/i.test(each)).slice(0, mostWarnings)
  const { noise, events } = state.lines.seen()
  const odd = noise > 0 && events > 0 ? [`${plural(noise, 'line')} of stdout ${noise === 1 ? "was" : "were"} not in the CLI's format`] : []
  return [...state.warnings, ...said.map(each => plain(each, signLength)), ...odd]
}

function settle(state: State, exit: ExitFacts): Settled {
  const { ending, init, quota, answer } = state
  const verdict = verdictOf({
    seen: { ...state.lines.seen(), ...(state.lastRetry === undefined ? {} : { lastRetry: state.lastRetry }) },
    ...(ending ? { result: ending.facts } : {}),
    ...(state.apiError ? { apiError: state.apiError } : {}),
    ...(state.refusal ? { refusal: state.refusal } : {}),
  }, exit)
  const live = state.usage.total()
  const bill = ending?.bill ?? (live ? { usage: live } : {})
  // A CLI that could not find the session to resume still prints its id.
  const session = init?.session ?? (verdict.ok ? ending?.session : undefined)
  const reading = quota.reading()
  const warnings = warningsOf(state, verdict, exit)
  return {
    verdict,
    text: verdict.ok && ending ? ending.facts.answer : answer.text,
    ...bill,
    ...(session === undefined ? {} : { session }),
    ...(ending?.turns === undefined ? {} : { turns: ending.turns }),
    ...(ending && ending.denials.length > 0 ? { denials: ending.denials } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(reading ? { quota: reading } : {}),
  }
}

/** A new fold; the last result event wins. Where it tells only what came since the one before, the figures are added up. */
export function claudeStream(): ClaudeStream {
  const state: State = {
    answer: { id: '', text: '', last: '' }, usage: usageMeter(), quota: quotaFold(), lines: eventLines(), warnings: new Set(),
    background: 0,
  }
  return {
    line: source => {
      const event = state.lines.next(source)
      return event ? signOf(state, event) : null
    },
    settle: exit => settle(state, exit),
    init: () => state.init,
  }
}
