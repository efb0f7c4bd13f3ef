import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fail } from '../../../lib/base/fail.ts'
import { bootId } from '../../../lib/io/process/identity.ts'
import { takeLock, withLock } from '../../../lib/io/lock.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

const program = fileURLToPath(new URL('../../fixtures/programs/count-under-lock.ts', import.meta.url))
const dead = (token: string): string => JSON.stringify({ token, owner: { pid: process.pid, startTime: '1', bootId: bootId() } })

suite('lock', test => {
  test('withLock() releases when the body throws', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    assert.is(await thrown(() => withLock(lock, () => Promise.reject(new Error('body')))).then(error => error instanceof Error && error.message), 'body')
    assert.is(await withLock(lock, () => Promise.resolve('free'), { waitMs: 0 }), 'free')
    assert.equal(await readdir(temp.path), [])
  })

  test('withLock() gives those of one process their turns in the order they asked, also after one that threw', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    const order: number[] = []
    const turns = Array.from({ length: 12 }, (_, index) => withLock(lock, async () => {
      order.push(index)
      if (index === 3) throw new Error('body')
    }))
    assert.equal((await Promise.allSettled(turns)).filter(({ status }) => status === 'rejected').length, 1)
    assert.equal(order, turns.map((_, index) => index))
  })

  test('withLock() waits for one of its own process no longer than it was told', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    let end = (): void => undefined
    const first = withLock(lock, () => new Promise<void>(resolve => { end = resolve }))
    const error = await thrown(() => withLock(lock, () => Promise.resolve(), { waitMs: 50 }))
    assert.is(error instanceof Fail && error.problem.code, 'lock.busy')
    end()
    await first
    assert.is(await withLock(lock, () => Promise.resolve('free'), { waitMs: 0 }), 'free')
  })

  test('takeLock() does not break the lock of a process in another container, and says what to do', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    const content = JSON.stringify({ token: '0123456789abcdef', owner: { pid: 4_194_303, startTime: '1', bootId: bootId(), pidNamespace: 'pid:[1]' } })
    await writeFile(lock, content)
    const error = await thrown(() => takeLock(lock, 0))
    assert.ok(error instanceof Fail && error.problem.hint?.startsWith(`rm "${lock}"`))
    assert.is(await readFile(lock, 'utf8'), content)
  })

  test('takeLock() gives back a release that leaves alone what somebody put in its place', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    const release = await takeLock(lock, 0)
    await writeFile(lock, dead('0123456789abcdef'))
    await release()
    assert.is(await readFile(lock, 'utf8'), dead('0123456789abcdef'))
    await rm(lock)
    await release()
  })

  test('takeLock() refuses while a living process holds it', async () => {
    await using temp = await tempFolder()
    const release = await takeLock(join(temp.path, 'lock'), 0)
    const error = await thrown(() => takeLock(join(temp.path, 'lock'), 50))
    assert.is(error instanceof Fail && error.problem.code, 'lock.busy')
    await release()
  })

  test('takeLock() breaks the lock of a dead owner, also one that died while breaking', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    await writeFile(lock, dead('00000000000000aa'))
    await writeFile(`${lock}.break-00000000000000aa`, dead('00000000000000bb'))
    const release = await takeLock(lock, 2_000)
    assert.match(await readFile(lock, 'utf8'), `"pid":${process.pid},`)
    await release()
    assert.not.ok((await readdir(temp.path)).includes('lock'))
  })

  test('takeLock() leaves an unwritten lock alone while it is fresh and breaks it when it is old', async () => {
    await using temp = await tempFolder()
    const lock = join(temp.path, 'lock')
    for (const content of ['', '{']) {
      await writeFile(lock, content)
      const error = await thrown(() => takeLock(lock, 30))
      assert.is(error instanceof Fail && error.problem.code, 'lock.busy')
      await utimes(lock, new Date(0), new Date(0))
      await (await takeLock(lock, 2_000))()
    }
  })

  test('takeLock() says so when the lock is a folder', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'lock'))
    const error = await thrown(() => takeLock(join(temp.path, 'lock'), 1_000))
    assert.match(error instanceof Fail ? error.message : '', 'it is a folder')
  })

  test('twelve processes lose no count, though they start on a dead owner\'s lock', async () => {
    await using temp = await tempFolder()
    const [lock, counter, barrier] = ['lock', 'counter', 'go'].map(name => join(temp.path, name)) as [string, string, string]
    await writeFile(lock, dead('00000000000000cc'))
    await writeFile(counter, '0')
    const children = Array.from({ length: 12 }, () => spawn(process.execPath, ['--import', 'tsx', program, lock, counter, '25', barrier], { stdio: ['ignore', 'pipe', 'inherit'] }))
    const ended = Promise.all(children.map(child => once(child, 'exit')))
    await Promise.all(children.map(child => once(child.stdout, 'data')))
    await writeFile(barrier, '')
    assert.equal((await ended).map(([code]: unknown[]) => code), Array.from({ length: 12 }, () => 0))
    assert.is(await readFile(counter, 'utf8'), '300')
  }, 120_000)
})
