import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  copyIndex, copyPlain, entryAt, makePlainFolder, realPathOf, removeIfEmpty, withScratch,
} from '../../../lib/io/tree-files.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('tree files', test => {
  test('entryAt() tells files, folders and links apart and follows nothing', async () => {
    await using temp = await tempFolder()
    const at = (name: string): string => join(temp.path, name)
    writeFileSync(at('file'), 'abc')
    symlinkSync('/etc', at('link'))
    assert.equal(await entryAt(at('file')), { kind: 'file', bytes: 3 })
    assert.is((await entryAt(temp.path))?.kind, 'folder')
    assert.is((await entryAt(at('link')))?.kind, 'link')
    assert.is((await entryAt('/dev/null'))?.kind, 'other')
    assert.is(await entryAt(at('none')), null)
    assert.is(await entryAt(at('file/below')), null)
    assert.is(await realPathOf(at('none')), null)
  })

  test('copyPlain() keeps bytes and mode and never writes over what is there', async () => {
    await using temp = await tempFolder()
    const [from, to] = [join(temp.path, 'from'), join(temp.path, 'to')]
    writeFileSync(from, Buffer.from([0, 255, 10, 13]))
    chmodSync(from, 0o750)
    await copyPlain(Buffer.from(from), Buffer.from(to))
    assert.ok(readFileSync(to).equals(Buffer.from([0, 255, 10, 13])))
    assert.is(statSync(to).mode & 0o777, 0o750)
    symlinkSync(join(temp.path, 'victim'), join(temp.path, 'trap'))
    assert.ok(await thrown(() => copyPlain(from, join(temp.path, 'trap'))))
    assert.not.ok(existsSync(join(temp.path, 'victim')))
  })

  test('copyIndex() makes a copy that is not newer than the original, as git trusts files older than the index', async () => {
    await using temp = await tempFolder()
    const [from, to] = [join(temp.path, 'from'), join(temp.path, 'to')]
    writeFileSync(from, 'index')
    assert.ok(await copyIndex(from, to))
    assert.ok(statSync(to, { bigint: true }).mtimeNs <= statSync(from, { bigint: true }).mtimeNs)
    assert.is(readFileSync(to, 'utf8'), 'index')
    assert.not.ok(await copyIndex(join(temp.path, 'none'), to))
  })

  test('makePlainFolder() puts a folder in the place of a link and does not touch what that leads to', async () => {
    await using temp = await tempFolder()
    const at = (name: string): string => join(temp.path, name)
    mkdirSync(at('elsewhere'))
    writeFileSync(at('elsewhere/file'), '')
    symlinkSync(at('elsewhere'), at('link'))
    await makePlainFolder(at('link'))
    await makePlainFolder(at('link'))
    assert.is((await entryAt(at('link')))?.kind, 'folder')
    assert.ok(existsSync(at('elsewhere/file')))
  })

  test('removeIfEmpty() removes an empty folder only', async () => {
    await using temp = await tempFolder()
    const at = (name: string): string => join(temp.path, name)
    mkdirSync(at('full/empty'), { recursive: true })
    await removeIfEmpty(at('full'))
    await removeIfEmpty(at('none'))
    assert.ok(existsSync(at('full/empty')))
    await removeIfEmpty(at('full/empty'))
    assert.not.ok(existsSync(at('full/empty')))
  })

  test('withScratch() gives a private folder and removes it, also after a failure', async () => {
    let kept = ''
    const fault = new Error('bad')
    assert.is(await thrown(() => withScratch(folder => {
      kept = folder
      writeFileSync(join(folder, 'x'), '')
      assert.is(statSync(folder).mode & 0o077, 0)
      return Promise.reject(fault)
    })), fault)
    assert.not.ok(existsSync(kept))
  })
})
