/** MCP servers that the user has configured start only for workers that ask for them. */
import { existsSync } from 'node:fs'
import { appendFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, clis, codex, type Cli } from './install.ts'
import { toolsOffered } from './look.ts'
import type { Rig } from './rig.ts'

const server = fileURLToPath(new URL('mcp-server.mjs', import.meta.url))

/** Names of configured servers whose process was started. */
const startedServers = async (rig: Rig): Promise<string[]> => (await readdir(rig.path)).filter(name => name.startsWith('mcp-')).sort()

const words = (rig: Rig, name: string): { command: string; args: string[] } => ({ command: process.execPath, args: [server, join(rig.path, `mcp-${name}`)] })

/** Configures servers the ways a user can: for all projects and for this one. */
async function configure(rig: Rig, cli: Cli): Promise<void> {
  if (cli.program === 'codex') {
    // A name with a dot needs quotes in the file, and has to be switched off all the same.
    for (const name of ['user', 'odd.name']) {
      const { command, args } = words(rig, name)
      await appendFile(join(rig.codexHome, 'config.toml'), `\n[mcp_servers.${JSON.stringify(name)}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`)
    }
    return
  }
  const local = { [rig.repo]: { mcpServers: { local: words(rig, 'local') } } }
  await writeFile(join(rig.home, '.claude.json'), JSON.stringify({ mcpServers: { user: words(rig, 'user') }, projects: local }))
  await writeFile(join(rig.repo, '.mcp.json'), JSON.stringify({ mcpServers: { project: words(rig, 'project') } }))
}

const plan = (cli: Cli, more: object): { workers: Record<string, unknown>[] } => ({ workers: [{ id: 'a', provider: cli.program, task: '[[say hi]]', ...more }] })

realSuite('MCP', test => {
  test('no configured server is started for a worker that does not ask', clis, async (rig, cli) => {
    await configure(rig, cli)
    const ran = await rig.run(plan(cli, {}))
    assert.is(ran.status, 'done')
    assert.equal(await startedServers(rig), [])
    assert.not.match(toolsOffered(rig.serverOf(cli).asked).join(), /marker/)
  })

  test('the user\'s servers are started for a worker that asks', claudes, async (rig, cli) => {
    await configure(rig, cli)
    const ran = await rig.run(plan(cli, { mcp: true }))
    assert.is(ran.status, 'done')
    const started = await startedServers(rig)
    assert.ok(started.includes('mcp-user') && started.includes('mcp-local'), started.join())
  })

  test('the user\'s servers are started for a worker that asks', [codex], async (rig, cli) => {
    await configure(rig, cli)
    const ran = await rig.run(plan(cli, { mcp: true }))
    assert.is(ran.status, 'done')
    assert.ok(existsSync(join(rig.path, 'mcp-user')))
  })
})
