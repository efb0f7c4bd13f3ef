import { assert, suite } from '../kit/check.ts'
import { allGone, answerOf, cliRig, identityAt, statuses } from '../kit/cli.ts'
import { fakeFamily, wholeFamily } from '../kit/family.ts'

suite('stop', test => {
  test('ends a running wave, also a worker that ignores TERM, and everyone who waits learns that it was stopped', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    await rig.fake('stubborn', `trap '' TERM INT HUP; told stubborn $$; while :; do sleep 1; done`)
    const plan = await rig.plan({ maxConcurrent: 2, workers: [
      { id: 'family', command: 'family', args: ['family'] }, { id: 'stubborn', command: 'stubborn' }, { id: 'late', command: 'cat' },
    ] })
    await using run = rig.start('run', [plan, '--json'])
    const all = [...await wholeFamily(rig, 'family', run), ...await rig.named('stubborn', 1, run)]
    const [runDir = ''] = rig.runFolders()
    await using waiting = rig.start('wait', ['--json'])
    const stopped = await rig.answer('stop')
    assert.equal([stopped.code, stopped.status, stopped['wasOver'], stopped.runDir], [0, 'stopped', false, runDir])
    await allGone(all, 1_000)
    const [answer, waited] = [answerOf(await run.ended), answerOf(await waiting.ended)]
    const expected = { family: 'stopped', stubborn: 'stopped', late: 'skipped stopped' }
    assert.equal([answer.code, answer.status, statuses(answer)], [1, 'stopped', expected])
    assert.equal([waited.code, waited.status, waited.done, statuses(waited)], [1, 'stopped', true, expected])

    const again = await rig.run('stop', [runDir])
    assert.equal([again.code, again.stdout, again.stderr], [0, `was over (stopped): ${runDir}\n`, ''])
  }, 120_000)

  test('ends a detached run whose starter is long gone', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    const plan = await rig.plan({ workers: [{ id: 'family', command: 'family', args: ['family'] }] })
    const { pid } = await rig.answer('run', [plan, '--detach'])
    const family = await wholeFamily(rig, 'family')
    const runner = await identityAt(pid)
    const { code, status } = await rig.answer('stop')
    assert.equal([code, status], [0, 'stopped'])
    await allGone([...family, runner])
  }, 120_000)

  test('without a folder takes the run of this project that still goes, not a newer one that has ended', async () => {
    await using rig = await cliRig()
    await rig.fake('held', 'told held $$; exec sleep 300')
    const going = await rig.answer('run', [await rig.plan({ workers: [{ id: 'a', command: 'held' }] }), '--detach'])
    const [held] = await rig.named('held', 1)
    const ended = await rig.answer('run', [await rig.plan({ workers: [{ id: 'b', command: 'cat' }] })])
    const stopped = await rig.answer('stop')
    assert.equal([ended.status, stopped.code, stopped.status, stopped.runDir], ['done', 0, 'stopped', going.runDir])
    await allGone([held!])
    assert.equal((await rig.answer('stop')).runDir, ended.runDir)
  }, 120_000)

  test('without any run is refused, and so is a folder that holds none', async () => {
    await using rig = await cliRig()
    const answers = await Promise.all([['stop'], ['stop', rig.work], ['status'], ['wait', '--timeout', '0']].map(([command = '', ...args]) => rig.answer(command, args)))
    assert.equal(answers.map(({ code, error }) => [code, error?.code]), Array.from(answers, () => [2, 'run.not-found']))
    assert.ok(answers[1]?.error?.message.includes(rig.work))
  }, 120_000)
})
