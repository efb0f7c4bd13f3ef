import { chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '../../../lib/io/fingerprint.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('fingerprint', test => {
  test('fingerprint() tells contents, modes, link targets and kinds apart, and not times', async () => {
    await using temp = await tempFolder()
    const at = (name: string): string => join(temp.path, name)
    const print = async (name: string): Promise<string> => (await fingerprint(Buffer.from(at(name)))).print
    writeFileSync(at('a'), 'same')
    writeFileSync(at('b'), 'same')
    utimesSync(at('b'), 1, 1)
    writeFileSync(at('c'), 'tame')
    writeFileSync(at('program'), 'same', { mode: 0o755 })
    mkdirSync(at('folder'))
    symlinkSync('a', at('to a'))
    symlinkSync('b', at('to b'))
    assert.is(await print('a'), await print('b'))
    const different = await Promise.all(['a', 'c', 'program', 'folder', 'to a', 'to b', 'none'].map(print))
    assert.is(new Set(different).size, different.length)
    chmodSync(at('program'), 0o644)
    assert.is(await print('program'), await print('a'))
  })

  test('fingerprint() judges a file over 8 MiB by size and time, without reading it', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'large')
    writeFileSync(path, '')
    truncateSync(path, 64 * 1024 * 1024 * 1024)
    utimesSync(path, 1, 1)
    const before = await fingerprint(Buffer.from(path))
    assert.is(before.print, 'file:68719476736:1000000000')
    utimesSync(path, 2, 2)
    assert.is.not((await fingerprint(Buffer.from(path))).print, before.print)
  })
})
