import { readFile } from 'node:fs/promises'
import { mapLimited } from '../../lib/base/pool.ts'
import { assert, suite } from '../kit/check.ts'
import { answerOf, cliRig, commandNames } from '../kit/cli.ts'

/** So many at a time: they are short, and the machine is shared. */
const atOnce = 3

suite('every command', test => {
  test('--help tells usage, options, examples and exit codes on stdout, and starts nothing', async () => {
    await using rig = await cliRig()
    const all = await mapLimited(commandNames, atOnce, async name => ({ name, ...await rig.run(name, ['--help']) }))
    for (const { name, code, stdout, stderr } of all) {
      assert.equal([code, stderr], [0, ''], name)
      for (const part of [`Usage: ${name}`, '--json', 'Examples:', 'Exit codes:', '130']) assert.ok(stdout.includes(part), `${name} has no "${part}":\n${stdout}`)
      assert.ok(Buffer.byteLength(stdout) <= 3 * 1024, name)
    }
    assert.ok(all.length >= 11)
    assert.equal(rig.runFolders(), [])
  }, 120_000)

  test('an unknown option is refused as one object on stdout with --json, with the option that was meant', async () => {
    await using rig = await cliRig()
    await mapLimited(['run', 'stop', 'guard'], atOnce, async name => {
      const answer = answerOf(await rig.run(name, ['--jsn', '--json']))
      assert.equal([answer.code, answer.error?.code, answer.error?.hint], [2, 'usage.unknown-option', 'use --json'], name)
    })
    const { code, stdout, stderr } = await rig.run('run', ['plan.json', '--detatch'])
    assert.equal([code, stdout, stderr], [2, '', 'error: There is no option "--detatch" [usage.unknown-option]\nhint: use --detach\n'])
  }, 120_000)

  test('--version is that of the package, also as an object', async () => {
    await using rig = await cliRig()
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
    const [text, json] = await Promise.all([rig.run('run', ['--version']), rig.run('wait', ['--version', '--json'])])
    assert.equal([text.stdout, JSON.parse(json.stdout)], [`${version}\n`, { version }])
  }, 120_000)
})
