import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, suite } from '../../kit/check.ts'
import { runCommand, startCommand } from '../../kit/command.ts'
import { tempFolder } from '../../kit/temp.ts'

const trouble = fileURLToPath(new URL('../../fixtures/cli/trouble.ts', import.meta.url))

const parsed = (text: string): { error: { code: string }; errors: object[] } => JSON.parse(text) as ReturnType<typeof parsed>

suite('endings of commands', test => {
  test('a promise that never settles is a bug and says so, in either form', async () => {
    await using folder = await tempFolder()
    const text = await runCommand(trouble, ['never'], { cwd: folder.path })
    assert.equal([text.code, text.stdout], [70, ''])
    assert.match(text.stderr, /^error: Internal error: Error: The command ended before its work did/)
    const json = await runCommand(trouble, ['never', '--json'], { cwd: folder.path })
    assert.equal([json.code, json.stderr, parsed(json.stdout).error.code], [70, '', 'bug'])
  })

  test('errors that nobody catches are bugs with a stack and without secrets', async () => {
    await using folder = await tempFolder()
    for (const [way, message] of [
      ['late', 'RangeError: thrown by a timer'], ['loose', 'RangeError: nobody caught this'],
      ['bug', 'TypeError: secret is [MY_TOKEN]'],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(trouble, [way], { cwd: folder.path, env: { MY_TOKEN: 's3cr3t-value' } })
      assert.equal([code, stdout], [70, ''], way)
      assert.ok(stderr.startsWith(`error: Internal error: ${message}\n    at `), stderr)
    }
  }, 20_000)

  test('a command that has ended is not kept by what is still open', async () => {
    await using folder = await tempFolder()
    assert.equal(await runCommand(trouble, ['open'], { cwd: folder.path }), {
      code: 0, signal: null, stdout: '{"open":true}\n', stderr: '',
    })
  })

  test('a refusal points into the file, by lines or as one object', async () => {
    await using folder = await tempFolder()
    const { code, stdout, stderr } = await runCommand(trouble, ['fail'], { cwd: folder.path })
    assert.equal([code, stdout], [2, ''])
    assert.is(stderr, [
      'error: plan.json:4:13: workers.0.tier expects "cheap", got "fast" [document.shape]',
      '    4 |     "tier": "fast"',
      '      |             ^^^^^^',
      'hint: use cheap',
      'error: There is no worker [document.rule]', '',
    ].join('\n'))
    const json = await runCommand(trouble, ['fail', '--json'], { cwd: folder.path })
    assert.equal([json.code, json.stderr, parsed(json.stdout).errors.length], [2, '', 2])
  })

  test('control characters of data reach neither stream', async () => {
    await using folder = await tempFolder()
    assert.is((await runCommand(trouble, ['hostile'], { cwd: folder.path })).stdout, 'abredevil c\n')
    assert.is((await runCommand(trouble, ['hostileFail'], { cwd: folder.path })).stderr,
      'error: xy error: forged [document.rule]\n')
  })

  test('a command cleans up once for a signal that comes twice and ends as interrupted', async () => {
    await using folder = await tempFolder()
    for (const [index, signal] of (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).entries()) {
      await using started = startCommand(trouble, ['wait', '--note', `note-${index}`], { cwd: folder.path })
      await started.seen('ready')
      started.child.kill(signal)
      // The second one comes as a wrapper sends it: while the command cleans up.
      await started.seen('cleaning')
      started.child.kill(signal)
      const end = await started.ended
      assert.equal(end, {
        code: 130, signal: null, stdout: 'ready\ncleaning\n', stderr: `error: Interrupted by ${signal} [run.interrupted]\n`,
      })
      assert.is(await readFile(join(folder.path, `note-${index}`), 'utf8'), 'cleaned\n')
    }
  }, 30_000)

  test('an interrupted command may still hand back what it has', async () => {
    await using folder = await tempFolder()
    await using started = startCommand(trouble, ['returns', '--json'], { cwd: folder.path })
    await started.seen('ready')
    started.child.kill('SIGTERM')
    assert.equal(await started.ended, { code: 130, signal: null, stdout: 'ready\n{"stopped":true}\n', stderr: '' })
  })

  test('a Ctrl-C two seconds after the first ends a command that does not end', async () => {
    await using folder = await tempFolder()
    await using started = startCommand(trouble, ['stubborn'], { cwd: folder.path })
    await started.seen('ready')
    const begun = performance.now()
    started.child.kill('SIGINT')
    const impatience = setInterval(() => started.child.kill('SIGINT'), 100)
    const { code, stderr } = await started.ended
    clearInterval(impatience)
    assert.equal([code, stderr], [130, ''])
    assert.ok(performance.now() - begun >= 1_900)
  })
})
