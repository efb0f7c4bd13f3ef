import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Identity } from '../../lib/io/process/identity.ts'
import { rowOf } from '../../lib/io/process/rows.ts'
import { workerFiles } from '../../lib/run/layout.ts'
import { assert, suite } from '../kit/check.ts'
import { init, result, says } from '../kit/claude-lines.ts'
import { allGone, answerOf, type CliRig, cliRig, identityAt, isAlive, killNow, statuses } from '../kit/cli.ts'
import type { Started } from '../kit/command.ts'
import { fakeFamily, wholeFamily } from '../kit/family.ts'
import { until } from '../kit/until.ts'

/** Stands for claude: answers questions with nothing, prints a whole good stream, tells that, and stays. */
const answersAndStays = `case "$1" in --help|--version) exit 0;; esac
cat >/dev/null
${[init, says('hello'), result()].map(line => `printf '%s\\n' '${line}'`).join('\n')}
told answered $$
exec sleep 300`

async function makePlan(rig: CliRig): Promise<string> {
  await fakeFamily(rig)
  await rig.fake('claude', answersAndStays)
  await rig.fake('later', 'told later $$; exec sleep 300')
  return rig.plan({ maxConcurrent: 3, workers: [
    { id: 'ended', command: 'cat' }, { id: 'proved', provider: 'claude' }, { id: 'family', command: 'family', args: ['family'] },
    { id: 'later', command: 'later' }, { id: 'never', command: 'cat' },
  ] })
}

/** Waits until a run of that plan is under way, and returns its processes. */
const underWay = async (rig: CliRig, by?: Started): Promise<Identity[]> =>
  [...await wholeFamily(rig, 'family', by), ...await rig.named('answered', 1, by), ...await rig.named('later', 1, by)]

/** The guard of a runner: the one child that is a shell of that name. */
function guardOf(runner: Identity): number {
  const found = readdirSync('/proc').map(Number).filter(pid => pid > 1 && rowOf(pid)?.ppid === runner.pid
    && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0alethe-guard\0'))
  assert.is(found.length, 1)
  return found[0]!
}

/** Waits for a worker's outcome; of the others the state may not even tell yet that they began. */
const recorded = (runDir: string, id: string): Promise<void> => until(() => existsSync(workerFiles(runDir, id).outcome))

/** What a killed run of that plan is settled to. */
const settled = { ended: 'succeeded', proved: 'succeeded', family: 'interrupted', later: 'interrupted', never: 'interrupted' }

suite('a killed runner', test => {
  if (process.platform !== 'linux') {
    test.skip('takes nothing with it and leaves nothing behind', 'only Linux shows the environment of others, by which helpers are found')
    return
  }

  for (const way of ['foreground', 'detached'] as const) {
    test(`in the ${way} has its workers and all their helpers ended by its guard, and its run is settled once`, async () => {
      await using rig = await cliRig()
      await using run = rig.start('run', [await makePlan(rig), '--json', ...way === 'detached' ? ['--detach'] : []])
      const all = await underWay(rig)
      const [runDir = ''] = rig.runFolders()
      await recorded(runDir, 'ended')
      const runner = await identityAt((await rig.state(runDir)).runnerPid)
      if (way === 'detached') assert.is(answerOf(await run.ended).pid, runner.pid)
      else assert.is(run.child.pid, runner.pid)
      killNow(runner)
      await allGone(all)

      const seen = await rig.answer('status')
      assert.equal([seen.code, seen.status, seen.done, seen.notes, statuses(seen)], [0, 'interrupted', true, [], settled])
      const onDisk = await readFile(join(runDir, 'state.json'), 'utf8')
      assert.match(await readFile(join(runDir, 'workers', 'proved', 'result.md'), 'utf8'), 'hello')
      const { code: _code, ...again } = await rig.answer('wait')
      const { code: _other, ...before } = seen
      assert.equal(again, before)
      assert.is(await readFile(join(runDir, 'state.json'), 'utf8'), onDisk)
      const stopped = await rig.answer('stop')
      assert.equal([stopped.code, stopped.status, stopped['wasOver'], stopped.ended], [0, 'interrupted', true, 0])
      assert.is(await readFile(join(runDir, 'state.json'), 'utf8'), onDisk)
    }, 120_000)
  }

  test('with its guard leaves workers alive: status says so and settles nothing, stop ends them all, and then it is settled', async () => {
    await using rig = await cliRig()
    await using run = rig.start('run', [await makePlan(rig), '--json'])
    const all = await underWay(rig, run)
    const [runDir = ''] = rig.runFolders()
    await recorded(runDir, 'ended')
    const runner = await identityAt((await rig.state(runDir)).runnerPid)
    killNow(await identityAt(guardOf(runner)))
    killNow(runner)
    await run.ended
    const onDisk = await readFile(join(runDir, 'state.json'), 'utf8')

    const seen = await rig.answer('status')
    assert.equal([seen.code, seen.status, seen.notes.length], [0, 'interrupted', 1])
    assert.match(seen.notes[0] ?? '', /still live.*stop/)
    assert.is(await readFile(join(runDir, 'state.json'), 'utf8'), onDisk)
    assert.ok(all.every(isAlive))

    const stopped = await rig.answer('stop')
    assert.equal([stopped.code, stopped.status, stopped['wasOver']], [0, 'interrupted', false])
    await allGone(all, 1_000)
    const now = await rig.answer('status')
    assert.equal([now.status, now.notes, statuses(now)], ['interrupted', [], settled])
  }, 120_000)
})
