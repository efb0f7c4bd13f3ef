import { existsSync } from 'node:fs'
import { allRows, parseStat, readOf, rowOf } from '../../../../lib/io/process/rows.ts'
import { assert, suite } from '../../../kit/check.ts'
import { programs } from '../../../kit/programs.ts'

/** A line of /proc/PID/stat with the fields that matter. */
const stat = (name: string, state: string, threads = 1): string =>
  `77 (${name}) ${state} 5 6 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 ${threads} 0 331380 1000 10 18446744073709551615 0 0\n`

suite('proc', test => {
  test('parseStat() counts the fields after the last parenthesis, whatever the program calls itself', () => {
    for (const name of ['sleep', 'a) R 1 1 1 (b', ') Z 0 0', 'two words\nand a line']) {
      assert.equal(parseStat(77, stat(name, 'S')), { pid: 77, ppid: 5, pgid: 6, session: 7, startTime: '331380', zombie: false })
    }
  })

  test('parseStat() tells a zombie from a process whose first thread alone has ended', () => {
    assert.is(parseStat(77, stat('x', 'Z'))?.zombie, true)
    assert.is(parseStat(77, stat('x', 'X', 0))?.zombie, true)
    assert.is(parseStat(77, stat('x', 'Z', 3))?.zombie, false)
    assert.is(parseStat(77, stat('x', 'T'))?.zombie, false)
  })

  test('parseStat() leaves out threads of the kernel', () => {
    assert.is(parseStat(77, stat('kworker/0:1', 'I').replace('4194560', '69238880')), null)
  })

  test('parseStat() refuses a cut line', () => {
    assert.is(parseStat(77, '77 (sleep) S 5 6'), null)
    assert.is(parseStat(77, ''), null)
  })

  test('rowOf() knows this process and no process that is not there', () => {
    assert.is(rowOf(process.pid)?.ppid, process.ppid)
    assert.is(rowOf(2 ** 31 - 1), null)
  })

  test('readOf() reads an environment of any size', async () => {
    await using rig = await programs()
    const long = 'x'.repeat(120_000)
    const { identity } = await rig.start('/bin/sleep', ['60'], { env: { A: long, B: long } })
    if (process.platform === 'linux') assert.is(readOf(identity.pid, 'environ'), `A=${long}\0B=${long}\0`)
  })

  test('allRows() holds this process and a child in a group and session of its own', async () => {
    await using rig = await programs()
    const { identity } = await rig.start('/bin/sleep', ['60'])
    const rows = await allRows()
    assert.ok(rows.some(row => row.pid === process.pid))
    const row = rows.find(({ pid }) => pid === identity.pid)
    assert.equal([row?.ppid, row?.pgid, row?.startTime], [process.pid, identity.pid, identity.startTime])
  })

  if (existsSync('/bin/ps')) {
    test('rowOf() and allRows() read the same from ps where there is no /proc', async () => {
      const { ppid, pgid } = rowOf(process.pid) ?? {}
      const row = rowOf(process.pid, 'darwin')
      assert.equal([row?.ppid, row?.pgid, row?.zombie], [ppid, pgid, false])
      assert.match(row?.startTime ?? '', /^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/)
      assert.equal((await allRows('darwin')).find(({ pid }) => pid === process.pid), row)
      assert.is(rowOf(2 ** 31 - 1, 'darwin'), null)
    })
  } else test.skip('rowOf() and allRows() read the same from ps where there is no /proc', 'there is no /bin/ps')

  test('rowOf() tells on Windows no more than whether a process is there', () => {
    assert.is(rowOf(process.pid, 'win32')?.startTime, '')
    assert.is(rowOf(2 ** 31 - 1, 'win32'), null)
  })
})
