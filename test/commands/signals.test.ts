import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { allGone, answerOf, type CliRig, cliRig, statuses } from '../kit/cli.ts'
import type { Started } from '../kit/command.ts'
import { fakeFamily, wholeFamily } from '../kit/family.ts'
import { until } from '../kit/until.ts'

interface Way { readonly name: string; readonly send: (run: Started, rig: CliRig) => Promise<void> | void }

const toGroup = (run: Started, signal: NodeJS.Signals): void => { process.kill(-run.child.pid!, signal) }

const ways: readonly Way[] = [
  { name: 'ctrl-c', send: run => { toGroup(run, 'SIGINT') } },
  { name: 'term', send: run => { run.child.kill('SIGTERM') } },
  { name: 'hup', send: run => { run.child.kill('SIGHUP') } },
  {
    name: 'twice',
    send: async (run, rig) => {
      run.child.kill('SIGTERM')
      // The second comes while the first is being obeyed.
      await until(async () => (await rig.told('twice-term')).length > 0)
      run.child.kill('SIGTERM')
    },
  },
]

async function interrupt(rig: CliRig, { name, send }: Way): Promise<void> {
  const plan = await rig.plan({ maxConcurrent: 1, workers: [
    { id: 'first', command: 'cat' }, { id: 'long', command: 'family', args: [name] }, { id: 'late', command: 'cat' },
  ] }, `${name}.json`)
  await using run = rig.start('run', [plan, '--json', '--run-dir', name], { group: true })
  const family = await wholeFamily(rig, name, run)
  await send(run, rig)
  const answer = answerOf(await run.ended)
  assert.equal([answer.code, answer.status, statuses(answer)], [130, 'interrupted', { first: 'succeeded', long: 'stopped', late: 'skipped stopped' }], name)
  await allGone(family)
  const { status, workers } = await rig.state(answer.runDir)
  assert.equal([status, workers['long']?.status], ['interrupted', 'stopped'], name)
  assert.ok(existsSync(join(answer.runDir, 'STOP')))
  // Cleaned up once: nobody was asked twice.
  assert.is((await rig.told(`${name}-term`)).length, 1, name)
}

suite('signals to a run', test => {
  test('Ctrl-C, TERM, HUP and a signal that comes twice end all workers and their helpers once, and say so', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    await Promise.all(ways.map(way => interrupt(rig, way)))
    const { status, done, code } = await rig.answer('wait', ['hup'])
    assert.equal([status, done, code], ['interrupted', true, 1])
  }, 120_000)

  test('a signal while the plan is still looked at starts nothing, also not detached', async () => {
    await using rig = await cliRig()
    await rig.fake('claude', 'told asked $$; exec sleep 300')
    const plan = await rig.plan({ workers: [{ id: 'a', provider: 'claude' }] })
    await using run = rig.start('run', [plan, '--detach', '--json'])
    const asked = await rig.named('asked', 1, run)
    run.child.kill('SIGTERM')
    // The question is given up; the answer that came too late changes nothing.
    for (const { pid } of asked) process.kill(pid, 'SIGKILL')
    const { code, error } = answerOf(await run.ended)
    assert.equal([code, error?.code], [130, 'run.interrupted'])
    assert.equal(rig.runFolders(), [])
  }, 120_000)
})
