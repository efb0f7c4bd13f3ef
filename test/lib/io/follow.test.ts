import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Follower } from '../../../lib/io/follow.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

interface Read { readonly lines: string[]; readonly cuts: number[]; readonly follower: Follower }
const reading = (path: string, limit?: number): Read => {
  const lines: string[] = []
  const cuts: number[] = []
  return { lines, cuts, follower: new Follower(path, { line: line => lines.push(line), cut: length => cuts.push(length) }, limit) }
}

suite('Follower', test => {
  test('hands a line on only when it has ended, also when it comes in parts', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    await writeFile(path, 'one\ntw')
    await follower.poll()
    assert.equal(lines, ['one'])
    await appendFile(path, 'o\nthr')
    await follower.poll()
    assert.equal(lines, ['one', 'two'])
    await follower.finish()
    assert.equal(lines, ['one', 'two', 'thr'])
  })

  test('splits on line feeds only: other separators are legal inside JSON', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    await writeFile(path, 'a\u2028b\u2029c\u0085d\u000be\r\nf\rg\n\n')
    await follower.finish()
    assert.equal(lines, ['a\u2028b\u2029c\u0085d\u000be', 'f\rg', ''])
  })

  test('keeps characters whole that fall on the edge of a chunk', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    const text = `x${'é'.repeat(200_000)}`
    await writeFile(path, `${text}\n`)
    await follower.finish()
    assert.equal(lines, [text])
  })

  test('cuts a line over the limit, tells its true length, and goes on after it', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, cuts, follower } = reading(path, 1000)
    await writeFile(path, `ok\n${'y'.repeat(1000)}\n${'x'.repeat(1_000_001)}\nafter\n`)
    await follower.finish()
    assert.equal([lines.length, lines[2], cuts], [3, 'after', [1_000_001]])
  })

  test('cuts a line over the limit that never ends', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, cuts, follower } = reading(path, 1000)
    await writeFile(path, 'x'.repeat(5000))
    await follower.finish()
    assert.equal([lines, cuts], [[], [5000]])
  })

  test('keeps how a cut line begins, and halves no character', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const heads: string[] = []
    const follower = new Follower(path, { line: () => undefined, cut: (_, head) => heads.push(head) }, 1000)
    await writeFile(path, `${'x'.repeat(199)}é${'y'.repeat(2_000_000)}\n`)
    await follower.poll()
    await appendFile(path, 'z')
    await follower.poll()
    await appendFile(path, `short${'w'.repeat(2_000)}`)
    await follower.finish()
    assert.equal(heads, ['x'.repeat(199), `zshort${'w'.repeat(194)}`])
  })

  test('reads no more at once than it is told', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    await writeFile(path, 'aaaa\nbbbb\n')
    assert.is(await follower.poll(5), 5)
    assert.equal(lines, ['aaaa'])
    await follower.finish()
    assert.equal(lines, ['aaaa', 'bbbb'])
  })

  test('reads nothing once it is closed, and opens nothing either', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    await writeFile(path, 'one\n')
    await follower.finish()
    const open = (): number => process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
    const before = open()
    await appendFile(path, 'two\n')
    assert.is(await follower.poll(), 0)
    assert.equal([lines, open() - before], [['one'], 0])
  })

  test('reads the same when several logs grow at once', async () => {
    await using temp = await tempFolder()
    const all = ['a', 'b', 'c'].map(name => ({ name, path: join(temp.path, name), text: `${name.repeat(300_000)}\n`.repeat(6) }))
    for (const { path, text } of all) await writeFile(path, text)
    const read = all.map(({ path }) => reading(path))
    await Promise.all(read.map(({ follower }) => follower.finish()))
    assert.equal(read.map(({ lines }) => `${lines.join('\n')}\n`), all.map(({ text }) => text))
  })

  test('takes a pipe in the place of a log for no log, and does not wait for its writer', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    assert.is(spawnSync('mkfifo', [path]).status, 0)
    const { lines, follower } = reading(path)
    await follower.finish()
    assert.equal(lines, [])
  })

  test('waits for a file that is not there yet', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const { lines, follower } = reading(path)
    assert.is(await follower.poll(), 0)
    await writeFile(path, 'x\n')
    await follower.finish()
    assert.equal(lines, ['x'])
  })

  test('holds no more than the limit in memory for a line of 300 MiB', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    const part = Buffer.alloc(1024 * 1024, 'x')
    for (let i = 0; i < 300; i++) await appendFile(path, part)
    const before = process.memoryUsage().rss
    const { cuts, follower } = reading(path)
    await follower.finish()
    assert.equal(cuts, [300 * 1024 * 1024])
    assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024)
  }, 30_000)
})
