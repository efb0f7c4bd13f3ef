import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { answerOf, cliRig, statuses } from '../kit/cli.ts'

const clis = ['claude', 'codex', 'kimi', 'agy']

suite('an open stdin', test => {
  test('holds up neither a check, nor a question to a CLI that reads its input to the end, nor a worker', async () => {
    await using rig = await cliRig()
    for (const name of clis) await rig.fake(name, 'cat >/dev/null; case "$*" in *version*) echo "1.2.3";; esac; exit 0')
    const planned = await rig.plan({ workers: clis.map(provider => ({ id: provider, provider })) })
    const custom = await rig.plan({ workers: [{ id: 'reads', command: 'cat', promptTransport: 'argument' }, { id: 'counts', command: 'wc', args: ['-c'] }] }, 'custom.json')
    const pipe = join(rig.path, 'pipe')
    spawnSync('mkfifo', [pipe])
    // Open for both: whoever inherits it never sees an end.
    const stdin = openSync(pipe, constants.O_RDWR)
    try {
      const ends = await Promise.all([['validate', planned], ['dry-run', planned], ['probe'], ['run', custom], ['status']]
        .map(([command = '', ...args]) => rig.start(command, [...args, '--json'], { stdin, limitMs: 20_000 }).ended))
      const [validated, previewed, probed, ran] = ends.slice(0, 4).map(answerOf)
      assert.equal([validated?.code, previewed?.code, probed?.code], [0, 0, 0])
      const versions = (probed?.['providers'] as { version?: string }[]).map(({ version }) => version)
      assert.equal(versions, clis.map(() => '1.2.3'))
      assert.is(statuses(ran!)['counts'], 'succeeded')
      assert.equal(ends.map(({ signal }) => signal), ends.map(() => null))
    } finally {
      closeSync(stdin)
    }
  }, 120_000)
})
