/**
 * OpenAI's `codex exec --json`. Everything said here of its behaviour was measured on codex-cli 0.171.0, unless marked.
 * The task goes in by stdin, the answer comes back in a file (and, if that is empty, in the last agent message). Only
 * `turn.failed` and the exit code tell a failure: `error` events and error items stand in runs that go well.
 */
import { defineProvider, parseJson, type Task, text, threadStream, versionIn } from '../../lib/plugin/kit.ts'

/** What the installed codex can do; null where it could not be asked. */
interface CodexFacts {
  /** Names of the features that are on. */
  readonly features: readonly string[] | null
  /** Names of the MCP servers it would start. */
  readonly mcpServers: readonly string[] | null
}

const answerFile = 'answer.txt'
const temporary = 'tmp'

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
  read: threadStream,
})
