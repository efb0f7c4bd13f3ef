import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { childGitEnv, commonDir, git, gitRoot, headCommit, isDirty, lineOf } from '../../../lib/io/git.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { gitAt, makeRepo, withEnv, writeFiles } from '../../kit/repo.ts'
import { tempFolder } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const problemOf = async (body: () => unknown): Promise<Fail['problem']> => {
  const error = await thrown(body)
  if (!(error instanceof Fail)) throw error
  return error.problem
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

suite('git environment', test => {
  test('childGitEnv() drops every variable that the installed git calls local to a repository', async () => {
    await using repo = await makeRepo()
    const local = repo.git('rev-parse', '--local-env-vars').split('\n')
    assert.ok(local.includes('GIT_DIR'))
    assert.equal(childGitEnv(Object.fromEntries(local.map(name => [name, 'x']))), {})
  })

  test('childGitEnv() drops settings by variable and what changes output, and keeps the user and credentials', () => {
    const kept = {
      PATH: '/bin', GIT_AUTHOR_NAME: 'n', GIT_ASKPASS: 'a', GIT_SSH_COMMAND: 's', GIT_CONFIG_GLOBAL: 'g', GITHUB_TOKEN: 't',
    }
    const dropped = {
      GIT_CONFIG_KEY_0: 'a', GIT_CONFIG_VALUE_0: 'b', GIT_EXTERNAL_DIFF: 'x', GIT_TRACE: '1', GIT_TRACE2_EVENT: '/f',
      GIT_GLOB_PATHSPECS: '1',
    }
    assert.equal(childGitEnv({ ...kept, ...dropped }), kept)
  })

  test('git() works on the repository around its folder although variables name another one', async () => {
    await using inner = await makeRepo()
    await using outer = await makeRepo({ other: 'x' })
    const there = join(outer.path, '.git')
    const listed = await withEnv({
      GIT_DIR: there, GIT_WORK_TREE: outer.path, GIT_INDEX_FILE: join(there, 'index'),
      GIT_OBJECT_DIRECTORY: join(there, 'objects'),
      GIT_COMMON_DIR: there, GIT_PREFIX: 'sub/', GIT_NAMESPACE: 'n', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_GLOB_PATHSPECS: '1',
    }, async () => [await gitRoot(inner.path), lineOf(await git(inner.path, ['ls-files']))])
    assert.equal(listed, [inner.path, 'f.txt'])
  })
})

suite('git', test => {
  test('git() hands bytes over exactly, both ways', async () => {
    await using repo = await makeRepo()
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256))
    const id = lineOf(await git(repo.path, ['hash-object', '-w', '--stdin'], { input: bytes, write: true }))
    assert.ok((await git(repo.path, ['cat-file', 'blob', id])).stdout.equals(bytes))
  })

  test('git() hands arguments over as they are, past any shell', async () => {
    await using repo = await makeRepo()
    const words = ['a b', `it's "quoted" $HOME \`id\``, 'two\nlines', '*', '']
    const args = ['rev-parse', '--sq-quote', ...words]
    assert.is((await git(repo.path, args)).stdout.toString(), `${gitAt(repo.path, ...args)}\n`)
  })

  test('git() gives an empty stdin when there is no input', async () => {
    await using repo = await makeRepo()
    assert.is(lineOf(await git(repo.path, ['hash-object', '--stdin'])), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
    assert.is(lineOf(await git(repo.path, ['hash-object', '--stdin'], { input: '' })), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
  })

  test('git() survives a command that ends without reading its input', async () => {
    await using repo = await makeRepo()
    const input = Buffer.alloc(8 * 1024 * 1024)
    const problem = await problemOf(() => git(repo.path, ['cat-file', '--no-such-option'], { input }))
    assert.is(problem.code, 'git.failed')
  })

  test('git() names what failed with the line that tells why', async () => {
    await using repo = await makeRepo()
    const add = ['worktree', 'add', '--detach', 'w', 'nowhere']
    const problem = await problemOf(() => git(repo.path, add, { write: true, to: 'make a worktree' }))
    assert.match(problem.message, /^Cannot make a worktree in ".*": invalid reference: nowhere$/)
    assert.is(problem.facts?.['code'], 128)
    assert.match((await problemOf(() => git(join(repo.path, 'none'), ['status']))).message, /the folder does not exist$/)
    assert.is((await git(repo.path, ['config', 'no.such'], { okCodes: [0, 1] })).code, 1)
  })

  test('git() says so when git is not installed', async () => {
    await using temp = await tempFolder()
    await withEnv({ PATH: temp.path }, async () => {
      assert.match((await problemOf(() => git(temp.path, ['version']))).message, /git is not installed or not on PATH$/)
    })
  })

  test('git() ends a call that hangs, with a child that ignores TERM', async () => {
    await using repo = await makeRepo()
    const pidFile = join(repo.outside, 'pid')
    const alias = `alias.hang=!trap "" TERM; echo $$ > '${pidFile}'; while :; do sleep 1; done`
    const problem = await problemOf(() => git(repo.path, ['-c', alias, 'hang'], { timeoutMs: 500 }))
    assert.is(problem.code, 'git.timeout')
    assert.match(problem.message, /did not end within 500 ms$/)
    const pid = Number(await readFile(pidFile, 'utf8'))
    await until(() => !isAlive(pid))
  }, 15_000)

  test('git() does not wait for a process that left the group with our pipes', async () => {
    await using repo = await makeRepo()
    const pidFile = join(repo.outside, 'pid')
    const alias = `alias.hang=!setsid sh -c 'echo $$ > "${pidFile}.new"; mv "${pidFile}.new" "${pidFile}"; exec sleep 60' & wait`
    assert.is((await problemOf(() => git(repo.path, ['-c', alias, 'hang'], { timeoutMs: 300 }))).code, 'git.timeout')
    await until(() => existsSync(pidFile))
    const pid = Number(await readFile(pidFile, 'utf8'))
    assert.ok(pid > 1 && isAlive(pid))
    process.kill(pid, 'SIGKILL')
  }, 15_000)

  test('git() runs no file system monitor, hook, pager, editor or tracing of the repository or the caller', async () => {
    await using repo = await makeRepo()
    const ran = join(repo.outside, 'ran')
    const program = join(repo.outside, 'program')
    writeFiles(repo.outside, { program: `#!/bin/sh\ntouch '${ran}'\nsleep 60\n` })
    await chmod(program, 0o755)
    const settings = ['core.fsmonitor', 'core.pager', 'core.editor', 'core.askPass', 'diff.external']
    for (const setting of settings) repo.git('config', setting, program)
    writeFiles(repo.path, { '.git/hooks/post-index-change': `#!/bin/sh\n'${program}'\n`, 'f.txt': 'changed\n' })
    await chmod(join(repo.path, '.git/hooks/post-index-change'), 0o755)
    const printed = await withEnv({ GIT_TRACE: '1', GIT_PAGER: program, GIT_EXTERNAL_DIFF: program }, async () => {
      await git(repo.path, ['add', 'f.txt'], { write: true, timeoutMs: 5_000 })
      return git(repo.path, ['status', '--short'], { timeoutMs: 5_000 })
    })
    assert.is(printed.stdout.toString(), 'M  f.txt\n')
    assert.is(printed.stderr, '')
    assert.not.ok(existsSync(ran))
  })

  test('git() takes paths literally', async () => {
    await using repo = await makeRepo({ '[id].ts': 'a', 'i.ts': 'b' })
    assert.is(lineOf(await git(repo.path, ['ls-files', '--', '[id].ts'])), '[id].ts')
    assert.is(lineOf(await git(repo.path, ['ls-files', '--', '*'])), '')
  })
})

suite('git questions', test => {
  test('gitRoot() is null outside a checkout, in a bare repository, in .git and in a folder that is gone', async () => {
    await using repo = await makeRepo()
    gitAt(repo.outside, 'init', '-q', '--bare', 'bare')
    const folders = [repo.outside, join(repo.outside, 'bare'), join(repo.path, '.git'), join(repo.path, 'gone')]
    for (const folder of folders) assert.is(await gitRoot(folder), null)
    writeFiles(repo.path, { 'sub/x': '' })
    assert.is(await gitRoot(join(repo.path, 'sub')), repo.path)
  })

  test('headCommit() is null before the first commit', async () => {
    await using empty = await makeRepo(null)
    assert.is(await headCommit(empty.path), null)
    const commit = empty.commit()
    assert.is(await headCommit(empty.path), commit)
  })

  test('commonDir() of a linked worktree is that of the repository', async () => {
    await using repo = await makeRepo()
    repo.git('worktree', 'add', '-q', '--detach', join(repo.outside, 'linked'))
    assert.is(await commonDir(join(repo.outside, 'linked')), join(repo.path, '.git'))
    assert.is(await commonDir(repo.path), join(repo.path, '.git'))
  })

  test('isDirty() sees changed and new files, but not our own folder', async () => {
    await using repo = await makeRepo()
    repo.write({ '.alethe/x': '' })
    assert.not.ok(await isDirty(repo.path))
    assert.not.ok(await isDirty(repo.outside))
    repo.write({ new: '' })
    assert.ok(await isDirty(repo.path))
  })
})
