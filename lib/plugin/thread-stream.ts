/**
 * A fold over JSONL of threads, turns and items, as `codex exec --json` prints them. Everything said here was measured on codex-cli
 * 0.171.0, unless marked. The last answer also stands in a file; only `turn.failed` and the exit code tell a failure: `error` events
 * and error items stand in runs that go well. Reads lines, writes nothing.
 */
import { plural } from '../base/text.ts'
import { type Usage, usageOf, usageSince } from '../model/usage.ts'
import { brokenOff, errorVerdict, exitSaysFailed, failed, type Seen, type Verdict, withoutResult } from './ending.ts'
import { eventLines, longestAnswer, sessionId, shown, signLength } from './event-lines.ts'
import { count, type Json, list, text } from './json.ts'
import type { ExitFacts, LiveSign, Reader, Settled, Task } from './provider.ts'
import { plain } from './text.ts'

const mostWarnings = 5

/** Cached and cache-writing tokens are counted inside the input, reasoning inside the output. */
function usageIn(event: Json): Usage | undefined {
  const input = count(event, 'usage', 'input_tokens')
  const output = count(event, 'usage', 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const cacheReadTokens = count(event, 'usage', 'cached_input_tokens') ?? 0
  const cacheWriteTokens = count(event, 'usage', 'cache_write_input_tokens') ?? 0
  const inputTokens = Math.max(0, input - cacheReadTokens - cacheWriteTokens)
  return usageOf({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens: output })
}

/** Refusals of the sandbox stand nowhere but in the CLI's own log lines. */
const refusals = (stderr: string): string[] =>
  [...stderr.matchAll(/ ERROR codex_core::tools::\w+: error=(.+)$/gm)]
    .map(([, reason = '']) => `A tool call was refused: ${plain(reason, signLength)}`)

/** What the stream said; of the warnings only the first few are kept. */
interface Log {
  session?: string
  answer: string
  total?: Usage
  turns: number
  failure?: string
  lastError?: string
  lastRetry?: string
  retries: number
  readonly warnings: Set<string>
}

function itemSign(log: Log, event: Json, done: boolean): LiveSign | null {
  const of = (key: string): string => text(event, 'item', key) ?? ''
  switch (of('type')) {
    case 'agent_message':
      if (!done || of('text').trim() === '') return null
      // The end holds the hand-off lines.
      log.answer = of('text').slice(-longestAnswer)
      return shown('text', log.answer)
    case 'error':
      if (done && log.warnings.size < mostWarnings) log.warnings.add(plain(of('message'), signLength))
      return null
    case 'command_execution': return done ? null : shown('tool', of('command'))
    case 'mcp_tool_call': return done ? null : shown('tool', of('tool'))
    case 'web_search': return done ? shown('tool', `search ${of('query')}`) : null
    case 'file_change': {
      const paths = list(event, 'item', 'changes').flatMap(change => text(change, 'path') ?? [])
      return done ? shown('tool', `edit ${paths.slice(0, 20).join(' ')}`) : null
    }
    default: return null
  }
}

function errorSign(log: Log, message: string): LiveSign | null {
  if (!message.startsWith('Reconnecting')) {
    log.lastError = plain(message, 2000)
    return null
  }
  log.retries++
  log.lastRetry = plain(message, signLength)
  return shown('retry', message)
}

function eventSign(log: Log, event: Json): LiveSign | null {
  switch (text(event, 'type')) {
    case 'thread.started': {
      const session = sessionId(text(event, 'thread_id'))
      if (session) log.session = session
      return { sign: 'started', ...(session ? { session } : {}) }
    }
    case 'item.started': return itemSign(log, event, false)
    case 'item.completed': return itemSign(log, event, true)
    case 'error': return errorSign(log, text(event, 'message') ?? '')
    case 'turn.completed': {
      const total = usageIn(event)
      if (total) log.total = total
      log.turns++
      delete log.failure
      return { sign: 'result' }
    }
    case 'turn.failed':
      log.failure = text(event, 'error', 'message') ?? log.lastError ?? 'The CLI reported a failed turn without a message'
      return { sign: 'result' }
    default: return null
  }
}

function verdictOf(log: Log, seen: Seen, answer: string, exit: ExitFacts): Verdict {
  if (log.failure !== undefined) return errorVerdict(log.failure)
  // An answer file with an exit code of 0 proves the end of a turn as well as the event does.
  const completed = log.turns > 0 || (exit.code === 0 && Boolean(exit.answer?.trim()))
  if (!completed) {
    if (log.lastError !== undefined && exitSaysFailed(exit)) return errorVerdict(log.lastError)
    return withoutResult({ ...seen, ...(log.lastRetry ? { lastRetry: log.lastRetry } : {}) }, exit)
  }
  if (exitSaysFailed(exit)) return failed('error', `The CLI ended with exit code ${exit.code} after its turn`)
  return answer ? { ok: true } : brokenOff(seen, exit) ?? failed('no_result', 'The CLI completed its turn without a message')
}

function warningsOf(log: Log, task: Task, verdict: Verdict, exit: ExitFacts): string[] {
  const last = log.lastError !== undefined && (verdict.ok || plain(log.lastError, 500) !== verdict.error)
    ? [plain(log.lastError, signLength)] : []
  const retries = log.lastRetry && verdict.ok ? [`The CLI retried ${plural(log.retries, 'time')}; last: ${log.lastRetry}`] : []
  const thread = log.total && task.resume && !task.resume.usage
    ? ['What the resumed session had used before is not known: the tokens are those of the whole session'] : []
  return [...new Set([...log.warnings, ...last, ...retries, ...refusals(exit.stderrTail).slice(-mostWarnings), ...thread])]
}

function settle(log: Log, seen: Seen, task: Task, exit: ExitFacts): Settled {
  const answer = exit.answer?.trim() || log.answer.trim()
  const verdict = verdictOf(log, seen, answer, exit)
  const warnings = warningsOf(log, task, verdict, exit)
  const session = log.session ?? task.resume?.session
  return {
    verdict,
    text: answer,
    ...(session ? { session } : {}),
    // `turn.completed` gives the total of the thread, earlier runs included.
    ...(log.total ? { usage: usageSince(log.total, task.resume?.usage), sessionUsage: log.total } : {}),
    ...(log.turns > 0 ? { turns: log.turns } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

/** A fold over one run of a thread; a resumed one is charged with what it added. */
export function threadStream(task: Task): Reader {
  const log: Log = { answer: '', turns: 0, retries: 0, warnings: new Set() }
  const lines = eventLines()
  return {
    line(line) {
      const event = lines.next(line)
      return event ? eventSign(log, event) : null
    },
    settle: exit => settle(log, lines.seen(), task, exit),
  }
}
