import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureDiff } from '../../../lib/git/diff.ts'
import { changedPaths, snapshot, type Snapshot, treeOf } from '../../../lib/git/snapshot.ts'
import { assert, suite } from '../../kit/check.ts'
import { makeRepo, type Repo } from '../../kit/repo.ts'

async function taken(repo: Repo, options: Parameters<typeof snapshot>[1] = {}): Promise<Snapshot> {
  const made = await snapshot(repo.path, options)
  if (!made) throw new Error('There is no snapshot')
  return made
}

/** Paths that `body` changes. */
async function changing(repo: Repo, body: () => void, ignore: readonly string[] = []): Promise<string[]> {
  const before = await taken(repo, { ignore })
  body()
  return changedPaths(before, await taken(repo, { ignore, earlier: before }))
}

suite('snapshot', test => {
  test('changedPaths() is empty when nothing happened in a dirty checkout', async () => {
    await using repo = await makeRepo({ a: 'a', b: 'b' })
    repo.write({ a: 'dirty', new: 'n', b: null })
    assert.equal(await changing(repo, () => undefined), [])
    assert.equal(await changing(repo, () => { utimesSync(join(repo.path, 'a'), 1, 1) }), [])
  })

  test('changedPaths() sees edits of clean, dirty and new files, deletions, modes, links and what is staged', async () => {
    await using repo = await makeRepo({ clean: 'c', dirty: 'd', gone: 'g', tool: 't', staged: 's', back: 'b', 'ø é': 'o' })
    symlinkSync('clean', join(repo.path, 'link'))
    repo.commit()
    repo.write({ dirty: 'dirty', new: 'n', staged: 'S', back: 'B' })
    const changed = await changing(repo, () => {
      repo.write({ clean: 'x', dirty: 'DIRTY', new: 'N', gone: null, back: 'b' })
      repo.write({ 'with\nline': '', 'ø é': 'x', 'deep/er/file': '' })
      chmodSync(join(repo.path, 'tool'), 0o755)
      repo.git('add', 'staged')
      rmSync(join(repo.path, 'link'))
      symlinkSync('dirty', join(repo.path, 'link'))
    })
    const expected = ['back', 'clean', 'deep/er/file', 'dirty', 'gone', 'link', 'new', 'staged', 'tool', 'with\nline', 'ø é']
    assert.equal(changed, expected)
  })

  test('changedPaths() sees a commit, an empty commit, another branch and a reset', async () => {
    await using repo = await makeRepo({ a: 'a', b: 'b' })
    assert.equal(await changing(repo, () => {
      repo.write({ a: 'x', c: 'c' })
      repo.commit()
    }), ['.git/HEAD', 'a', 'c'])
    assert.equal(await changing(repo, () => { repo.git('commit', '-q', '--allow-empty', '-m', 'empty') }), ['.git/HEAD'])
    assert.equal(await changing(repo, () => { repo.git('checkout', '-qb', 'other') }), ['.git/HEAD'])
    assert.equal(await changing(repo, () => { repo.git('reset', '-q', '--hard', 'HEAD~2') }), ['.git/HEAD', 'a', 'c'])
  })

  test('changedPaths() sees the first commit of a repository', async () => {
    await using repo = await makeRepo(null)
    repo.write({ a: 'a' })
    assert.equal(await changing(repo, () => { repo.commit() }), ['.git/HEAD', 'a'])
  })

  test('snapshot() ignores our own folder and the folders named, but not what is tracked there', async () => {
    await using repo = await makeRepo({ '.alethe/notes': 'n', 'runs/kept': 'k' })
    assert.equal(await changing(repo, () => {
      repo.write({ '.alethe/worktrees/x': 'x', 'runs/run-1/state.json': '{}' })
      repo.write({ 'runs/kept': 'K', '.alethe/notes': 'N', 'runs2/x': '' })
    }, [join(repo.path, 'runs')]), ['.alethe/notes', 'runs/kept', 'runs2/x'])
  })

  test('snapshot() sees repositories inside as folders and a submodule that moved', async () => {
    await using part = await makeRepo({ p: 'p' })
    await using repo = await makeRepo()
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.path, 'sub')
    repo.commit()
    repo.git('config', 'diff.ignoreSubmodules', 'all')
    assert.equal(await changing(repo, () => {
      repo.git('init', '-q', 'nested')
      repo.write({ 'nested/x': 'x', 'sub/p': 'q' })
    }), ['nested/', 'sub'])
  })

  test('snapshot() is null outside a checkout and for more entries than it looks at', async () => {
    await using repo = await makeRepo()
    assert.is(await snapshot(repo.outside), null)
    repo.write(Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`many/${index}`, ''])))
    assert.is(await snapshot(repo.path), null)
  }, 60_000)

  test('snapshot() reads no file again that has not been touched since it came to rest', async () => {
    await using repo = await makeRepo()
    repo.write({ old: 'x'.repeat(1000) })
    const file = join(repo.path, 'old')
    const before = await taken(repo)
    // Too young to be trusted by its times: a file system may tick every two seconds.
    assert.is(before.entries.get('old')?.stamp, undefined)
    // A stamp that holds is believed, which shows that the content was not read.
    const facts = statSync(file, { bigint: true })
    const stamp = [facts.mode, facts.size, facts.mtimeNs, facts.ctimeNs, facts.ino].join(':')
    const known: Snapshot = { ...before, entries: new Map([['old', { code: '?', print: 'as before', stamp }]]) }
    assert.is((await taken(repo, { earlier: known })).entries.get('old')?.print, 'as before')
    writeFileSync(file, 'y'.repeat(1000))
    assert.match((await taken(repo, { earlier: known })).entries.get('old')?.print ?? '', /^file:[0-9a-f]{64}$/)
  })

  test('snapshot() takes no lock and writes no index', async () => {
    await using repo = await makeRepo()
    // Git would note the new time of an unchanged file in the index.
    utimesSync(join(repo.path, 'f.txt'), 1, 1)
    repo.write({ new: '' })
    const before = readFileSync(join(repo.path, '.git/index'))
    assert.equal([...(await taken(repo)).entries.keys()], ['new'])
    assert.ok(readFileSync(join(repo.path, '.git/index')).equals(before))
    repo.write({ '.git/index.lock': '' })
    assert.equal([...(await taken(repo)).entries.keys()], ['new'])
  })
}, 30_000)

suite('treeOf', test => {
  test('treeOf() is the base of a diff that holds only what was done since, in a dirty checkout', async () => {
    await using repo = await makeRepo({ a: 'a\n', b: 'b\n' })
    repo.write({ a: 'dirty\n', mine: 'm\n', gone: 'x' })
    const baseTree = await treeOf(repo.path, { ignore: [join(repo.path, 'runs')] })
    const index = readFileSync(join(repo.path, '.git/index'))
    repo.write({ b: 'worker\n', mine: 'm\nmore\n', 'runs/x': 'ours', '.alethe/x': 'ours' })
    const report = await captureDiff({
      root: repo.path, baseTree: baseTree ?? '', baseCommit: repo.git('rev-parse', 'HEAD'),
      out: join(repo.path, 'runs/diff.patch'), statusOut: join(repo.path, 'runs/status.txt'),
      exclude: [join(repo.path, 'runs')],
    })
    assert.is(report.error, null)
    assert.equal(report.files.map(file => file.path), ['b', 'mine'])
    assert.equal(report.stats, { files: 2, added: 2, deleted: 1 })
    assert.ok(readFileSync(join(repo.path, '.git/index')).equals(index))
    assert.is(repo.git('diff', '--cached', '--name-only'), '')
  })

  test('treeOf() keeps files outside a sparse checkout as they are', async () => {
    await using repo = await makeRepo({ 'in/a': 'a', 'out/b': 'b' })
    repo.git('sparse-checkout', 'set', 'in')
    assert.is(await treeOf(repo.path), repo.git('rev-parse', 'HEAD^{tree}'))
  })

  test('treeOf() is null where there is no checkout', async () => {
    await using repo = await makeRepo()
    assert.is(await treeOf(repo.outside), null)
  })
}, 30_000)
