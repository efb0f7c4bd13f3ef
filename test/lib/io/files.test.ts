import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as v from 'valibot'
import { Fail } from '../../../lib/base/fail.ts'
import { appendLine, namesIn, readJson, readText, sizeOf, tailOf, writeNew, writeWhole } from '../../../lib/io/files.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

const refusal = async (body: () => Promise<unknown>): Promise<string> => {
  const error = await thrown(body)
  return error instanceof Fail ? `${error.problem.code}: ${error.message}` : 'not a Fail'
}

suite('files', test => {
  test('writeWhole() replaces the content, keeps it private and leaves no temp file', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'a.json')
    await writeFile(path, 'old and longer', { mode: 0o644 })
    await writeWhole(path, 'new', { durable: true })
    assert.is(await readFile(path, 'utf8'), 'new')
    assert.is((await stat(path)).mode & 0o777, 0o600)
    assert.equal(await readdir(temp.path), ['a.json'])
  })

  test('writeWhole() leaves the old content and no temp file when it fails', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'taken'))
    await thrown(() => writeWhole(join(temp.path, 'taken'), 'new'))
    assert.equal(await readdir(temp.path), ['taken'])
  })

  test('readText() names a file that is missing, a folder or too large', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'big'), 'x'.repeat(100))
    assert.match(await refusal(() => readText(join(temp.path, 'none'))), /^document\.unreadable: Cannot read ".*none": there is no such file$/)
    assert.match(await refusal(() => readText(temp.path)), 'document.unreadable')
    assert.match(await refusal(() => readText(join(temp.path, 'big'), { maxBytes: 99 })), /has 100 bytes, at most 99 are read/)
  })

  test('readText() does not wait for a writer of a pipe', async () => {
    await using temp = await tempFolder()
    const pipe = join(temp.path, 'pipe')
    assert.is(spawnSync('mkfifo', [pipe]).status, 0)
    assert.match(await refusal(() => readText(pipe)), 'it is not a file')
  })

  test('tailOf() finds nothing in a folder, a link in a circle, a socket or below a file', async () => {
    await using temp = await tempFolder()
    const at = (name: string): string => join(temp.path, name)
    await writeFile(at('file'), 'x')
    await symlink(at('circle'), at('circle'))
    const server = createServer()
    await new Promise<void>(resolve => server.listen(at('socket'), resolve))
    for (const name of ['circle', 'socket', 'file/below', '.', 'none']) assert.is(await tailOf(at(name), 10), '', name)
    await new Promise(resolve => server.close(resolve))
  })

  test('writeNew() writes once and never over what is there', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'plan.json')
    assert.equal(await Promise.all([writeNew(path, 1), writeNew(path, 2)]), [true, false])
    assert.is(await readFile(path, 'utf8'), '1\n')
    assert.equal(await readdir(temp.path), ['plan.json'])
  })

  for (const [title, text] of [['empty', ''], ['cut', '{"a":1'], ['of another shape', '[]'], ['null', 'null']] as const) {
    test(`readJson() names a file that is ${title} and leaves it as it is`, async () => {
      await using temp = await tempFolder()
      const path = join(temp.path, 'state.json')
      await writeFile(path, text)
      assert.match(await refusal(() => readJson(path, v.looseObject({ a: v.number() }))), /^run\.unreadable: Cannot use ".*state\.json"/)
      assert.is(await readFile(path, 'utf8'), text)
    })
  }

  test('appendLine() adds whole lines', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'index')
    await Promise.all(Array.from({ length: 20 }, (_, i) => appendLine(path, `line ${i}`)))
    assert.is((await readFile(path, 'utf8')).split('\n').filter(line => /^line \d+$/.test(line)).length, 20)
  })

  test('tailOf() takes a folder or a pipe for nothing, and waits for no writer', async () => {
    await using temp = await tempFolder()
    const pipe = join(temp.path, 'pipe')
    assert.is(spawnSync('mkfifo', [pipe]).status, 0)
    assert.equal([await tailOf(pipe, 10), await tailOf(temp.path, 10)], ['', ''])
  })

  test('tailOf() and sizeOf() take a missing file for an empty one', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'log')
    assert.equal([await tailOf(path, 10), await sizeOf(path), await namesIn(path)], ['', 0, []])
    await writeFile(path, 'abcdef')
    assert.is(await tailOf(path, 4), 'cdef')
  })
})
