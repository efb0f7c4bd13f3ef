/**
 * Google's Antigravity CLI `agy`. It could not be run while this was written (closed program, Google login): all of it
 * is taken from its release notes, its issue threads and other people's captures of 1.1.12 to 1.2.13. JSON lines exist
 * since 1.1.8; older versions print nothing, or hang, where there is no terminal. Exit code 0 proves nothing: it also
 * stands for a refused tool, a cancelled turn and an expired time limit.
 */
import {
  count, defineProvider, errorVerdict, eventLines, type ExitFacts, failed, field, isJson, isOlder, type Json, type LiveSign, list,
  longestAnswer, plain, type Reader, type Seen, sessionId, type Settled, shown, signLength, type Task, text, type Usage, usageOf,
  type Verdict, versionIn, withoutResult,
} from '../../lib/plugin/kit.ts'

interface AgyFacts {
  /** Options that some versions do not have. */
  readonly hasSlashSwitch: boolean
}

const oldest = '1.1.8'
const tooOld = (version: string): string =>
  `agy ${version} has no JSON lines and may print nothing without a terminal: update to ${oldest} or later`
const mostDenials = 20

function argsOf(task: Task, facts: AgyFacts): string[] {
  return [
    '--output-format', 'stream-json',
    '--print-timeout', `${task.timeoutSeconds}s`,
    // Planning is not a sandbox, and the sandbox is about commands: both together are the most it has.
    ...(task.mode === 'read-only' ? ['--mode', 'plan', '--sandbox'] : ['--mode', 'accept-edits']),
    ...(facts.hasSlashSwitch ? ['--disable-slash-commands'] : []),
    // Without it the work is done in a scratch folder of its own.
    '--add-dir', task.cwd,
    ...(task.model ? ['--model', task.model] : []),
    ...(task.effort ? ['--effort', task.effort] : []),
    ...(task.resume ? ['--conversation', task.resume.session] : []),
    // Attached: it takes the next word for the task otherwise.
    `--print=${task.prompt}`,
  ]
}

/** What the final event said. */
interface Result {
  readonly status: string
  readonly response: string
  readonly error: string
  readonly usage?: Usage
  readonly turns?: number
}
interface Log { session?: string; said: string; result?: Result; readonly denials: Set<string> }

/** All zero is what an expired time limit leaves: nothing was counted. Thinking is taken to stand beside the output. */
function usageIn(result: unknown): Usage | undefined {
  const figure = (name: string): number => count(result, 'usage', name) ?? 0
  const usage = usageOf({
    inputTokens: figure('input_tokens'), cacheReadTokens: figure('cache_read_tokens'),
    outputTokens: figure('output_tokens') + figure('thinking_tokens'),
  })
  return usage.inputTokens + usage.cacheReadTokens + usage.outputTokens > 0 ? usage : undefined
}

function resultOf(log: Log, result: Json): LiveSign {
  const usage = usageIn(result)
  const turns = count(result, 'num_turns')
  log.result = {
    status: text(result, 'status') ?? '', response: (text(result, 'response') ?? '').slice(-longestAnswer),
    error: text(result, 'error') ?? text(result, 'error', 'message') ?? '',
    ...(usage ? { usage } : {}), ...(turns === undefined ? {} : { turns }),
  }
  for (const denied of list(result, 'denied_actions')) {
    const name = typeof denied === 'string' ? denied : text(denied, 'display_name') ?? text(denied, 'action') ?? 'a tool'
    if (log.denials.size < mostDenials) log.denials.add(plain(name, signLength))
  }
  return { sign: 'result' }
}

function stepSign(log: Log, step: Json): LiveSign | null {
  const said = text(step, 'text_delta') ?? ''
  if (text(step, 'step_type') === 'agent_response') {
    log.said = `${log.said}${said}`.slice(-longestAnswer)
    return shown('text', said)
  }
  // A step is announced more than once: once is enough, and text before a tool is not the answer.
  if (text(step, 'step_type') !== 'tool' || text(step, 'state') !== 'ACTIVE') return null
  log.said = ''
  return shown('tool', text(step, 'tool_name') ?? text(step, 'tool_info', 'name') ?? '')
}

function eventSign(log: Log, event: Json): LiveSign | null {
  const name = text(event, 'event') ?? ''
  const inner = field(event, name)
  const body = isJson(inner) ? inner : {}
  const session = sessionId(text(event, 'conversation_id') ?? text(body, 'conversation_id'))
  if (session) log.session = session
  if (name === 'init') return { sign: 'started', ...(session ? { session } : {}) }
  if (name === 'step_update') return stepSign(log, body)
  return name === 'result' ? resultOf(log, body) : null
}

const wasDenied = (stderr: string): boolean => /\bauto-denied\b|\bpermissions\.allow\b/.test(stderr)
const ranOut = (stderr: string): boolean => /^\[agy\] print timeout after .* with turn in progress/m.test(stderr)

/** The line of stderr that holds a pattern, as the error. */
const lineWith = (stderr: string, pattern: RegExp, other: string): string =>
  stderr.split('\n').find(line => pattern.test(line)) ?? other

function denied(log: Log, stderr: string): Verdict {
  const tools = [...log.denials].join(', ') || 'a tool'
  return failed('permission', lineWith(stderr, /auto-denied/, `agy refused ${tools} and gave no answer`))
}

function withoutResultEvent(log: Log, seen: Seen, exit: ExitFacts): Verdict {
  const verdict = withoutResult(seen, exit)
  if (verdict.ok || verdict.kind !== 'no_result') return verdict
  if (wasDenied(exit.stderrTail)) return denied(log, exit.stderrTail)
  return failed('no_result', `${verdict.error}; versions before ${oldest} answer on a terminal only: update agy`)
}

function verdictOf(log: Log, seen: Seen, exit: ExitFacts): Verdict {
  const { result } = log
  const { stderrTail } = exit
  if (!result) return withoutResultEvent(log, seen, exit)
  if (ranOut(stderrTail)) return failed('timed_out', lineWith(stderrTail, /print timeout after/, 'The print time-out passed'))
  // The same in versions before 1.1.28.
  if (result.error.startsWith('timeout waiting for response')) return failed('timed_out', result.error)
  if (result.status !== 'SUCCESS') {
    if (result.error) return errorVerdict(result.error)
    const isOwnEnd = exit.ended === 'self' || exit.ended === 'lingered'
    return isOwnEnd ? failed('error', `agy ended its turn with status ${result.status || '(none)'}`) : withoutResult(seen, exit)
  }
  if (result.response.trim() !== '') return { ok: true }
  const isDenied = log.denials.size > 0 || wasDenied(stderrTail)
  return isDenied ? denied(log, stderrTail) : failed('no_result', 'agy reported success without an answer')
}

function read(task: Task): Reader {
  const log: Log = { said: '', denials: new Set() }
  const lines = eventLines()
  return {
    line(line) {
      const event = lines.next(line)
      return event ? eventSign(log, event) : null
    },
    settle(exit): Settled {
      const session = log.session ?? task.resume?.session
      const { usage, turns, response = '' } = log.result ?? {}
      return {
        verdict: verdictOf(log, lines.seen(), exit),
        text: response.trim() || log.said.trim(),
        ...(session ? { session } : {}), ...(usage ? { usage } : {}), ...(turns === undefined ? {} : { turns }),
        ...(log.denials.size > 0 ? { denials: [...log.denials] } : {}),
      }
    },
  }
}

export default defineProvider<AgyFacts>({
  kind: 'provider',
  api: 1,
  id: 'agy',
  summary: 'Google Antigravity CLI',
  aliases: ['antigravity'],
  vendor: 'google',
  executable: 'agy',
  rank: 3,
  can: {
    resume: true, readOnly: 'advisory', model: true, effort: true, costCap: false, tokens: true, cost: false,
    blocksSubagents: false, blocksMcp: false,
    allowCommands: false, ownCommand: false,
    // Long silences were reported, and nothing says how long they may be.
    silent: true,
    promptVia: 'argument',
    // Linux takes at most 131,071 bytes in one argument.
    maxPrompt: { size: 120_000, unit: 'bytes' },
  },
  stop: [],
  parentEnv: [],
  assumed: { hasSlashSwitch: false },
  async inspect(cli) {
    const help = await cli.ask(['--help'])
    return { hasSlashSwitch: `${help.stdout}${help.stderr}`.includes('--disable-slash-commands') }
  },
  async probe(cli) {
    const printed = await cli.ask(['--version'])
    const version = versionIn(printed.stdout)
    return {
      version,
      // Nothing but a call of a model tells, and that may hang.
      loggedIn: null,
      ...(version && isOlder(version, oldest) ? { notes: [tooOld(version)] } : {}),
    }
  },
  advise: task => task.mode === 'write'
    ? ['agy 1.1.3 and later refuses edits and commands without a person, unless permissions.allow in its settings names them']
    : [],
  invoke(task, facts) {
    const args = argsOf(task, facts)
    return { file: 'agy', args, promptArgs: [args.length - 1], stdin: '' }
  },
  read,
})
