/** What workers do to their own logs and answers, over whole waves: it is their own failure and nobody else's. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { setUp } from '../../../lib/run/setup.ts'
import { probeProviders } from '../../../lib/run/probe.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { entry, waveRig, type WaveRig } from '../../kit/wave.ts'

/** A provider around `cat` with these members. */
const plugin = (members: string): string => `export default kit => kit.defineProvider({ kind: 'provider', api: 1, id: 'odd', summary: 's', aliases: [], executable: 'cat',
  can: { resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false, blocksSubagents: false, blocksMcp: false,
    allowCommands: false, ownCommand: false, silent: false, promptVia: 'stdin', maxPrompt: { size: 1000000, unit: 'bytes' } },
  stop: [], parentEnv: [], assumed: null, invoke: task => ({ file: 'cat', args: [], stdin: task.prompt }),
  read: () => ({ line: () => null, settle: () => ({ verdict: { ok: true }, text: 'x' }) }), ${members} })`

async function oddRig(members: string): Promise<WaveRig> {
  const rig = await waveRig({ ALETHE_PLUGIN_PATH: 'odd.mjs' })
  await writeFile(join(rig.work, 'odd.mjs'), plugin(members))
  return rig
}

suite('wave output', test => {
  test('an answer file that is a socket, a folder or a link to nowhere is no answer, and ends nobody else', async () => {
    await using rig = await waveRig()
    // Only a process that is killed leaves its socket behind.
    const socket = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    const make = { socket: [process.execPath, '-e', socket, '{result}'], folder: ['mkdir', '{result}'], link: ['ln', '-s', '/no/where', '{result}'] }
    const ran = await rig.run({ maxConcurrent: 4, workers: [
      ...Object.entries(make).map(([id, [command, ...args]]) => ({ id, command, args })), { id: 'good', command: 'cat' },
    ] })
    assert.equal(ran.workers.map(({ id, status }) => [id, status]), [['socket', 'failed'], ['folder', 'failed'], ['link', 'failed'], ['good', 'succeeded']])
  })

  test('a plugin that throws where it is asked before the start refuses the plan and is named', async () => {
    for (const members of ['inspect: async () => { throw new Error("oh no") }', 'advise: () => { throw new Error("oh no") }']) {
      await using rig = await oddRig(members)
      const error = await thrown(() => rig.run({ workers: [{ id: 'a', provider: 'odd' }] }))
      assert.equal(error instanceof Fail && [error.problem.code, error.message], ['plugin.broken', 'The plugin "odd" failed: oh no'])
    }
  })

  test('a plugin that throws when it is probed says so in its own line', async () => {
    await using rig = await oddRig('probe: async () => { throw new Error("oh no") }')
    const { providers } = await probeProviders(rig.host, entry, [])
    assert.equal(providers.find(({ provider }) => provider === 'odd')?.notes, ['The plugin "odd" failed: oh no'])
    assert.ok((await setUp(rig.host, entry)).providers.size > 1)
  })

  test('a line that is too long to read keeps how it began', async () => {
    await using rig = await waveRig()
    const script = `printf '{"type":"assistant","message":"'; head -c 20000000 /dev/zero | tr '\\0' x; echo`
    await rig.fake('claude', `case "$1" in --help|--version) exit 0;; esac\ncat >/dev/null\n${script}`)
    const outcome = (await rig.run({ workers: [{ id: 'a', provider: 'claude' }] })).outcome('a')
    assert.is(outcome.failureKind, 'invalid_output')
    assert.match(outcome.error ?? '', /2000003[0-9].*\{"type":"assistant"/)
    assert.ok((await readFile(outcome.stdoutPath ?? '')).length > 20_000_000)
  })
}, 60_000)
