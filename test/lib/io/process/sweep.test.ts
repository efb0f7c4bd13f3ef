import { lifeOf } from '../../../../lib/io/process/identity.ts'
import { createSweeper } from '../../../../lib/io/process/sweep.ts'
import { createPasses, markerName, readTable } from '../../../../lib/io/process/table.ts'
import { assert, suite } from '../../../kit/check.ts'
import { isGone, programs } from '../../../kit/programs.ts'

const nothing = { strays: [], survivors: [] }

suite('createSweeper()', test => {
  test('finds nothing after a worker that left nothing', async () => {
    await using rig = await programs()
    const worker = await rig.start('/bin/true')
    await worker.exited
    assert.equal(await createSweeper(rig.runId).after({ ...worker, marker: rig.marker }), nothing)
  })

  test('ends and lists what a worker left: plain, double-forked and setsid', async () => {
    await using rig = await programs()
    const worker = await rig.fixture('litter.sh')
    const left = await worker.named('left', process.platform === 'linux' ? 3 : 2)
    await worker.exited
    const swept = await createSweeper(rig.runId).after({ ...worker, marker: rig.marker })
    assert.equal(new Set(swept.strays.map(stray => stray.pid)), new Set(left.map(stray => stray.pid)))
    assert.equal(swept.survivors, [])
    assert.ok(left.every(isGone))
  })

  test('ends by group what a worker left without our environment', async () => {
    await using rig = await programs()
    const worker = await rig.start('/bin/sh', ['-c', 'env -i sleep 300 & echo "left $!"'])
    const left = await worker.named('left', 1)
    await worker.exited
    assert.equal((await createSweeper(rig.runId).after({ ...worker, marker: rig.marker })).strays, left)
    assert.ok(left.every(isGone))
  })

  test('does not list helpers that end by themselves when the worker does', async () => {
    await using rig = await programs()
    const worker = await rig.start('/bin/sh', ['-c', 'sleep 0.05 &'])
    await worker.exited
    assert.equal(await createSweeper(rig.runId).after({ ...worker, marker: rig.marker }), nothing)
  })

  test('lists who lives on as survivors and not as strays', async () => {
    await using rig = await programs()
    const worker = await rig.start('/bin/sh', ['-c', 'sleep 300 & echo "left $!"'])
    const left = await worker.named('left', 1)
    await worker.exited
    const sweeper = createSweeper(rig.runId, { signal: () => undefined, termGraceMs: 20, killWaitMs: 50 })
    assert.equal(await sweeper.after({ ...worker, marker: rig.marker }), { strays: [], survivors: left })
    assert.ok(left.every(stray => lifeOf(stray) === 'alive'))
  })

  if (process.platform === 'linux') {
    test('touches no other worker of the run', async () => {
      await using rig = await programs()
      const other = await rig.start('/bin/sleep', ['60'], { env: { [markerName]: `${rig.runId}/w10` } })
      const worker = await rig.fixture('litter.sh')
      await worker.named('left', 3)
      await worker.exited
      assert.is((await createSweeper(rig.runId).after({ ...worker, marker: rig.marker })).strays.length, 3)
      assert.is(lifeOf(other.identity), 'alive')
    })

    test('rest() takes what calls itself another worker of the run', async () => {
      await using rig = await programs()
      const worker = await rig.start('/bin/sh', ['-c', `${markerName}=${rig.runId}/forged setsid sleep 300 & echo "left $!"`])
      const left = await worker.named('left', 1)
      await worker.exited
      const sweeper = createSweeper(rig.runId)
      assert.equal((await sweeper.rest()).strays, left)
      assert.equal(await sweeper.rest(), nothing)
    })
  } else test.skip('rest() takes what calls itself another worker of the run', 'only Linux shows the environment of others')

  test('serves all workers that ended since the last pass with one pass', async () => {
    await using rig = await programs()
    let passes = 0
    const look = createPasses(() => {
      passes++
      return readTable()
    })
    const workers = await Promise.all(Array.from({ length: 30 }, () => rig.start('/bin/true', [], { env: {} })))
    await Promise.all(workers.map(worker => worker.exited))
    const sweeper = createSweeper(rig.runId, { look })
    const swept = await Promise.all(workers.map(worker => sweeper.after({ ...worker, marker: rig.marker })))
    assert.is(passes, 1)
    for (const one of swept) assert.equal(one, nothing)
  })
})
