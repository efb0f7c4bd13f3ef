import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entryOf } from '../../../lib/io/entry.ts'
import { versionNear } from '../../../lib/io/version.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('entry', test => {
  test('entryOf() knows the started file by its real path, through links and without its ending', async () => {
    await using folder = await tempFolder()
    const file = join(folder.path, 'run it.ts')
    await writeFile(file, '')
    await writeFile(join(folder.path, 'other.ts'), '')
    await symlink(file, join(folder.path, 'link'))
    const url = pathToFileURL(file).href
    assert.is(entryOf(url, file), file)
    assert.is(entryOf(`${url}?namespace=1`, join(folder.path, 'link')), file)
    assert.is(entryOf(url, join(folder.path, 'run it')), file)
    assert.is(entryOf(url, join(folder.path, 'other.ts')), undefined)
    assert.is(entryOf(url, join(folder.path, 'missing.ts')), undefined)
    assert.is(entryOf(url, undefined), undefined)
    assert.is(entryOf('data:text/javascript,0', file), undefined)
  })

  test('versionNear() passes by the manifest of the project that holds a copy', async () => {
    await using folder = await tempFolder()
    const inner = join(folder.path, 'project', 'skill', 'scripts')
    await mkdir(inner, { recursive: true })
    await writeFile(join(folder.path, 'package.json'), '{"name":"alethe","version":"1.2.3"}')
    await writeFile(join(folder.path, 'project', 'package.json'), '{"name":"theirs","version":"9.9.9"}')
    await writeFile(join(folder.path, 'project', 'skill', 'package.json'), '{ broken')
    assert.is(await versionNear(join(inner, 'run.mjs')), '1.2.3')
    await writeFile(join(folder.path, 'package.json'), '{}')
    assert.is(await versionNear(join(inner, 'run.mjs')), 'unknown')
  })
})
