import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assert, suite } from '../../kit/check.ts'
import { gitAt, makeRepo, type Repo, withEnv, writeFiles } from '../../kit/repo.ts'
import { applied, contentOf, makeWork } from '../../kit/wave-tree.ts'

const top = join(import.meta.dirname, '../../..')

/** What must not change in a repository that is not ours. */
const stateOf = (repo: Repo): string[] => [
  readFileSync(join(repo.path, '.git/index')).toString('base64'), repo.git('worktree', 'list'), repo.git('status', '--porcelain'),
  repo.git('for-each-ref'), readFileSync(join(repo.path, '.git/info/exclude'), 'utf8'), repo.git('count-objects'),
]

async function withInner(outer: Repo): Promise<string> {
  const inner = join(outer.path, 'inner')
  mkdirSync(inner)
  gitAt(inner, 'init', '-q')
  writeFiles(inner, { 'f.txt': 'inner\n', 'dirty.txt': 'a\n' })
  gitAt(inner, 'add', '-A')
  gitAt(inner, 'commit', '-qm', 'inner')
  writeFiles(inner, { 'dirty.txt': 'b\n', 'new.txt': 'n\n' })
  return inner
}

suite('started from another repository', test => {
  test('worktree, seeds and diff belong to the inner repository when variables name the outer one', async () => {
    await using outer = await makeRepo({ 'o.txt': 'o\n', '.gitignore': 'inner\n' })
    const inner = await withInner(outer)
    const before = stateOf(outer)
    const git = join(outer.path, '.git')
    await withEnv({
      GIT_DIR: git, GIT_WORK_TREE: outer.path, GIT_INDEX_FILE: join(git, 'index'), GIT_OBJECT_DIRECTORY: join(git, 'objects'),
      GIT_COMMON_DIR: git, GIT_PREFIX: 'inner/',
    }, async () => {
      const work = await makeWork(outer, ['dirty.txt', 'new.txt'], inner)
      assert.is(work.root, inner)
      writeFiles(work.path, { 'f.txt': 'edited\n' })
      const report = await work.capture()
      assert.is(report.error, null)
      assert.equal(report.files.map(file => file.path), ['f.txt'])
    })
    assert.equal(stateOf(outer), before)
    assert.is(gitAt(inner, 'worktree', 'list').split('\n').length, 2)
  })

  test('worktree and diff work inside a real pre-commit hook, which commits what it should', async () => {
    await using outer = await makeRepo({ 'o.txt': 'o\n', '.gitignore': 'inner\n' })
    const inner = await withInner(outer)
    const lib = (name: string): string => `import(${JSON.stringify(pathToFileURL(join(top, 'lib/git', name)).href)})`
    const modules = `Promise.all([${lib('worktree.ts')}, ${lib('diff.ts')}, import('node:fs')])`
    const script = `${modules}.then(async ([worktree, diff, fs]) => {
      if (!process.env.GIT_INDEX_FILE) throw new Error('The hook has no index of its own')
      const wanted = { cwd: ${JSON.stringify(inner)}, runId: 'hook', workerId: 'w', seedPaths: ['dirty.txt'] }
      const { path, root, baseTree, baseCommit } = await worktree.prepareWorktree(wanted)
      fs.writeFileSync(path + '/h.txt', 'h')
      const outside = ${JSON.stringify(outer.outside)}
      const request = { root: path, baseTree, baseCommit, out: outside + '/patch', statusOut: outside + '/status' }
      const report = await diff.captureDiff(request)
      fs.writeFileSync(outside + '/report', JSON.stringify([root, report.error, report.files.map(file => file.path)]))
    })`
    const node = [process.execPath, ...process.execArgv, '-e', script].map(word => `'${word.replaceAll(`'`, `'\\''`)}'`).join(' ')
    writeFiles(outer.path, { '.git/hooks/pre-commit': `#!/bin/sh\ncd '${top}' && exec ${node}\n` })
    writeFiles(outer.path, { 'o.txt': 'changed\n', 'unstaged.txt': 'u\n' })
    chmodSync(join(outer.path, '.git/hooks/pre-commit'), 0o755)
    outer.git('add', 'o.txt')
    const commit = ['commit', '-q', '-m', 'through the hook']
    const committed = spawnSync('git', commit, { cwd: outer.path, env: process.env, encoding: 'utf8' })
    assert.is(committed.status, 0, committed.stderr)
    assert.equal(JSON.parse(readFileSync(join(outer.outside, 'report'), 'utf8')), [inner, null, ['h.txt']])
    assert.is(outer.git('show', '--name-only', '--format=', 'HEAD'), 'o.txt')
    assert.is(outer.git('ls-files'), '.gitignore\no.txt')
    assert.is(outer.git('worktree', 'list').split('\n').length, 1)
  }, 30_000)

  test('a worktree inside a repository inside a repository gives a patch for the innermost', async () => {
    await using outer = await makeRepo({ 'o.txt': 'o\n', '.gitignore': 'inner\n' })
    const inner = await withInner(outer)
    const work = await makeWork(outer, ['.'], inner)
    writeFiles(work.path, { 'f.txt': 'edited\n' })
    const report = await work.capture()
    const { git } = outer
    const view: Repo = { ...outer, path: inner, git: (...args) => git('-C', inner, ...args) }
    assert.equal(applied(view, work.baseTree, report.patch), contentOf(work.path))
  })
}, 30_000)
