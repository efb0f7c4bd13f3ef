import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { launchWords, unsafeForCmd, which } from '../../../lib/io/which.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('which', test => {
  test('which() takes the first program on PATH and passes over files that cannot run', async () => {
    await using temp = await tempFolder()
    const [a, b] = [join(temp.path, 'a'), join(temp.path, 'b')]
    for (const folder of [a, b]) {
      await mkdir(folder)
      await writeFile(join(folder, 'tool'), '#!/bin/sh\n')
    }
    await chmod(join(b, 'tool'), 0o755)
    assert.is(await which('tool', { PATH: [a, b].join(delimiter) }, temp.path), join(b, 'tool'))
  })

  test('which() never looks into the working folder or a relative PATH entry', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'tool'), '#!/bin/sh\n', { mode: 0o755 })
    assert.is(await which('tool', { PATH: ['.', ''].join(delimiter) }, temp.path), null)
  })

  test('which() takes a name with a separator as a path from the working folder', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'tool'), '#!/bin/sh\n', { mode: 0o755 })
    assert.is(await which('./tool', { PATH: '' }, temp.path), join(temp.path, 'tool'))
    assert.is(await which('./none', { PATH: '' }, temp.path), null)
  })

  test('launchWords() reads node and the script out of an npm shim, because cmd.exe rewrites arguments', async () => {
    await using temp = await tempFolder()
    const shim = join(temp.path, 'tool.cmd')
    await writeFile(shim, '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\tool\\cli.js" %*\r\n')
    assert.equal(await launchWords(shim, 'win32'), [process.execPath, join(temp.path, 'node_modules/tool/cli.js')])
    assert.equal(await launchWords(shim, 'linux'), [shim])
  })

  test('unsafeForCmd() tells arguments that cmd.exe would rewrite from plain ones', () => {
    assert.ok(unsafeForCmd('C:\\x\\tool.cmd', ['a & b']))
    assert.not.ok(unsafeForCmd('C:\\x\\tool.cmd', ['--flag', 'plain words']))
    assert.not.ok(unsafeForCmd('C:\\x\\tool.exe', ['a & b']))
  })
})
