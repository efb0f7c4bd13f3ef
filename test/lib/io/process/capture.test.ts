import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { capture } from '../../../../lib/io/process/capture.ts'
import { assert, suite } from '../../../kit/check.ts'
import { stopwatch } from '../../../kit/stopwatch.ts'
import { tempFolder } from '../../../kit/temp.ts'

const env = { PATH: process.env['PATH'] }

suite('capture()', test => {
  test('collects both streams and the code', async () => {
    const answer = await capture(['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'], { cwd: '/', env, timeoutMs: 5_000 })
    assert.equal(answer, { code: 3, stdout: 'out\n', stderr: 'err\n', timedOut: false })
  })

  test('gives the program an end of input', async () => {
    assert.is((await capture(['/bin/cat'], { cwd: '/', env, timeoutMs: 5_000 })).code, 0)
  })

  test('says why a program cannot start', async () => {
    const answer = await capture(['/nowhere/tool'], { cwd: '/', env, timeoutMs: 5_000 })
    assert.is(answer.code, null)
    assert.match(answer.stderr, 'ENOENT')
  })

  test('ends a program and its children at the time-out', async () => {
    await using temp = await tempFolder()
    const pidFile = join(temp.path, 'pid')
    const answer = await capture(['/bin/sh', '-c', 'sleep 60 & echo $! > "$0"; wait', pidFile], { cwd: '/', env, timeoutMs: 300 })
    assert.equal([answer.code, answer.timedOut], [null, true])
    const pid = (await readFile(pidFile, 'utf8')).trim()
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone')
    assert.ok(state === 'gone' || / [ZX] /.test(state), state)
  })

  test('does not wait for a grandchild that holds the output open', async () => {
    const watch = stopwatch()
    const answer = await capture(['/bin/sh', '-c', 'sleep 30 & echo x'], { cwd: '/', env, timeoutMs: 20_000 })
    assert.is(answer.stdout, 'x\n')
    watch.under(10_000)
  })

  test('reads what was printed to the last byte', async () => {
    const answer = await capture(['/bin/sh', '-c', 'head -c 1000000 /dev/zero | tr "\\0" x'], { cwd: '/', env, timeoutMs: 20_000 })
    assert.is(answer.stdout.length, 1_000_000)
  })

  test('ends a program that floods', async () => {
    const answer = await capture(['/bin/sh', '-c', 'yes'], { cwd: '/', env, timeoutMs: 20_000 })
    assert.is(answer.timedOut, false)
    assert.ok(answer.stdout.length < 16 * 1024 * 1024)
  })
})
