import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapLimited } from '../../lib/base/pool.ts'
import { assert, suite } from '../kit/check.ts'
import { allGone, type CliRig, cliRig, identityAt, killNow } from '../kit/cli.ts'
import { fakeFamily, wholeFamily } from '../kit/family.ts'

const bad: Readonly<Record<string, string>> = {
  empty: '', half: '{"version":1,"status":"running","workers":{"a":{"id":"a"', list: '[]', null: 'null', newer: '{"version":99,"status":"running","workers":{}}',
}

/** Copies a run beside it with another state; the newest of the project, as the index tells. */
async function damagedRun(rig: CliRig, good: string, name: string, state: string): Promise<string> {
  const folder = join(rig.runs, `run-20261201-000000-${Buffer.from(name).toString('hex').padEnd(8, '0').slice(0, 8)}`)
  await cp(good, folder, { recursive: true })
  await chmod(folder, 0o700)
  await writeFile(join(folder, 'state.json'), state)
  await writeFile(join(rig.runs, 'runs.jsonl'), `${JSON.stringify({ folder, project: rig.work })}\n`, { flag: 'a' })
  return folder
}

suite('a damaged run', test => {
  test('is named with its path by every command, changed by none, and hides no good run', async () => {
    await using rig = await cliRig()
    const good = (await rig.answer('run', [await rig.plan({ workers: [{ id: 'a', command: 'cat' }] })])).runDir
    const folders = await Promise.all(Object.entries(bad).map(async ([name, state]) => ({ folder: await damagedRun(rig, good, name, state), state })))
    // Not side by side: the last line of the index is the newest.
    const newest = await damagedRun(rig, good, 'last', '')
    const asked = [...folders.map(each => ({ ...each, command: 'status' })), ...folders.slice(0, 2).map(each => ({ ...each, command: 'stop' })), { folder: newest, state: '', command: 'wait' }]
    await mapLimited(asked, 3, async ({ folder, state, command }) => {
      const { code, error } = await rig.answer(command, [folder])
      assert.equal([code, error?.code], [2, 'run.unreadable'], `${command} ${state}`)
      assert.ok(error?.message.includes(join(folder, 'state.json')), error?.message)
      assert.is(await readFile(join(folder, 'state.json'), 'utf8'), state)
    })

    const [status, stop] = await Promise.all([rig.answer('status'), rig.answer('stop')])
    assert.equal([status.code, status.runDir, status.status], [0, good, 'done'])
    assert.equal(status.notes.length, 1)
    assert.ok(status.notes[0]?.includes(join(newest, 'state.json')), status.notes[0])
    // What changes things guesses nothing.
    assert.equal([stop.code, stop.error?.code, stop.error?.message.includes(newest)], [2, 'run.unreadable', true])
    assert.equal((await readdir(newest)).filter(name => name.endsWith('.tmp')), [])
  }, 120_000)

  const title = 'that may not be read is named with its path'
  if (process.getuid?.() === 0) test.skip(title, 'root may read everything')
  else test(title, async () => {
    await using rig = await cliRig()
    const good = (await rig.answer('run', [await rig.plan({ workers: [{ id: 'a', command: 'cat' }] })])).runDir
    const folder = await damagedRun(rig, good, 'closed', '{}')
    await chmod(join(folder, 'state.json'), 0)
    const answers = await Promise.all(['status', 'stop'].map(command => rig.answer(command, [folder])))
    for (const { code, error } of answers) assert.equal([code, error?.message.includes(join(folder, 'state.json')), error?.message.includes('EACCES')], [2, true, true])
    assert.is((await rig.answer('status')).runDir, good)
  }, 120_000)

  if (process.platform !== 'linux') test.skip('still has its processes ended by stop', 'only Linux shows the environment of others, by which they are found')
  else test('still has its processes ended by stop, and by the guard when its folder is gone', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'family', args: ['family'] }] })
    const { runDir, pid } = await rig.answer('run', [plan, '--detach'])
    const family = await wholeFamily(rig, 'family')
    const runner = await identityAt(pid)
    process.kill(runner.pid, 'SIGSTOP')
    await writeFile(join(runDir, 'state.json'), '{')
    const { code, error } = await rig.answer('stop')
    assert.equal([code, error?.code], [2, 'run.unreadable'])
    await allGone(family)
    process.kill(runner.pid, 'SIGCONT')
    await allGone([runner])

    await mkdir(join(rig.work, 'mine'), { mode: 0o700 })
    const second = await rig.answer('run', [plan, '--detach', '--run-dir', 'mine'])
    const all = (await rig.named('family', 8)).slice(-4)
    await writeFile(join(second.runDir, 'state.json'), '')
    killNow(await identityAt(second.pid))
    await allGone(all)
  }, 120_000)
})
