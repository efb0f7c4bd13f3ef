import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import greet from '../../fixtures/cli/greet.ts'
import { assert, suite } from '../../kit/check.ts'
import { cleanEnv, type Ended, loaderArgs, runCommand, startNode } from '../../kit/command.ts'
import { tempFolder } from '../../kit/temp.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const greetFile = join(root, 'test/fixtures/cli/greet.ts')
const troubleFile = join(root, 'test/fixtures/cli/trouble.ts')
const hello = { code: 0, signal: null, stdout: 'hello Ada\n', stderr: '' }

suite('command', test => {
  test('a command prints its data and ends with its code', async () => {
    await using folder = await tempFolder()
    const run = (...args: string[]): Promise<Ended> => runCommand(greetFile, args, { cwd: folder.path })
    assert.equal(await run('Ada'), hello)
    assert.equal(await run('Ada', '--json', '--dry-run'), {
      ...hello, stdout: '{"names":["Ada"],"word":"hello","times":1,"dryRun":true,"later":"defined below"}\n' })
    assert.equal(await run('Ada', '--word', 'no'), { ...hello, code: 1, stdout: 'no Ada\n' })
    assert.equal(await run('Ada', '--tims', '3'), {
      code: 2, signal: null, stdout: '', stderr: 'error: There is no option "--tims" [usage.unknown-option]\nhint: use --times\n',
    })
  }, 30_000)

  test('a command shows help and the version of the product', async () => {
    await using folder = await tempFolder()
    const help = await runCommand(greetFile, ['--help'], { cwd: folder.path })
    assert.equal([help.code, help.stderr], [0, ''])
    assert.match(help.stdout, 'Usage: greet <name>')
    const version = await runCommand(greetFile, ['--version'], { cwd: folder.path })
    assert.equal([version.code, version.stderr], [0, ''])
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  })

  test('importing a command runs nothing, and its run can be called', () => {
    assert.is(greet.name, 'greet')
    const data = { names: ['Ada'], word: 'hi', times: 1, dryRun: false, later: '' }
    assert.match(greet.text(data, { columns: 80, color: false, tty: true }), 'Ada!')
  })

  test('a command runs through links, without its ending, and from paths with blanks and other letters', async () => {
    await using folder = await tempFolder()
    const bin = join(folder.path, 'bin é')
    await mkdir(bin)
    await symlink(greetFile, join(bin, 'greet'))
    for (const file of [join(bin, 'greet'), greetFile.replace(/\.ts$/, '')]) {
      assert.equal(await runCommand(file, ['Ada'], { cwd: bin }), hello)
    }
    const copy = join(folder.path, 'copy it.ts')
    await writeFile(copy, `import { defineCommand } from ${JSON.stringify(join(root, 'lib/cli/command.ts'))}
export default defineCommand(import.meta, {
  name: 'copy', summary: 'x', usage: 'copy', examples: ['a', 'b'], run: ({ entry }) => ({ entry }), text: data => data.entry,
})`)
    assert.is((await runCommand(copy, [], { cwd: folder.path })).stdout, `${copy}\n`)
  }, 30_000)

  test('a command runs under the tsx program, which npx starts', async () => {
    await using folder = await tempFolder()
    await using started = startNode([fileURLToPath(import.meta.resolve('tsx/cli')), greetFile, 'Ada'], { cwd: folder.path })
    assert.equal(await started.ended, hello)
  })

  test('a bundled command with a shared chunk runs through a link', async () => {
    await using folder = await tempFolder()
    const scripts = join(folder.path, 'scripts')
    await build({
      entryPoints: [greetFile, troubleFile], outdir: scripts, bundle: true, splitting: true, format: 'esm', platform: 'node',
      outExtension: { '.js': '.mjs' }, logLevel: 'silent',
    })
    await symlink(join(scripts, 'greet.mjs'), join(folder.path, 'greet'))
    for (const file of [join(scripts, 'greet.mjs'), join(folder.path, 'greet')]) {
      await using started = startNode([file, 'Ada'], { cwd: folder.path })
      assert.equal(await started.ended, hello)
    }
  }, 30_000)

  test('large output reaches a slow pipe whole, and a pipe that closes early ends it quietly', async () => {
    await using folder = await tempFolder()
    const all = await runCommand(troubleFile, ['big', '--json'], { cwd: folder.path })
    assert.equal([all.code, all.stderr, all.stdout.length], [0, '', 5_000_011])
    await using started = startNode([...loaderArgs, troubleFile, 'big'], { cwd: folder.path })
    started.child.stdout?.destroy()
    const cut = await started.ended
    assert.equal([cut.code, cut.signal, cut.stderr], [0, null, ''])
  }, 30_000)

  test('the environment of a test command holds nothing of the caller', () => {
    const env = cleanEnv({ cwd: '/somewhere', env: { EXTRA: '1' } })
    assert.is(env['HOME'], '/somewhere')
    assert.is(env['EXTRA'], '1')
    const stated = ['HOME', 'PATH', 'EXTRA', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SystemDrive']
    assert.equal(Object.keys(env).filter(name => !stated.includes(name)), [])
  })
})
