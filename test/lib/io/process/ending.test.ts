import { spawn } from 'node:child_process'
import { endMarked, endProcess, endTree } from '../../../../lib/io/process/ending.ts'
import { bootId, identify, type Identity, lifeOf } from '../../../../lib/io/process/identity.ts'
import { rowOf } from '../../../../lib/io/process/rows.ts'
import { assert, suite } from '../../../kit/check.ts'
import { fixtureInTs, fixtureWords, isGone, programs, type Started, until } from '../../../kit/programs.ts'

const none = { survivors: [] }
/** Waits so long that a test which needs them to pass would be ended first. */
const forever = { signalGraceMs: 60_000, termGraceMs: 60_000 }

const ready = (program: Started): Promise<void> =>
  until('the program is ready', async () => (await program.said()).includes('ready'))

/** Notes signals and delivers none. */
function recorder(): { readonly sent: [number, string][]; readonly signal: (pid: number, signal: string) => void } {
  const sent: [number, string][] = []
  return { sent, signal: (pid, signal) => { sent.push([pid, signal]) } }
}

suite('endProcess()', test => {
  test('signals nothing for ids that name no process, this process or its ancestors', async () => {
    const { sent, signal } = recorder()
    const neighbour = spawn('/bin/sleep', ['60'], { stdio: 'ignore' })
    const own = await Promise.all([process.pid, process.ppid].map(identify))
    const first = { startTime: rowOf(1)?.startTime ?? '', bootId: bootId() }
    const invented = [0, 1, -1, 1.5, Number.NaN, 2_147_483_648, -process.pid].map(pid => ({ pid, ...first }))
    for (const target of [...invented, ...own]) {
      if (target) await endProcess(target, { signals: ['SIGINT'], termGraceMs: 20, killWaitMs: 20, signal })
    }
    assert.equal(sent, [])
    assert.is(neighbour.exitCode ?? neighbour.signalCode, null)
    neighbour.kill('SIGKILL')
  })

  test('signals no stranger that has the id, but another start time or boot id, or cannot be told apart', async () => {
    await using rig = await programs()
    const { identity } = await rig.start('/bin/sleep', ['60'], { env: {} })
    const { sent, signal } = recorder()
    const options = { signals: ['SIGINT'], marker: rig.marker, signal } as const
    const end = (target: Identity): ReturnType<typeof endProcess> => endProcess(target, options)
    assert.equal(await end({ ...identity, startTime: String(Number(identity.startTime) + 100) }), none)
    assert.equal(await end({ ...identity, bootId: 'another' }), none)
    const unknown = { ...identity, startTime: '' }
    assert.equal(await end(unknown), { survivors: [unknown] })
    assert.equal(sent, [])
    assert.is(lifeOf(identity), 'alive')
  })

  test('sends the stop signals in order and does not wait longer than needed', async () => {
    await using rig = await programs()
    const program = await rig.fixture('last-words.mjs')
    await ready(program)
    assert.equal(await endProcess(program.identity, { signals: ['SIGINT', 'SIGTERM'], ...forever }), none)
    assert.equal(await program.exited, { code: 0, signal: null })
    assert.is(await program.said(), 'ready\nSIGINT\n')
  })

  test('goes from each stop signal to TERM and KILL when a program ignores them', async () => {
    await using rig = await programs()
    const program = await rig.fixture('stubborn.mjs')
    await ready(program)
    const sent: [number, string][] = []
    const signal = (pid: number, name: NodeJS.Signals): void => {
      sent.push([pid, name])
      process.kill(pid, name)
    }
    const graces = { signalGraceMs: 60, termGraceMs: 60 }
    assert.equal(await endProcess(program.identity, { signals: ['SIGINT', 'SIGHUP'], ...graces, signal }), none)
    assert.equal(await program.exited, { code: null, signal: 'SIGKILL' })
    const group = -program.identity.pid
    assert.equal(sent, [[group, 'SIGINT'], [group, 'SIGHUP'], [group, 'SIGTERM'], [group, 'SIGKILL']])
  })

  test('ends plain, double-forked and setsid descendants', async () => {
    await using rig = await programs()
    const program = await rig.fixture('litter.sh', 'stay')
    const left = await program.named('left', 3)
    assert.is(left.length, 3)
    assert.equal(await endProcess(program.identity, { signals: ['SIGINT'], signalGraceMs: 100, marker: rig.marker }), none)
    assert.ok(left.every(isGone))
  })

  test('ends by descent what hides in a session of its own without our environment', async () => {
    await using rig = await programs()
    const program = await rig.fixture('hide.sh')
    const left = await program.named('left', 1)
    // It gets no stop signal, being outside the group, and is not waited for before TERM.
    assert.equal(await endProcess(program.identity, { signals: ['SIGINT'], ...forever, marker: rig.marker }), none)
    assert.ok(left.every(isGone))
  })

  test('ends a worker that a dead runner left, with all it started', async () => {
    await using rig = await programs()
    const runner = await rig.fixture('runner.mjs', ...fixtureWords('litter.sh'), 'stay')
    const [worker] = await runner.named('worker', 1)
    const left = await runner.named('left', 3)
    process.kill(runner.identity.pid, 'SIGKILL')
    await runner.exited
    if (!worker) throw new Error('The worker is gone')
    assert.ok([worker, ...left].every(identity => lifeOf(identity) === 'alive'))
    assert.equal(await endProcess(worker, { signals: [], marker: rig.marker }), none)
    assert.ok([worker, ...left].every(isGone))
  })

  if (process.platform === 'linux') {
    test('ends by their marker the strays of a worker that is gone', async () => {
      await using rig = await programs()
      const program = await rig.fixture('litter.sh')
      const left = await program.named('left', 3)
      await program.exited
      assert.equal(await endProcess(program.identity, { signals: ['SIGINT'], marker: rig.marker }), none)
      assert.ok(left.every(isGone))
    })

    test('ends a tree whose generations ignore TERM, each in a session of its own', async () => {
      await using rig = await programs()
      const program = await rig.fixture('brood.sh', '5')
      const left = await program.named('left', 5)
      assert.equal(await endProcess(program.identity, { signals: [], termGraceMs: 50, marker: rig.marker }), none)
      assert.ok(left.every(isGone))
    })

    test('endMarked() ends everything of a run and nothing of another', async () => {
      await using rig = await programs()
      await using other = await programs()
      const mine = [await rig.fixture('litter.sh', 'stay'), await rig.fixture('litter.sh')]
      const left = (await Promise.all(mine.map(program => program.named('left', 3)))).flat()
      const stranger = await other.start('/bin/sleep', ['60'])
      assert.equal(await endMarked(`${rig.runId}/`), none)
      assert.ok([...left, ...mine.map(program => program.identity)].every(isGone))
      assert.is(lifeOf(stranger.identity), 'alive')
    })
  } else test.skip('ends by their marker the strays of a worker that is gone', 'only Linux shows the environment of others')

  test('lists who survives, and lets this process end all the same', async () => {
    await using rig = await programs()
    const runner = await rig.start(process.execPath, [...fixtureInTs('ends-one.ts'), 'in vain'])
    assert.equal(await runner.exited, { code: 0, signal: null })
    const [survivor] = await runner.named('survivor', 1)
    assert.is(lifeOf(survivor), 'alive')
    assert.match(await runner.said(), /^(-?\d+ SIGINT\n)(-?\d+ SIGTERM\n)(-?\d+ SIGKILL\n){3,}survivor \d+\n$/)
  })

  test('leaves nothing behind that would hold this process up', async () => {
    await using rig = await programs()
    const runner = await rig.start(process.execPath, [...fixtureInTs('ends-one.ts'), 'for real'])
    assert.equal(await runner.exited, { code: 0, signal: null })
    assert.match(await runner.said(), /^-\d+ SIGINT\n$/)
  })

  test('counts no zombie among the survivors', async () => {
    await using rig = await programs()
    const program = await rig.fixture('unreaped.sh')
    await program.named('left', 1)
    const pid = Number(/\d+/.exec(await program.said())?.[0])
    await until('a zombie', () => rowOf(pid)?.zombie === true)
    const { signal } = recorder()
    const { survivors } = await endProcess(program.identity, { signals: [], termGraceMs: 20, killWaitMs: 20, signal })
    assert.equal(survivors, [program.identity])
  })
})

suite('endTree()', test => {
  const waysOf = (killed: number[]) => ({
    killTree: (pid: number): Promise<void> => {
      killed.push(pid)
      process.kill(-pid, 'SIGKILL')
      return Promise.resolve()
    },
    platform: 'win32' as const,
    waitMs: 5_000,
  })

  test('ends a running child of ours in one call and looks who is left', async () => {
    await using rig = await programs()
    const program = await rig.start('/bin/sleep', ['60'])
    const killed: number[] = []
    assert.equal(await endTree(program.identity, waysOf(killed)), none)
    assert.equal(killed, [program.identity.pid])
    assert.is((await program.exited).signal, 'SIGKILL')
  })

  test('ends nothing that is no running child of ours', async () => {
    await using rig = await programs()
    const runner = await rig.fixture('runner.mjs', '/bin/sleep', '60')
    const [stranger] = await runner.named('worker', 1)
    const ended = await rig.start('/bin/true')
    await ended.exited
    const killed: number[] = []
    const targets: Identity[] = stranger ? [stranger, ended.identity] : []
    assert.equal(await Promise.all(targets.map(target => endTree(target, waysOf(killed)))), [{ survivors: [stranger] }, none])
    assert.equal(killed, [])
  })
})
