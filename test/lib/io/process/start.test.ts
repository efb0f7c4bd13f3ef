import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../../lib/base/fail.ts'
import { lifeOf } from '../../../../lib/io/process/identity.ts'
import { rowOf } from '../../../../lib/io/process/rows.ts'
import { assert, suite, thrown } from '../../../kit/check.ts'
import { stopwatch } from '../../../kit/stopwatch.ts'
import { programs } from '../../../kit/programs.ts'

const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

suite('start()', test => {
  test('gives the child a session and group of its own', async () => {
    await using rig = await programs()
    const { identity } = await rig.start('/bin/sleep', ['60'])
    assert.is(lifeOf(identity), 'alive')
    const row = rowOf(identity.pid)
    assert.is(row?.pgid, identity.pid)
    if (process.platform === 'linux') assert.is(row?.session, identity.pid)
  })

  test('tells the exit code, and the signal where there is no code', async () => {
    await using rig = await programs()
    assert.equal(await (await rig.start('/bin/sh', ['-c', 'exit 3'])).exited, { code: 3, signal: null })
    assert.equal(await (await rig.start('/bin/sh', ['-c', 'kill -SEGV $$'])).exited, { code: null, signal: 'SIGSEGV' })
  })

  test('identifies a child that has ended already', async () => {
    await using rig = await programs()
    const { identity, exited } = await rig.start('/bin/true')
    assert.match(identity.startTime, /./)
    await exited
    assert.is(lifeOf(identity), 'dead')
  })

  test('hands 5 MiB with NUL bytes and CRLF over exactly', async () => {
    await using rig = await programs()
    const input = Buffer.alloc(5 * 1024 * 1024, 'line\r\n\0end')
    const path = join(rig.path, 'prompt')
    await writeFile(path, input)
    const stdout = join(rig.path, 'copy')
    assert.equal(await (await rig.start('/bin/cat', [], { stdin: path, stdout })).exited, { code: 0, signal: null })
    assert.is(digest(await readFile(stdout)), digest(input))
  })

  test('gives a child without input the end of it at once', async () => {
    await using rig = await programs()
    assert.is((await (await rig.start('/bin/cat')).exited).code, 0)
  })

  test('is not disturbed by a child that never reads, or closes its stdin', async () => {
    await using rig = await programs()
    const path = join(rig.path, 'prompt')
    await writeFile(path, Buffer.alloc(4 * 1024 * 1024))
    assert.is((await (await rig.start('/bin/true', [], { stdin: path })).exited).code, 0)
    assert.is((await (await rig.start('/bin/sh', ['-c', 'exec <&-; echo on'], { stdin: path })).exited).code, 0)
  })

  test('does not wait for a grandchild that holds the output open', async () => {
    await using rig = await programs()
    const watch = stopwatch()
    const child = await rig.fixture('litter.sh')
    assert.is((await child.exited).code, 0)
    watch.under(5_000)
    assert.is((await child.named('left', 3)).length, 3)
  })

  test('passes exactly the environment it is given', async () => {
    await using rig = await programs()
    const child = await rig.start('/usr/bin/env', [], { env: { ONE: 'a b', EMPTY: '' } })
    await child.exited
    assert.equal((await child.said()).trim().split('\n').sort(), ['EMPTY=', 'ONE=a b'])
  })

  test('appends to logs that only the user may read', async () => {
    await using rig = await programs()
    const log = join(rig.path, 'log')
    const say = (word: string): Promise<unknown> =>
      rig.start('/bin/sh', ['-c', `echo ${word}; echo ${word} >&2`], { stdout: log, stderr: log }).then(child => child.exited)
    await say('one')
    await say('two')
    assert.is(await readFile(log, 'utf8'), 'one\none\ntwo\ntwo\n')
    assert.is((await stat(log)).mode & 0o777, 0o600)
  })

  if (process.platform === 'linux') {
    test('leaves no file open, whether the start succeeds or fails', async () => {
      await using rig = await programs()
      const open = (): number => readdirSync('/proc/self/fd').length
      await (await rig.start('/bin/true')).exited
      const before = open()
      for (let i = 0; i < 50; i++) {
        const child = await rig.start('/bin/true')
        await thrown(() => rig.start('/nowhere/tool'))
        await thrown(() => rig.start('/bin/echo', ['x'.repeat(200_000)]))
        await thrown(() => rig.start('/bin/true', [], { stdin: join(rig.path, 'none') }))
        await thrown(() => rig.start('/bin/true', [], { stderr: join(rig.path, 'none/log') }))
        await child.exited
      }
      assert.is(open(), before)
    })
  } else test.skip('leaves no file open, whether the start succeeds or fails', 'open files are counted in /proc/self/fd')

  test('does not blame the program when its own files cannot be opened', async () => {
    await using rig = await programs()
    const error = await thrown(() => rig.start('/bin/true', [], { stdout: join(rig.path, 'none/log') }))
    assert.not(error instanceof Fail)
  })
})
