/**
 * OpenAI's `codex exec --json`. Everything said here of its behaviour was measured on codex-cli 0.171.0, unless marked.
 * The task goes in by stdin, the answer comes back in a file (and, if that is empty, in the last agent message). Only
 * `turn.failed` and the exit code tell a failure: `error` events and error items stand in runs that go well.
 */
import {
  brokenOff, count, defineProvider, errorVerdict, eventLines, type ExitFacts, exitSaysFailed, failed, type Json, type LiveSign,
  list, longestAnswer, parseJson, plain, type Reader, type Seen, sessionId, type Settled, shown, signLength, type Task, text,
  type Usage, usageOf, usageSince, type Verdict, versionIn, withoutResult,
} from '../../lib/plugin/kit.ts'

/** What the installed codex can do; null where it could not be asked. */
interface CodexFacts {
  /** Names of the features that are on. */
  readonly features: readonly string[] | null
  /** Names of the MCP servers it would start. */
  readonly mcpServers: readonly string[] | null
}

const answerFile = 'answer.txt'
const temporary = 'tmp'
const mostWarnings = 5

/** `features list` prints `name  stage  true|false`; a stage may hold a blank (`under development`). */
const featuresOn = (printed: string): string[] =>
  printed.split('\n').flatMap(line => /^(\S+)\s+\S.*\strue\s*$/.exec(line)?.[1] ?? [])

/** `mcp list --json` also prints the servers' secrets: nothing but their names is kept. */
function serverNames(printed: string): string[] | null {
  const servers = parseJson(printed)
  return Array.isArray(servers) ? servers.flatMap(server => text(server, 'name') ?? []) : null
}

const unwanted = (feature: string): boolean => feature.startsWith('multi_agent') || feature === 'unbounded_connection_retries'

/**
 * Switches each MCP server off. A key of `--config` is split at its dots and knows no quotes (read in its source), so
 * other names than plain ones go as the keys of one inline table, which comes first because it replaces what stands.
 */
function withoutServers(names: readonly string[]): string[] {
  const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)
  const odd = names.filter(name => !isPlain(name)).map(name => `${JSON.stringify(name)}={enabled=false}`)
  return [
    ...(odd.length > 0 ? ['--config', `mcp_servers={${odd.join(',')}}`] : []),
    ...names.filter(isPlain).flatMap(name => ['--config', `mcp_servers.${name}.enabled=false`]),
  ]
}

const temporaryOf = (task: Task): string => `${task.folder}/${temporary}`

/** A writer's temporary folder is its own and named to the sandbox; none that is shared, whatever TMPDIR says, is writable. */
const noSharedTemporary = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap(name => ['--config', `sandbox_workspace_write.${name}=true`])

function argsOf(task: Task, facts: CodexFacts): string[] {
  const { model, effort, resume } = task
  const isWriter = task.mode === 'write'
  return [
    ...(facts.features ?? []).filter(unwanted).flatMap(feature => ['--disable', feature]),
    // A resumed thread does not inherit its sandbox, and takes no --cd: it works where the process starts.
    'exec', '--sandbox', ...(isWriter ? ['workspace-write', '--add-dir', temporaryOf(task)] : ['read-only']),
    ...(resume ? ['resume'] : []),
    '--json', '--output-last-message', `${task.folder}/${answerFile}`,
    ...(resume ? [] : ['--cd', task.cwd]),
    ...(model ? ['--model', model] : []),
    ...(effort ? ['--config', `model_reasoning_effort=${effort}`] : []),
    ...(isWriter ? noSharedTemporary : []),
    ...(task.mcp ? [] : withoutServers(facts.mcpServers ?? [])),
    ...(task.inGit ? [] : ['--skip-git-repo-check']),
    ...(resume ? [resume.session] : []),
    '-',
  ]
}

const notesOf = (task: Task, facts: CodexFacts): string[] => [
  ...(facts.features === null ? ['codex could not list its features: it may start subagents'] : []),
  ...(!task.mcp && facts.mcpServers === null ? ['codex could not list its MCP servers: those of its configuration start'] : []),
]

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

/** Refusals of the sandbox stand nowhere but in codex's own log lines. */
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
      log.failure = text(event, 'error', 'message') ?? log.lastError ?? 'codex reported a failed turn without a message'
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
  if (exitSaysFailed(exit)) return failed('error', `codex ended with exit code ${exit.code} after its turn`)
  return answer ? { ok: true } : brokenOff(seen, exit) ?? failed('no_result', 'codex completed its turn without a message')
}

function warningsOf(log: Log, task: Task, verdict: Verdict, exit: ExitFacts): string[] {
  const last = log.lastError !== undefined && (verdict.ok || plain(log.lastError, 500) !== verdict.error)
    ? [plain(log.lastError, signLength)] : []
  const retries = log.lastRetry && verdict.ok ? [`codex retried ${log.retries} times; last: ${log.lastRetry}`] : []
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

function read(task: Task): Reader {
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

export default defineProvider<CodexFacts>({
  kind: 'provider',
  api: 1,
  id: 'codex',
  summary: 'OpenAI Codex CLI',
  aliases: ['openai-codex'],
  vendor: 'openai',
  executable: 'codex',
  rank: 1,
  can: {
    resume: true, readOnly: 'enforced', model: true, effort: true, costCap: false, tokens: true, cost: false,
    blocksSubagents: true, blocksMcp: true,
    allowCommands: false, ownCommand: false, silent: false, promptVia: 'stdin',
    // 1,048,576 characters are its limit; 1,000,000 were seen to pass.
    maxPrompt: { size: 1_000_000, unit: 'characters' },
  },
  // The npm wrapper passes TERM on and is gone in 50 ms; only a KILL of the wrapper alone would leave the program behind.
  stop: [],
  parentEnv: ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_INTERNAL_ORIGINATOR_OVERRIDE'],
  assumed: { features: null, mcpServers: null },
  async inspect(cli) {
    const [features, servers] = await Promise.all([cli.ask(['features', 'list']), cli.ask(['mcp', 'list', '--json'])])
    return {
      features: features.code === 0 ? featuresOn(features.stdout) : null,
      mcpServers: servers.code === 0 ? serverNames(servers.stdout) : null,
    }
  },
  async probe(cli) {
    const [version, login] = await Promise.all([cli.ask(['--version']), cli.ask(['login', 'status'])])
    return { version: versionIn(version.stdout), loggedIn: login.code === null ? null : login.code === 0 }
  },
  invoke: (task, facts) => ({
    file: 'codex',
    args: argsOf(task, facts),
    ...(task.mode === 'write' ? { env: { TMPDIR: temporaryOf(task) }, folders: [temporary] } : {}),
    stdin: task.prompt,
    answerFile,
    notes: notesOf(task, facts),
  }),
  read,
})
