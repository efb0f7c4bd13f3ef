import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { refuseIsolation } from '../../../lib/git/isolation.ts'
import { assert, suite } from '../../kit/check.ts'
import { makeRepo } from '../../kit/repo.ts'

suite('refuseIsolation', test => {
  test('refuseIsolation() has nothing against a checkout, a sub-folder, a linked worktree or a detached HEAD', async () => {
    await using repo = await makeRepo({ 'sub/f': 'x', '..odd/f': 'y' })
    repo.git('worktree', 'add', '-q', '--detach', join(repo.outside, 'linked'))
    repo.git('checkout', '-q', '--detach')
    const folders = [repo.path, join(repo.path, 'sub'), join(repo.path, '..odd'), join(repo.outside, 'linked', 'sub')]
    for (const folder of folders) assert.is(await refuseIsolation(folder), null)
  })

  test('refuseIsolation() refuses a repository without a commit and makes none', async () => {
    await using repo = await makeRepo(null)
    const problem = await refuseIsolation(repo.path)
    assert.is(problem?.code, 'git.refused')
    assert.match(problem?.message ?? '', /the repository has no commit yet$/)
    assert.match(problem?.hint ?? '', /commit --allow-empty/)
    assert.is(repo.git('for-each-ref'), '')
    assert.not.ok(existsSync(join(repo.path, '.git/index')))
  })

  test('refuseIsolation() tells a bare repository, no repository, the inside of .git and a missing folder apart', async () => {
    await using repo = await makeRepo()
    repo.git('clone', '-q', '--bare', '.', join(repo.outside, 'bare'))
    const plain = join(repo.outside, 'plain')
    mkdirSync(plain)
    mkdirSync(join(repo.outside, 'gone'))
    rmSync(join(repo.outside, 'gone'), { recursive: true })
    for (const [folder, pattern] of [
      [join(repo.outside, 'bare'), /the repository is bare$/], [plain, /it is not in a git repository$/],
      [join(repo.path, '.git'), /the folder is inside "\.git"$/], [join(repo.outside, 'gone'), /the folder does not exist$/],
    ] as const) assert.match((await refuseIsolation(folder))?.message ?? '', pattern)
    assert.not.ok(existsSync(join(plain, '.git')))
  })

  test('refuseIsolation() refuses a repository that keeps its files elsewhere', async () => {
    await using repo = await makeRepo()
    mkdirSync(join(repo.outside, 'elsewhere'))
    repo.git('config', 'core.worktree', join(repo.outside, 'elsewhere'))
    assert.match((await refuseIsolation(repo.path))?.message ?? '', /its repository has its files in ".*elsewhere"$/)
  })

  const title = 'refuseIsolation() names the owner check of git and how to allow the repository'
  if (process.getuid?.() !== 0) test.skip(title, 'giving a repository to another user takes root')
  else {
    test(title, async () => {
      await using repo = await makeRepo()
      // Git asks who owns both the folder and its .git.
      for (const path of ['', '.git']) chownSync(join(repo.path, path), 65_534, 65_534)
      const problem = await refuseIsolation(repo.path)
      assert.match(problem?.message ?? '', /belongs to another user$/)
      assert.is(problem?.hint, `git config --global --add safe.directory "${repo.path}"`)
    })
  }
}, 30_000)
