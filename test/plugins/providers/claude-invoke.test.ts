/** Command lines of the claude provider. */
import type { Invocation, Task } from '../../../lib/plugin/provider.ts'
import claude from '../../../plugins/providers/claude.ts'
import { assert, suite } from '../../kit/check.ts'

type Facts = typeof claude.assumed
const base: Task = {
  id: 'w', prompt: 'Do it', mode: 'write', cwd: '/repo', folder: '/run/w', isolated: true, inGit: true, mcp: false,
  timeoutSeconds: 60, allowCommands: [],
}
const invoke = (task: Partial<Task> = {}, facts: Partial<Facts> = {}): Invocation => claude.invoke(
  { ...base, ...task }, { ...claude.assumed, ...facts },
)
const args = (task: Partial<Task> = {}, facts: Partial<Facts> = {}): string => invoke(task, facts).args.join(' ')

const start = '--print --output-format stream-json --verbose --permission-mode'
const noAgents = '--disable-slash-commands ' +
  '--disallowedTools Task,Agent,Workflow,SendMessage,CronCreate,ScheduleWakeup,EnterWorktree'

suite('claude invocation', test => {
  test('a writer edits without questions, starts no agents and no MCP servers', () => {
    assert.is(args(), `${start} acceptEdits ${noAgents} --strict-mcp-config`)
    assert.is(args({ mcp: true }), `${start} acceptEdits ${noAgents}`)
  })

  test('a read-only worker plans, with reading tools and Bash', () => {
    assert.is(args({ mode: 'read-only' }), `${start} plan ${noAgents} --tools Read,Glob,Grep,Bash --strict-mcp-config`)
  })

  test('a read-only worker has no Bash where settings would let it write', () => {
    const withoutBash = `${start} plan ${noAgents} --tools Read,Glob,Grep --strict-mcp-config`
    assert.is(args({ mode: 'read-only' }, { bashAllowed: true }), withoutBash)
    assert.is(args({ mode: 'read-only', cwd: '/repo/sub' }, { bashFolders: ['/repo'] }), withoutBash)
    assert.match(args({ mode: 'read-only', cwd: '/repo2' }, { bashFolders: ['/repo'] }), 'Grep,Bash')
    assert.match(args({ mode: 'read-only' }, { bashAllowed: true, flags: ['--disallowedTools'] }), /EnterWorktree,Bash$/)
    assert.ok(invoke({ mode: 'read-only' }, { bashAllowed: true }).notes?.some(note => note.includes('without Bash')))
  })

  test('model, effort, session and cost limit are passed on', () => {
    assert.is(
      args({ model: 'opus', effort: 'high', resume: { session: 's-1' } }),
      `${start} acceptEdits ${noAgents} --strict-mcp-config --effort high --model opus --resume s-1`,
    )
    const cap = (costCapUsd: number): string => /--max-budget-usd (\S+)/.exec(args({ costCapUsd }))?.[1] ?? ''
    assert.equal([0.29, 1.999, 0.004, 0, 12, 1e-9].map(cap), ['0.29', '1.99', '0.01', '0.01', '12.00', '0.01'])
    assert.is(invoke({ costCapUsd: 1 }).costCapped, true)
    assert.is(invoke().costCapped, false)
  })

  test('an option that the installed version lacks is left out and said so', () => {
    const { args: plain, notes = [], costCapped } = invoke({ costCapUsd: 1, effort: 'high', mode: 'read-only' }, { flags: [] })
    assert.is(plain.join(' '), `${start} plan`)
    assert.is(costCapped, false)
    for (const flag of ['--disallowedTools', '--tools', '--strict-mcp-config', '--max-budget-usd', '--effort']) {
      assert.ok(notes.some(note => note.includes(`no ${flag}:`)), flag)
    }
  })

  test('commands are allowed on isolated writers only, and none can end its rule', () => {
    assert.equal(
      invoke({ allowCommands: ['npm test', ' git log '] }).args.slice(-4),
      ['--allowedTools', 'Bash(npm test:*)', 'Bash(git log:*)', '--strict-mcp-config'],
    )
    assert.not.match(args({ allowCommands: ['npm test'], isolated: false }), 'Bash(')
    const odd = invoke({ allowCommands: ['x) Bash(rm', 'a\nb', ''] })
    assert.not.match(odd.args.join(' '), 'Bash(')
    assert.ok(odd.notes?.some(note => note.includes('brackets or control characters are left out: 3')))
  })

  test('the prompt goes in by stdin, with mentions wrapped and no leading slash', () => {
    const { stdin, notes } = invoke({ prompt: '/fix @src/a.ts' })
    assert.is(stdin, 'Task:\n/fix `@src/a.ts`')
    assert.is(notes?.length, 2)
  })

  test('variables that save calls are defaults, and billing off the plan is named', () => {
    assert.equal(invoke().envDefaults, { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' })
    assert.equal(invoke().notes, [])
    assert.match(invoke({}, { billing: ['ANTHROPIC_API_KEY'] }).notes?.[0] ?? '', 'ANTHROPIC_API_KEY')
  })

})
