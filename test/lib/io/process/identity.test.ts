import * as v from 'valibot'
import { bootId, identify, Identity, isSame, lifeOf, mayBeSignalled, protectedIds } from '../../../../lib/io/process/identity.ts'
import { rowOf } from '../../../../lib/io/process/rows.ts'
import { assert, suite } from '../../../kit/check.ts'
import { fixtureInTs, programs, until } from '../../../kit/programs.ts'

const hostile: readonly unknown[] = [
  0, 1, -1, '1', 1.5, Number.NaN, null, undefined, 2_147_483_648, 1e300, '', '7', true, [2], {}, -process.pid,
]

suite('identity', test => {
  test('mayBeSignalled() refuses every value that names no process, and whole-system ids', () => {
    for (const pid of hostile) assert.is(mayBeSignalled(pid), false, String(pid))
  })

  test('mayBeSignalled() refuses this process, its group and its ancestors with their groups', () => {
    assert.is(mayBeSignalled(process.pid), false)
    assert.is(mayBeSignalled(process.ppid), false)
    assert.is(mayBeSignalled(rowOf(process.pid)?.pgid), false)
    assert.is(mayBeSignalled(rowOf(process.ppid)?.pgid), false)
    for (let row = rowOf(process.pid); row && row.pid > 1; row = rowOf(row.ppid)) assert.ok(protectedIds().has(row.pid))
  })

  test('mayBeSignalled() refuses its own group also when the leader is no ancestor', async () => {
    await using rig = await programs()
    const words = [process.execPath, ...fixtureInTs('own-group.ts')]
    const leader = await rig.start('/bin/sh', ['-c', '("$@" &)', 'sh', ...words])
    await leader.exited
    await until('its word', async () => (await leader.said()).includes('\n'))
    assert.equal(JSON.parse(await leader.said()), { leads: false, orphan: true, may: false })
  })

  test('mayBeSignalled() allows a child in a group of its own', async () => {
    await using rig = await programs()
    assert.is(mayBeSignalled((await rig.start('/bin/sleep', ['60'])).identity.pid), true)
  })

  test('lifeOf() cannot tell a process of another container on the same system, and mistakes no stranger for it', async () => {
    const me = (await identify(process.pid))!
    assert.is(lifeOf(me), 'alive')
    if (process.platform === 'linux') assert.match(me.pidNamespace ?? '', /^pid:\[\d+\]$/)
    const { pidNamespace: _mine, ...before } = me
    assert.is(lifeOf(before), 'alive', 'a record without a namespace is judged as before')
    if (process.platform !== 'linux') return
    for (const pid of [process.pid, 4_194_303]) assert.is(lifeOf({ ...me, pid, pidNamespace: 'pid:[1]' }), 'unverifiable')
    assert.is(lifeOf({ ...me, pidNamespace: 'pid:[1]', bootId: 'another' }), 'dead')
    assert.is(isSame(rowOf(process.pid), { ...me, pidNamespace: 'pid:[1]' }), false)
  })

  test('lifeOf() calls dead what cannot name a process', () => {
    for (const pid of hostile) assert.is(lifeOf({ pid, bootId: bootId() }), 'dead', String(pid))
    for (const stored of [null, undefined, 'x', 7, [], {}]) assert.is(lifeOf(stored), 'dead')
  })

  test('lifeOf() knows a living process by all three marks', async () => {
    await using rig = await programs()
    const { identity } = await rig.start('/bin/sleep', ['60'])
    assert.is(lifeOf(identity), 'alive')
    assert.is(lifeOf({ ...identity, startTime: String(Number(identity.startTime) + 100) }), 'dead')
    assert.is(lifeOf({ ...identity, bootId: 'another start of the system' }), 'dead')
    assert.equal(await identify(identity.pid), identity)
    assert.ok(v.is(Identity, identity))
  })

  test('lifeOf() cannot tell a record without start time or boot id from a stranger', async () => {
    await using rig = await programs()
    const { pid, startTime } = (await rig.start('/bin/sleep', ['60'])).identity
    const here = { bootId: bootId() }
    for (const told of [{}, { startTime: '', ...here }, { startTime: null, ...here }, { startTime: 5, ...here }, { startTime }]) {
      assert.is(lifeOf({ pid, ...told }), 'unverifiable', JSON.stringify(told))
    }
  })

  test('lifeOf() and identify() count a zombie as dead', async () => {
    await using rig = await programs()
    const parent = await rig.fixture('unreaped.sh')
    await parent.named('left', 1)
    const pid = Number(/\d+/.exec(await parent.said())?.[0])
    await until('a zombie', () => rowOf(pid)?.zombie === true)
    assert.is(lifeOf({ pid, startTime: rowOf(pid)?.startTime, bootId: bootId() }), 'dead')
    assert.is(await identify(pid), null)
  })

  test('identify() finds nobody behind an ended process and behind no pid', async () => {
    await using rig = await programs()
    const child = await rig.start('/bin/true')
    await child.exited
    assert.is(await identify(child.identity.pid), null)
    assert.is(lifeOf(child.identity), 'dead')
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 31]) assert.is(await identify(pid), null)
  })
})
