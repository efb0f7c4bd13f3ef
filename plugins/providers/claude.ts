/**
 * Anthropic's Claude Code, headless: `claude --print --output-format stream-json`. Everything said here of its behaviour
 * was measured on claude 2.1.197 and 2.1.332. The task goes in by stdin, JSON lines come back. An option is used only
 * when the installed version lists it.
 */
import {
  claudeFlags, claudeStream, type Cli, defineProvider, field, isJson, list, parseJson, type ProbeReport, safePrompt, type Task,
  text, versionIn,
} from '../../lib/plugin/kit.ts'

interface ClaudeFacts {
  /** Options that the installed CLI has. */
  readonly flags: readonly string[]
  /** The user's settings allow Bash commands without a question: in plan mode, too, they then run and may write. */
  readonly bashAllowed: boolean
  /** Trusted folders whose own settings do. */
  readonly bashFolders: readonly string[]
  /** Names of set variables (or settings) that bill an API account instead of the plan. */
  readonly billing: readonly string[]
}

/** Tools that start agents, timers or other work outside the task. */
const agentTools = ['Task', 'Agent', 'Workflow', 'SendMessage', 'CronCreate', 'ScheduleWakeup', 'EnterWorktree']
const readTools = ['Read', 'Glob', 'Grep']
const billingVariables = [
  'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY',
]
const managedSettings = [
  '/etc/claude-code/managed-settings.json', '/Library/Application Support/ClaudeCode/managed-settings.json',
]
/** So many trusted folders are looked at; where there are more, any of them may allow Bash. */
const mostFolders = 100

const assumed: ClaudeFacts = {
  flags: [
    '--disable-slash-commands', '--disallowedTools', '--allowedTools', '--tools', '--strict-mcp-config', '--max-budget-usd',
    '--effort',
  ],
  bashAllowed: false, bashFolders: [], billing: [],
}

const allowsBash = (settings: unknown): boolean =>
  list(settings, 'permissions', 'allow').some(rule => typeof rule === 'string' && /^Bash\b/.test(rule.trim()))

async function settingsAt(cli: Cli, path: string): Promise<unknown> {
  const source = await cli.readText(path)
  return source === null ? undefined : parseJson(source)
}

function trustedFolders(state: unknown): string[] {
  const projects = field(state, 'projects')
  return Object.keys(isJson(projects) ? projects : {})
    .filter(folder => field(projects, folder, 'hasTrustDialogAccepted') === true)
}

/** Allow rules of a project count only in a folder that the user has trusted. */
async function foldersWithBash(cli: Cli, folders: readonly string[]): Promise<string[]> {
  const allowed = await Promise.all(folders.map(async folder => {
    const names = ['settings.json', 'settings.local.json']
    const found = await Promise.all(names.map(name => settingsAt(cli, `${folder}/.claude/${name}`)))
    return found.some(allowsBash)
  }))
  return folders.filter((_, index) => allowed[index])
}

async function inspect(cli: Cli): Promise<ClaudeFacts> {
  const configured = cli.env['CLAUDE_CONFIG_DIR']
  const own = configured || `${cli.home}/.claude`
  const [help, user, state, ...managed] = await Promise.all([
    cli.ask(['--help']),
    settingsAt(cli, `${own}/settings.json`),
    settingsAt(cli, `${configured || cli.home}/.claude.json`),
    ...managedSettings.map(path => settingsAt(cli, path)),
  ])
  const everywhere = [user, ...managed]
  const trusted = trustedFolders(state)
  return {
    flags: help.code === 0 ? claudeFlags(help.stdout) : assumed.flags,
    bashAllowed: everywhere.some(allowsBash) || trusted.length > mostFolders,
    bashFolders: await foldersWithBash(cli, trusted.slice(0, mostFolders)),
    billing: [...billingNames(cli), ...(everywhere.some(each => text(each, 'apiKeyHelper')) ? ['apiKeyHelper'] : [])],
  }
}

const billingNames = (cli: Cli): string[] => billingVariables.filter(name => cli.env[name])
const billingNotes = (names: readonly string[]): string[] =>
  names.length > 0 ? [`billed to an API account, not to the plan, because of ${names.join(', ')}`] : []

const runsBash = ({ cwd }: Task, facts: ClaudeFacts): boolean => facts.bashAllowed ||
  facts.bashFolders.some(folder => cwd === folder || cwd.startsWith(`${folder}/`) || cwd.startsWith(`${folder}\\`))

/** A rule ends at its bracket, so a command with one would end it early. */
const canBeRule = (command: string): boolean => !/[()\p{Cc}]/u.test(command) && command.trim() !== ''

/** Whole cents, rounded down; the CLI refuses 0, and checks after each call anyway. */
const cents = (usd: number): string => Math.max(0.01, Math.floor(usd * 100 + 1e-6) / 100).toFixed(2)

/** Options that depend on what the installed version has, and what is lost where it has them not. */
interface Choice { readonly flag: string; readonly when: boolean; readonly values: readonly string[]; readonly lost: string }

function choices(task: Task, facts: ClaudeFacts): Choice[] {
  const { costCapUsd, effort } = task
  const bash = runsBash(task, facts)
  const readOnly = task.mode === 'read-only'
  const banned = readOnly && bash && !facts.flags.includes('--tools') ? [...agentTools, 'Bash'] : agentTools
  const reading = bash ? readTools : [...readTools, 'Bash']
  const rules = task.isolated && !readOnly ? task.allowCommands.filter(canBeRule).map(command => `Bash(${command.trim()}:*)`) : []
  return [
    { flag: '--permission-prompts', when: facts.flags.includes('--permission-prompts'), values: ['none'], lost: '' },
    { flag: '--disable-slash-commands', when: true, values: [], lost: 'slash commands and skills stay on' },
    { flag: '--disallowedTools', when: true, values: [banned.join(',')], lost: 'it may start subagents' },
    { flag: '--tools', when: readOnly, values: [reading.join(',')], lost: 'read-only rests on plan mode alone' },
    { flag: '--allowedTools', when: rules.length > 0, values: rules, lost: 'allowCommands are left out' },
    { flag: '--strict-mcp-config', when: !task.mcp, values: [], lost: 'its configured MCP servers start' },
    { flag: '--max-budget-usd', when: costCapUsd !== undefined, values: [cents(costCapUsd ?? 0)], lost: 'it has no cost limit' },
    { flag: '--effort', when: effort !== undefined, values: [effort ?? ''], lost: 'the effort is left out' },
  ]
}

function notesOf(task: Task, facts: ClaudeFacts, missing: readonly Choice[]): string[] {
  const odd = task.allowCommands.filter(command => !canBeRule(command))
  const readOnly = task.mode === 'read-only'
  return [
    ...missing.map(({ flag, lost }) => `this claude has no ${flag}: ${lost}`),
    ...(readOnly && runsBash(task, facts) ? ['read-only without Bash: settings allow it, so plan mode would run commands'] : []),
    ...(readOnly && task.mcp ? ['read-only does not cover the tools of MCP servers'] : []),
    ...(task.allowCommands.length > 0 && !task.isolated ? ['allowCommands are left out: they need an isolated worker'] : []),
    ...(odd.length > 0 ? [`allowCommands with brackets or control characters are left out: ${odd.length}`] : []),
    ...billingNotes(facts.billing),
  ]
}

function loggedIn(printed: string, code: number | null): boolean | null {
  const status = field(parseJson(printed), 'loggedIn')
  return typeof status === 'boolean' ? status : code === null ? null : code === 0
}

async function probe(cli: Cli): Promise<ProbeReport> {
  const [version, login] = await Promise.all([cli.ask(['--version']), cli.ask(['auth', 'status'])])
  const notes = billingNotes(billingNames(cli))
  return {
    version: versionIn(version.stdout),
    loggedIn: loggedIn(login.stdout, login.code),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

export default defineProvider<ClaudeFacts>({
  kind: 'provider',
  api: 1,
  id: 'claude',
  summary: 'Anthropic Claude Code',
  aliases: ['claude-code'],
  vendor: 'anthropic',
  executable: 'claude',
  rank: 2,
  can: {
    resume: true, readOnly: 'enforced', model: true, effort: true, costCap: true, tokens: true, cost: true,
    blocksSubagents: true, blocksMcp: true, allowCommands: true, ownCommand: false, silent: false, promptVia: 'stdin',
    // It refuses more than 10 MB on stdin; mentions are wrapped on the way there.
    maxPrompt: { size: 9_000_000, unit: 'bytes' },
  },
  // TERM and KILL leave the command of a running tool alive; only INT ends it.
  stop: ['SIGINT'],
  parentEnv: [
    'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_HOST_SESSION_ID',
    'CLAUDE_CODE_MESSAGING_*', 'CLAUDE_CODE_SSE_PORT', 'AI_AGENT',
  ],
  assumed,
  inspect,
  probe,
  invoke(task, facts) {
    const wanted = choices(task, facts).filter(({ when }) => when)
    const used = wanted.filter(({ flag }) => facts.flags.includes(flag))
    const { prompt, notes } = safePrompt(task.prompt)
    return {
      file: 'claude',
      args: [
        '--print', '--output-format', 'stream-json', '--verbose',
        '--permission-mode', task.mode === 'read-only' ? 'plan' : 'acceptEdits',
        ...used.flatMap(({ flag, values }) => [flag, ...values]),
        ...(task.model === undefined ? [] : ['--model', task.model]),
        ...(task.resume ? ['--resume', task.resume.session] : []),
      ],
      // Each saves a billed call for a title, and a program that changes while the wave runs.
      envDefaults: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
      stdin: prompt,
      notes: [...notes, ...notesOf(task, facts, wanted.filter(({ flag }) => !facts.flags.includes(flag)))],
      costCapped: used.some(({ flag }) => flag === '--max-budget-usd'),
    }
  },
  read: () => claudeStream(),
})
