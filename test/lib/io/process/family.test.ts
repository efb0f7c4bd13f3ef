import { Family } from '../../../../lib/io/process/family.ts'
import { bootId } from '../../../../lib/io/process/identity.ts'
import { type Row, rowOf } from '../../../../lib/io/process/rows.ts'
import type { Table } from '../../../../lib/io/process/table.ts'
import { assert, suite } from '../../../kit/check.ts'
import { type Programs, programs } from '../../../kit/programs.ts'

/** Three living processes and their rows. */
async function three(rig: Programs): Promise<[Row, Row, Row]> {
  const row = async (): Promise<Row> => {
    const found = rowOf((await rig.start('/bin/sleep', ['60'])).identity.pid)
    if (!found) throw new Error('It ended')
    return found
  }
  return [await row(), await row(), await row()]
}

const tableOf = (...rows: readonly Row[]): Table => new Map(rows.map(row => [row.pid, row]))

suite('Family', test => {
  test('keeps an orphan once known, and follows it to the children it has later', async () => {
    await using rig = await programs()
    const [target, child, grandchild] = await three(rig)
    const tables = [
      tableOf(target, { ...child, ppid: target.pid }),
      tableOf({ ...child, ppid: 1 }, { ...grandchild, ppid: child.pid }),
    ]
    const family = new Family({ ...target, bootId: bootId() }, { look: () => Promise.resolve(tables.shift() ?? tableOf()) })
    await family.gather()
    assert.equal(family.living().map(row => row.pid), [target.pid, child.pid])
    await family.gather()
    assert.equal(family.living().map(row => row.pid), [target.pid, child.pid, grandchild.pid])
  })

  test('forgets the id of a member that a stranger has now', async () => {
    await using rig = await programs()
    const [target, child, other] = await three(rig)
    const stranger = { ...child, startTime: `${child.startTime}0`, ppid: 1 }
    const tables = [
      tableOf(target, { ...child, startTime: '1', ppid: target.pid }),
      tableOf(stranger, { ...other, ppid: child.pid }),
    ]
    const family = new Family({ ...target, bootId: bootId() }, { look: () => Promise.resolve(tables.shift() ?? tableOf()) })
    await family.gather()
    await family.gather()
    assert.equal(family.living().map(row => row.pid), [target.pid])
  })

  test('takes the group of a target that is gone only right after its end', async () => {
    await using rig = await programs()
    const [target, member] = await three(rig)
    const table = tableOf({ ...member, ppid: 1, pgid: target.pid })
    const foundWith = async (justEnded: boolean): Promise<number[]> => {
      const family = new Family({ ...target, bootId: bootId() }, { justEnded, look: () => Promise.resolve(table) })
      await family.gather()
      return family.living().map(row => row.pid)
    }
    assert.equal(await foundWith(true), [member.pid])
    assert.equal(await foundWith(false), [])
  })
})
