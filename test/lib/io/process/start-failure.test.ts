import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail, type Problem } from '../../../../lib/base/fail.ts'
import type { Work } from '../../../../lib/io/process/start.ts'
import { startFailure } from '../../../../lib/io/process/start-failure.ts'
import { assert, suite, thrown } from '../../../kit/check.ts'
import { type Programs, programs } from '../../../kit/programs.ts'

async function refusal(rig: Programs, file: string, args: readonly string[] = [], more: Partial<Work> = {}): Promise<Problem> {
  const error = await thrown(() => rig.start(file, args, more))
  if (!(error instanceof Fail)) throw error
  assert.is(error.problem.code, 'run.start-failed')
  return error.problem
}

suite('start failures', test => {
  test('a missing program is told from a missing folder', async () => {
    await using rig = await programs()
    const program = await refusal(rig, '/nowhere/tool')
    assert.is(program.message, 'Cannot start "/nowhere/tool": there is no such program')
    assert.equal(program.facts, { systemCode: 'ENOENT', missing: 'program' })
    assert.equal((await refusal(rig, 'no-such-tool-on-the-path')).facts, { systemCode: 'ENOENT', missing: 'program' })
    const cwd = join(rig.path, 'gone')
    const folder = await refusal(rig, '/bin/true', [], { cwd })
    assert.is(folder.message, `Cannot start "/bin/true": its folder "${cwd}" is not there`)
    assert.is(folder.facts?.['missing'], 'folder')
  })

  test('a file in the place of the folder counts as a missing folder', async () => {
    await using rig = await programs()
    const cwd = join(rig.path, 'file')
    await writeFile(cwd, '')
    assert.is((await refusal(rig, '/bin/true', [], { cwd })).facts?.['missing'], 'folder')
  })

  test('a file that is not executable is named so, with the cure', async () => {
    await using rig = await programs()
    const file = join(rig.path, 'tool')
    await writeFile(file, '#!/bin/sh\n', { mode: 0o644 })
    const problem = await refusal(rig, file)
    assert.match(problem.message, 'it is not executable')
    assert.is(problem.hint, `chmod +x "${file}"`)
    assert.equal(problem.facts, { systemCode: 'EACCES' })
    assert.match((await refusal(rig, rig.path)).message, 'not an executable file')
  })

  test('a script whose interpreter is missing is not called missing itself', async () => {
    await using rig = await programs()
    const file = join(rig.path, 'tool')
    await writeFile(file, '#!/nowhere/interpreter\n', { mode: 0o755 })
    const problem = await refusal(rig, file)
    assert.match(problem.message, 'the interpreter that its first line names is not there')
    assert.is(problem.facts?.['missing'], 'program')
  })

  const locked = 'a folder that may not be entered is named so'
  if (process.getuid?.() === 0) test.skip(locked, 'root may enter every folder')
  else {
    test(locked, async () => {
      await using rig = await programs()
      const cwd = join(rig.path, 'locked')
      await mkdir(cwd)
      await chmod(cwd, 0o600)
      assert.match((await refusal(rig, '/bin/true', [], { cwd })).message, 'may not be entered')
    })
  }

  if (process.platform === 'linux') {
    test('an argument that is too long is told by its size in bytes', async () => {
      await using rig = await programs()
      const problem = await refusal(rig, '/bin/echo', ['x'.repeat(131_072)])
      assert.is(problem.message, 'Cannot start "/bin/echo": an argument has 131072 bytes, the system takes at most 131071 in one')
      assert.equal(problem.facts, { systemCode: 'E2BIG' })
      assert.match((await refusal(rig, '/bin/echo', ['é'.repeat(70_000)])).message, '140000 bytes')
      assert.is((await (await rig.start('/bin/echo', ['x'.repeat(131_071)])).exited).code, 0)
    })

    test('too much environment is told apart from long arguments', async () => {
      await using rig = await programs()
      const problem = await refusal(rig, '/bin/true', ['x'], { env: { BIG: 'x'.repeat(140_000) } })
      assert.match(problem.message, /arguments \(2 bytes\) and environment \(140005 bytes\) are more than the system takes/)
    })
  } else test.skip('an argument that is too long is told by its size in bytes', 'the limit of a single argument is one of Linux')

  test('a NUL byte is refused in words, without its surroundings', async () => {
    await using rig = await programs()
    const problem = await refusal(rig, '/bin/echo', ['fine', 'secret\0text'])
    assert.is(problem.message, 'Cannot start "/bin/echo": its argument 2 holds a NUL byte, which no argument may')
    const inEnv = await refusal(rig, '/bin/true', [], { env: { TOKEN: 'secret\0' } })
    assert.match(inEnv.message, 'a variable of its environment holds a NUL byte')
    assert.not.match(`${problem.message}${inEnv.message}`, 'secret')
    assert.match((await refusal(rig, '/bin/a\0b')).message, 'holds a NUL byte')
  })

  test('startFailure() hands a fault of ours on as it is', async () => {
    const wanted = { file: '/bin/true', args: [], cwd: '/', env: {} }
    const bug = Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.is(await thrown(() => startFailure(wanted, bug)), bug)
    const plain = new Error('x')
    assert.is(await thrown(() => startFailure(wanted, plain)), plain)
  })

  test('startFailure() names the shortage of processes and files', async () => {
    const wanted = { file: '/bin/true', args: [], cwd: '/', env: {} }
    const messageOf = async (code: string): Promise<string> =>
      (await startFailure(wanted, Object.assign(new Error('x'), { code }))).message
    assert.match(await messageOf('EAGAIN'), 'no room for another process')
    assert.match(await messageOf('EMFILE'), 'too many files are open')
    assert.match(await messageOf('ETXTBSY'), 'the system says ETXTBSY')
  })
})
