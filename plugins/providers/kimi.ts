/**
 * Moonshot's `kimi` (kimi-code). Measured on 2.1.0 unless marked. The task is an argument; a prompt run approves every
 * tool by itself and refuses `--plan`, so a read-only worker gets an agent file that names nothing but reading tools.
 * There is no final event: the end of the output and the exit code decide. Tokens and cost are not in the stream.
 * The older Python program of the same name is told apart by its help text (documented, not run).
 */
import {
  defineProvider, errorVerdict, eventLines, type ExitFacts, exitSaysFailed, type Json, type LiveSign, list, longestAnswer, number,
  plain, type Reader, type Seen, sessionId, type Settled, shown, signLength, type Task, text, type Verdict, versionIn,
  withoutResult,
} from '../../lib/plugin/kit.ts'

interface KimiFacts {
  /** The Python program, which has a `--print` of its own. */
  readonly legacy: boolean
}

const agentName = 'read-only.md'

/**
 * The model is offered these three tools alone, no MCP tools and no subagents. With `mode: append` (documented) the
 * body joins the usual system prompt; where that field is not known it replaces it, so the body must do alone.
 */
const readOnlyAgent = `---
name: read-only
description: Reads files and answers; changes nothing
mode: append
tools:
  - Read
  - Grep
  - Glob
subagents: []
---

You work on the code in the current folder for another agent. You can read and search files; you cannot change
files or run commands. Look things up before you state them, and end with a complete answer to the task.
`

function argsOf(task: Task, facts: KimiFacts): string[] {
  const readOnly = task.mode === 'read-only' && !task.resume && !facts.legacy
  return [
    ...(facts.legacy ? ['--print'] : []),
    '--output-format', 'stream-json',
    ...(facts.legacy ? ['--work-dir', task.cwd] : []),
    ...(task.model ? ['--model', task.model] : []),
    // A session keeps the agent it was begun with: both options together are refused.
    ...(readOnly ? ['--agent-file', `${task.folder}/${agentName}`] : []),
    ...(task.resume ? ['--session', task.resume.session] : []),
    // Attached, because a task may begin with a dash; `--prompt=-` sends a dash and reads no stdin.
    `--prompt=${task.prompt}`,
  ]
}

function notesOf(task: Task, facts: KimiFacts): string[] {
  if (task.mode !== 'read-only') return []
  if (facts.legacy) return ['This is the older Python kimi: read-only is asked for, not enforced']
  if (task.resume) return ['A resumed kimi session keeps its tools: read-only is enforced only where it began read-only']
  return [`read-only by an agent file (${agentName}) with the tools Read, Grep and Glob`]
}

interface Log { session?: string; answer: string; lastRetry?: string; ended: boolean }

/** Text of a message: a string, or the text blocks of a list. */
const contentOf = (event: Json): string =>
  text(event, 'content')
    ?? list(event, 'content').flatMap(block => text(block, 'type') === 'text' ? text(block, 'text') ?? [] : []).join('')

function assistantSign(log: Log, event: Json): LiveSign | null {
  const tools = list(event, 'tool_calls').flatMap(call => text(call, 'function', 'name') ?? [])
  if (tools.length > 0) return shown('tool', tools.slice(0, 20).join(' '))
  const said = contentOf(event)
  if (said.trim() === '') return null
  // The end holds the hand-off lines.
  log.answer = said.slice(-longestAnswer)
  return shown('text', log.answer)
}

function metaSign(log: Log, event: Json): LiveSign | null {
  switch (text(event, 'type')) {
    case 'system.version': return { sign: 'started' }
    case 'turn.step.retrying': {
      const attempt = `attempt ${number(event, 'failed_attempt')} of ${number(event, 'max_attempts')}`
      log.lastRetry = plain(`${text(event, 'error_message') ?? 'unknown error'} (${attempt})`, signLength)
      return shown('retry', log.lastRetry)
    }
    case 'session.resume_hint': {
      const session = sessionId(text(event, 'session_id'))
      if (session) log.session = session
      log.ended = true
      return { sign: 'result' }
    }
    default: return null
  }
}

function eventSign(log: Log, event: Json): LiveSign | null {
  switch (text(event, 'role')) {
    case 'meta': return metaSign(log, event)
    case 'assistant': return assistantSign(log, event)
    default: return null
  }
}

/** Why a failed run gave up: its last line on stderr that begins with `error:`. */
const ownError = (stderr: string): string | undefined =>
  stderr.split('\n').filter(line => /^error: /i.test(line)).at(-1)?.replace(/^error: (?:failed to run prompt: )?/i, '')

function verdictOf(log: Log, seen: Seen, exit: ExitFacts): Verdict {
  const error = ownError(exit.stderrTail)
  if (exitSaysFailed(exit)) return error ? errorVerdict(error) : withoutResult({ ...seen, ...retryOf(log) }, exit)
  // The hint how to resume ends a good run only; without it exit code 0 must prove that there was one.
  const isDone = log.ended || (exit.code === 0 && (exit.ended === 'self' || exit.ended === 'lingered'))
  return isDone && log.answer.trim() !== '' ? { ok: true } : withoutResult({ ...seen, ...retryOf(log) }, exit)
}

const retryOf = (log: Log): { lastRetry?: string } => log.lastRetry ? { lastRetry: log.lastRetry } : {}

function read(task: Task): Reader {
  const log: Log = { answer: '', ended: false }
  const lines = eventLines()
  return {
    line(line) {
      const event = lines.next(line)
      return event ? eventSign(log, event) : null
    },
    settle(exit): Settled {
      const session = log.session ?? task.resume?.session
      return { verdict: verdictOf(log, lines.seen(), exit), text: log.answer.trim(), ...(session ? { session } : {}) }
    },
  }
}

/** The Python program lists `--print` by itself; the newer one has no such option. */
const isLegacy = (help: string): boolean => /(?:^|[\s,])--print(?![\w-])/m.test(help)

export default defineProvider<KimiFacts>({
  kind: 'provider',
  api: 1,
  id: 'kimi',
  summary: 'Moonshot Kimi Code CLI',
  aliases: ['kimi-code'],
  vendor: 'moonshot',
  executable: 'kimi',
  rank: 4,
  can: {
    resume: true, readOnly: 'enforced', readOnlyOnResume: 'advisory', model: true, effort: true, costCap: false,
    tokens: false, cost: false, blocksSubagents: false, blocksMcp: false, allowCommands: false, ownCommand: false, silent: false,
    promptVia: 'argument',
    // Linux takes at most 131,071 bytes in one argument.
    maxPrompt: { size: 120_000, unit: 'bytes' },
  },
  stop: [],
  parentEnv: [],
  assumed: { legacy: false },
  async inspect(cli) {
    const help = await cli.ask(['--help'])
    return { legacy: isLegacy(help.stdout) }
  },
  async probe(cli) {
    const [version, help] = await Promise.all([cli.ask(['--version']), cli.ask(['--help'])])
    return {
      version: versionIn(version.stdout),
      // Its list of providers prints API keys, and nothing else tells: it is not asked.
      loggedIn: null,
      ...(isLegacy(help.stdout) ? { notes: ['the older Python kimi: install kimi-code for enforced read-only work'] } : {}),
    }
  },
  invoke(task, facts) {
    const args = argsOf(task, facts)
    return {
      file: 'kimi',
      args,
      promptArgs: [args.length - 1],
      // Documented; it has no option for the effort.
      ...(task.effort ? { env: { KIMI_MODEL_THINKING_EFFORT: task.effort } } : {}),
      // A prompt run would wait for its timers without end, and update itself in the middle of a wave.
      envDefaults: { KIMI_DISABLE_CRON: '1', KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_TELEMETRY: '1' },
      stdin: '',
      ...(args.includes('--agent-file') ? { files: { [agentName]: readOnlyAgent } } : {}),
      notes: notesOf(task, facts),
    }
  },
  read,
})
