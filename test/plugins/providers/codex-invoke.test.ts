/** Command lines of the codex provider, and what it learns from the installed CLI. */
import type { Cli, Invocation, Task } from '../../../lib/plugin/provider.ts'
import codex from '../../../plugins/providers/codex.ts'
import { assert, suite } from '../../kit/check.ts'
import { taskWith } from '../../kit/reading.ts'

type Facts = typeof codex.assumed
const known: Facts = { features: [], mcpServers: [] }
const invoke = (task: Partial<Task> = {}, facts: Partial<Facts> = {}): Invocation =>
  codex.invoke(taskWith(task), { ...known, ...facts })
const args = (task: Partial<Task> = {}, facts: Partial<Facts> = {}): string => invoke(task, facts).args.join(' ')

const ask = (answers: Readonly<Record<string, readonly [number | null, string, string?]>>): Cli => ({
  ask: words => {
    const [code, stdout, stderr = ''] = answers[words.join(' ')] ?? [null, '']
    return Promise.resolve({ code, stdout, stderr })
  },
  readText: () => Promise.resolve(null), env: {}, home: '/home/u',
})

const output = '--json --output-last-message /run/w/answer.txt'
const writer = '--config sandbox_workspace_write.exclude_slash_tmp=true --config sandbox_workspace_write.exclude_tmpdir_env_var=true'

suite('codex invocation', test => {
  test('a writer works in its folder, with a temporary folder of its own instead of /tmp', () => {
    assert.is(args(), `exec --sandbox workspace-write --add-dir /run/w/tmp ${output} --cd /repo ${writer} -`)
    const { stdin, answerFile, env, folders } = invoke()
    assert.equal({ stdin, answerFile, env, folders },
      { stdin: 'Do it', answerFile: 'answer.txt', env: { TMPDIR: '/run/w/tmp' }, folders: ['tmp'] })
  })

  test('a read-only worker gets the read-only sandbox and nothing to write into', () => {
    assert.is(args({ mode: 'read-only' }), `exec --sandbox read-only ${output} --cd /repo -`)
    assert.is(invoke({ mode: 'read-only' }).env, undefined)
  })

  test('a resumed thread names its sandbox again and takes no --cd', () => {
    assert.is(
      args({ resume: { session: '01' }, model: 'gpt-5.5', effort: 'low', inGit: false, mode: 'read-only' }),
      `exec --sandbox read-only resume ${output} --model gpt-5.5 --config model_reasoning_effort=low --skip-git-repo-check 01 -`,
    )
  })

  test('subagents and endless retries are switched off where the installed version has them', () => {
    const features = ['multi_agent', 'multi_agent_v2', 'unbounded_connection_retries', 'plugins']
    assert.match(args({}, { features }),
      /^--disable multi_agent --disable multi_agent_v2 --disable unbounded_connection_retries exec /)
    assert.equal(invoke({}, { features: null }).notes, ['codex could not list its features: it may start subagents'])
  })

  test('each MCP server is switched off by name, also one whose name is no plain key', () => {
    const mcpServers = ['docs', 'a.b', 'say "x"']
    const table = String.raw`mcp_servers={"a.b"={enabled=false},"say \"x\""={enabled=false}}`
    assert.match(args({}, { mcpServers }), `--config ${table} --config mcp_servers.docs.enabled=false -`)
    assert.not.match(args({ mcp: true }, { mcpServers }), 'mcp_servers')
    assert.is(invoke({}, { mcpServers: null }).notes?.length, 1)
  })

  test('features that are on and names of servers are read from the CLI; secrets beside them are dropped', async () => {
    const facts = await codex.inspect?.(ask({
      'features list': [0, 'multi_agent  deprecated  true\nshiny  under development  true\nold  removed  false\nbroken\n\n'],
      'mcp list --json': [0, '[{"name":"docs","enabled":true,"transport":{"env":{"TOKEN":"s3cret"}}},{"x":1},null]'],
    }))
    assert.equal(facts, { features: ['multi_agent', 'shiny'], mcpServers: ['docs'] })
    assert.equal(await codex.inspect?.(ask({})), codex.assumed)
    assert.equal(await codex.inspect?.(ask({ 'features list': [1, 'x  stable  true'], 'mcp list --json': [0, 'none'] })),
      codex.assumed)
  })

  test('the exit code of `login status` tells whether it is logged in', async () => {
    const report = (code: number | null) =>
      codex.probe?.(ask({ '--version': [0, 'codex-cli 0.171.0\n'], 'login status': [code, '', 'Not logged in'] }))
    assert.equal(await report(1), { version: '0.171.0', loggedIn: false })
    assert.equal(await report(0), { version: '0.171.0', loggedIn: true })
    assert.equal(await report(null), { version: '0.171.0', loggedIn: null })
  })
})
