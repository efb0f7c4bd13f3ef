import { createMarkers, withMarker } from '../../../../lib/io/process/marker.ts'
import type { Row } from '../../../../lib/io/process/rows.ts'
import { markerName, readTable, type Table } from '../../../../lib/io/process/table.ts'
import { assert, suite } from '../../../kit/check.ts'
import { stopwatch } from '../../../kit/stopwatch.ts'
import { programs } from '../../../kit/programs.ts'

const rowOf = (pid: number, startTime = '1', zombie = false): Row =>
  ({ pid, ppid: 1, pgid: pid, session: pid, startTime, zombie })
const tableOf = (...rows: readonly Row[]): Table => new Map(rows.map(row => [row.pid, row]))
const ids = (rows: readonly Row[]): number[] => rows.map(row => row.pid).sort((a, b) => a - b)

/** Reads `answers` one after the other, the last for ever; counts how often it was asked. */
function reader(...answers: readonly (string | null)[]): { readonly asked: () => number; readonly read: () => string | null } {
  let asked = 0
  return { asked: () => asked, read: () => answers[Math.min(asked++, answers.length - 1)] ?? null }
}

suite('markers', test => {
  test('are the whole value of the variable, wherever it stands', async () => {
    const find = (environment: string) => createMarkers(() => environment)(tableOf(rowOf(7)), 'run/w1')
    for (const found of [`${markerName}=run/w1`, `A=1\0${markerName}=run/w1\0`, `${markerName}=run/w1\0B=2`]) {
      assert.is((await find(found)).length, 1, found)
    }
    const own = `${markerName}=run/w1`
    const others = [`${own}0`, `X${own}`, `A=${own}`, `${markerName}=`, markerName, 'A=1']
    for (const other of others) {
      assert.is((await find(other)).length, 0, other)
    }
    const findRun = (environment: string) => createMarkers(() => environment)(tableOf(rowOf(7)), 'run/')
    assert.is((await findRun(`${markerName}=run/w1`)).length, 1)
    assert.is((await findRun(`${markerName}=other-run/w1`)).length, 0)
  })

  test('are read once for a process, and anew when its id is used again', async () => {
    const { asked, read } = reader('A=1', `${markerName}=run/w1`)
    const find = createMarkers(read)
    for (let i = 0; i < 3; i++) assert.equal(await find(tableOf(rowOf(7)), 'run/w1'), [])
    assert.is(asked(), 1)
    assert.equal(ids(await find(tableOf(rowOf(7, '2')), 'run/w1')), [7])
    await find(tableOf(), 'run/w1')
    await find(tableOf(rowOf(7, '2')), 'run/w1')
    assert.is(asked(), 3)
  })

  test('are found of a process in the middle of exec, also by those who ask together', async () => {
    const { read } = reader('', null, '', `${markerName}=run/w1`)
    const find = createMarkers(read)
    const table = tableOf(rowOf(7))
    assert.equal((await Promise.all([find(table, 'run/w1'), find(table, 'run/')])).map(ids), [[7], [7]])
    const nothing = reader('')
    const findNothing = createMarkers(nothing.read)
    await Promise.all(Array.from({ length: 50 }, () => findNothing(table, 'run/w1')))
    assert.ok(nothing.asked() < 10, 'those who share a table share what was read of it')
  })

  test('are waited for together and not for long where there is nothing to read, and never of a zombie', async () => {
    const { asked, read } = reader('')
    const rows = Array.from({ length: 300 }, (_, i) => rowOf(100 + i))
    const watch = stopwatch()
    assert.equal(await createMarkers(read)(tableOf(...rows), 'run/w1'), [])
    watch.under(2_000)
    assert.ok(asked() >= 600 && asked() <= 1_800, String(asked()))
    const before = asked()
    assert.equal(await createMarkers(read)(tableOf(rowOf(8, '1', true)), 'run/w1'), [])
    assert.is(asked(), before)
  })

  if (process.platform === 'linux') {
    test('name exactly one worker, or a run with all its workers', async () => {
      await using rig = await programs()
      const env = { PATH: '/bin' }
      const sleepAs = async (marker: string): Promise<number> =>
        (await rig.start('/bin/sleep', ['60'], { env: { ...env, [markerName]: marker } })).identity.pid
      const w1 = await sleepAs(`${rig.runId}/w1`)
      const w10 = await sleepAs(`${rig.runId}/w10`)
      const other = await sleepAs(`${rig.runId}0/w1`)
      const table = await readTable()
      assert.equal(ids(await withMarker(table, `${rig.runId}/w1`)), [w1])
      assert.equal(ids(await withMarker(table, `${rig.runId}/`)), [w1, w10].sort((a, b) => a - b))
      assert.equal(ids(await withMarker(table, `${rig.runId}0/w1`)), [other])
      assert.equal(ids(await withMarker(table, rig.runId)), [])
    })
  } else test.skip('name exactly one worker, or a run with all its workers', 'only Linux shows the environment of others')
})
