/** What the claude provider learns from a machine; the machine here is made up. */
import type { Cli } from '../../../lib/plugin/provider.ts'
import claude from '../../../plugins/providers/claude.ts'
import { assert, suite } from '../../kit/check.ts'

type Answer = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
const says = (stdout: string, code: number | null = 0): Answer => ({ code, stdout, stderr: '' })
const allow = (...rules: readonly unknown[]): string => JSON.stringify({ permissions: { allow: rules } })

type Texts = Readonly<Record<string, string>>
interface Machine { readonly answers?: Readonly<Record<string, Answer>>; readonly files?: Texts; readonly env?: Texts }
const cli = ({ answers = {}, files = {}, env = {} }: Machine): Cli => ({
  ask: args => Promise.resolve(answers[args.join(' ')] ?? says('', null)),
  readText: path => Promise.resolve(files[path] ?? null),
  env,
  home: '/home/u',
})
const inspect = async (machine: Machine): Promise<typeof claude.assumed> => {
  const facts = await claude.inspect?.(cli(machine))
  assert.ok(facts)
  return facts
}

suite('claude inspection', test => {
  test('options come from the help text, and are assumed where it cannot be had', async () => {
    const { flags } = await inspect({ answers: { '--help': says('  --tools <tools...>  x\n  --effort <level>') } })
    assert.ok(flags.includes('--tools') && !flags.includes('--max-budget-usd'))
    assert.equal((await inspect({})).flags, claude.assumed.flags)
    assert.equal((await inspect({ answers: { '--help': says('--tools', 1) } })).flags, claude.assumed.flags)
  })

  test('an allow rule for Bash in the user\'s or the machine\'s settings is seen', async () => {
    const settings = '/home/u/.claude/settings.json'
    for (const rule of ['Bash', 'Bash(npm test:*)', ' Bash(*)']) {
      assert.is((await inspect({ files: { [settings]: allow('Read', rule) } })).bashAllowed, true, rule)
    }
    for (const text of [
      allow('Read', 'BashOutput', 3, null), '{', '[]', 'null', '{"permissions":{"allow":"Bash"}}',
      '{"permissions":{"deny":["Bash"]}}',
    ]) {
      assert.is((await inspect({ files: { [settings]: text } })).bashAllowed, false, text)
    }
    assert.is((await inspect({ files: { '/etc/claude-code/managed-settings.json': allow('Bash') } })).bashAllowed, true)
  })

  test('CLAUDE_CONFIG_DIR moves the settings', async () => {
    const env = { CLAUDE_CONFIG_DIR: '/cfg' }
    assert.is((await inspect({ env, files: { '/cfg/settings.json': allow('Bash') } })).bashAllowed, true)
    assert.is((await inspect({ env, files: { '/home/u/.claude/settings.json': allow('Bash') } })).bashAllowed, false)
    const files = {
      '/cfg/.claude.json': JSON.stringify({ projects: { '/a': { hasTrustDialogAccepted: true } } }),
      '/a/.claude/settings.json': allow('Bash'),
    }
    assert.equal((await inspect({ env, files })).bashFolders, ['/a'])
  })

  test('allow rules of a project count where the user trusts the folder', async () => {
    const projects = {
      '/a': { hasTrustDialogAccepted: true }, '/b': { hasTrustDialogAccepted: true }, '/c': { hasTrustDialogAccepted: false },
      '/d': null,
    }
    const files = {
      '/home/u/.claude.json': JSON.stringify({ projects }),
      '/a/.claude/settings.local.json': allow('Bash(make:*)'), '/b/.claude/settings.json': allow('Read'),
      '/c/.claude/settings.json': allow('Bash'), '/d/.claude/settings.json': allow('Bash'),
    }
    assert.equal((await inspect({ files })).bashFolders, ['/a'])
  })

  test('more trusted folders than are looked at count as one that allows Bash', async () => {
    const trusted = (count: number): Record<string, string> => ({
      '/home/u/.claude.json': JSON.stringify({ projects: Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, { hasTrustDialogAccepted: true }])) }),
    })
    assert.equal([(await inspect({ files: trusted(100) })).bashAllowed, (await inspect({ files: trusted(101) })).bashAllowed], [false, true])
  })

  test('what bills an API account is named, never shown', async () => {
    const facts = await inspect({
      env: { ANTHROPIC_API_KEY: 'very-secret', ANTHROPIC_AUTH_TOKEN: '', CLAUDE_CODE_OAUTH_TOKEN: 'plan' },
      files: { '/home/u/.claude/settings.json': '{"apiKeyHelper":"cat key"}' },
    })
    assert.equal(facts.billing, ['ANTHROPIC_API_KEY', 'apiKeyHelper'])
    assert.not.match(JSON.stringify(facts), /very-secret|cat key/)
  })

  test('probe() reads version and login, and shows no key', async () => {
    const probe = (login: Answer, env = {}): unknown => claude.probe?.(
      cli({ answers: { '--version': says('2.1.197 (Claude Code)\n'), 'auth status': login }, env }),
    )
    assert.equal(await probe(says('{"loggedIn":true,"authMethod":"oauth_token"}')), { version: '2.1.197', loggedIn: true })
    assert.equal(await probe(says('{"loggedIn":false,"authMethod":"none"}', 1)), { version: '2.1.197', loggedIn: false })
    assert.equal(await probe(says('not JSON', 1)), { version: '2.1.197', loggedIn: false })
    assert.equal(await claude.probe?.(cli({})), { version: null, loggedIn: null })
    assert.equal(await probe(says('{"loggedIn":true}'), { ANTHROPIC_API_KEY: 'k' }), {
      version: '2.1.197', loggedIn: true, notes: ['billed to an API account, not to the plan, because of ANTHROPIC_API_KEY'],
    })
  })
})
