import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from '../../../../lib/io/process/rows.ts'
import { createPasses, familyOf, type Table } from '../../../../lib/io/process/table.ts'
import { assert, suite } from '../../../kit/check.ts'
import { until } from '../../../kit/programs.ts'

const rowOf = ([pid, ppid, pgid, session]: readonly [number, number, number, number]): Row =>
  ({ pid, ppid, pgid, session, startTime: '1', zombie: false })
/** A table of rows that are given as pid, parent, group and session. */
const tableOf = (...rows: readonly (readonly [number, number, number, number])[]): Table =>
  new Map(rows.map(row => [row[0], rowOf(row)]))

const ids = (rows: readonly Row[]): number[] => rows.map(row => row.pid).sort((a, b) => a - b)

suite('table', test => {
  test('familyOf() finds descendants, the group and the session of a seed, in any order of the table', () => {
    const table = tableOf(
      [40, 30, 40, 40], [30, 20, 20, 20], [20, 10, 20, 20], [10, 1, 10, 10],
      [50, 1, 20, 20], [60, 1, 60, 20], [70, 50, 70, 70], [80, 1, 80, 80],
    )
    assert.equal(ids(familyOf(table, [20], new Set())), [20, 30, 40, 50, 60, 70])
  })

  test('familyOf() finds the group of a seed that is gone itself', () => {
    assert.equal(ids(familyOf(tableOf([50, 1, 20, 20], [51, 50, 51, 51], [60, 1, 60, 60]), [20], new Set())), [50, 51])
  })

  test('familyOf() never follows the ids of the whole system, and leaves out who is barred', () => {
    const table = tableOf([1, 0, 0, 0], [2, 0, 0, 0], [10, 1, 1, 1], [20, 10, 20, 20], [30, 20, 30, 30])
    assert.equal(familyOf(table, [0, 1, -1], new Set()), [])
    assert.equal(ids(familyOf(table, [10], new Set([20]))), [10])
    assert.equal(familyOf(table, [10], new Set([10])), [])
  })

  test('createPasses() serves everyone who asks before a pass begins with one pass', async () => {
    let reads = 0
    const ask = createPasses(() => Promise.resolve(tableOf([++reads, 1, 1, 1])))
    const tables = await Promise.all(Array.from({ length: 20 }, () => ask()))
    assert.is(reads, 1)
    assert.is(new Set(tables).size, 1)
  })

  test('createPasses() lets those who ask during a pass share the next, which begins after it', async () => {
    const answers: ((table: Table) => void)[] = []
    const ask = createPasses(() => new Promise(resolve => { answers.push(resolve) }))
    const first = ask()
    await until('the first pass', () => answers.length === 1)
    const later = [ask(), ask(), ask()]
    await new Promise(setImmediate)
    assert.is(answers.length, 1)
    answers[0]?.(tableOf([7, 1, 1, 1]))
    assert.ok((await first).has(7))
    await until('the second pass', () => answers.length === 2)
    answers[1]?.(tableOf([8, 1, 1, 1]))
    for (const table of await Promise.all(later)) assert.ok(table.has(8))
    assert.is(answers.length, 2)
  })

  test('createPasses() rests after a pass in proportion to what it took', async () => {
    const ask = createPasses(async () => {
      await pause(20)
      return tableOf()
    })
    await ask()
    const begun = performance.now()
    await ask()
    assert.ok(performance.now() - begun > 90)
  })

  test('createPasses() goes on after a pass that failed', async () => {
    let reads = 0
    const ask = createPasses(() => reads++ === 0 ? Promise.reject(new Error('EMFILE')) : Promise.resolve(tableOf()))
    assert.is(await ask().catch(() => 'failed'), 'failed')
    assert.is((await ask()).size, 0)
  })
})
