import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hold } from '../../../../lib/io/process/hold.ts'
import { assert, suite } from '../../../kit/check.ts'
import { tempFolder } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'

const host = { env: { PATH: process.env['PATH'] }, cwd: '/' }

suite('hold()', test => {
  test('hands the last words to the helper and its output to files', async () => {
    await using temp = await tempFolder()
    const [stdout, stderr] = [join(temp.path, 'out'), join(temp.path, 'err')] as const
    await hold(['/bin/sh', '-c', 'cat; echo end >&2'], host, { stdout, stderr }).send('words')
    await until(async () => (await readFile(stderr, 'utf8')) === 'end\n')
    assert.is(await readFile(stdout, 'utf8'), 'words')
  })

  test('takes a helper that is gone or never was for one that let go', async () => {
    await hold(['/bin/true'], host).send('words')
    await hold(['/nowhere/tool'], host).send('words')
  })
})
