import {
  chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../../kit/check.ts'
import { gitAt, makeRepo, writeFiles } from '../../kit/repo.ts'
import { applied, contentOf, makeWork } from '../../kit/wave-tree.ts'

const binary = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 31) % 256))

suite('captureDiff', test => {
  test('captureDiff() reports nothing for a worktree that nobody touched', async () => {
    await using repo = await makeRepo()
    const report = await (await makeWork(repo)).capture()
    const stats = { files: 0, added: 0, deleted: 0 }
    assert.equal(report, { patch: null, files: [], stats, commits: [], headMoved: null, notKept: [], error: null })
  })

  test('captureDiff() keeps edits, new files, deletions, renames, modes, links, binaries and odd names', async () => {
    const long = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('')
    await using repo = await makeRepo({
      edit: 'a\nb\n', 'gone.txt': 'x\n', 'old/name.txt': long, 'tool.sh': '#!/bin/sh\n', 'data.bin': binary, file: 'f\n',
      'folder/in': 'i\n', 'crlf.txt': 'a\r\nb\r\n', noend: 'no end',
    })
    const work = await makeWork(repo)
    writeFiles(work.path, {
      edit: 'a\nB\n', 'gone.txt': null, 'new é ☃.txt': 'n\n', 'with\nline "end"\t\\.txt': 'q\n', 'empty': '',
      'data.bin': Buffer.from(binary).reverse(), 'crlf.txt': 'a\r\nc\r\n', noend: 'no end!',
      file: null, 'folder': null,
    })
    writeFiles(work.path, { 'file/now a folder': 'x', 'folder': 'now a file' })
    renameSync(join(work.path, 'old/name.txt'), join(work.path, 'old/new name.txt'))
    chmodSync(join(work.path, 'tool.sh'), 0o755)
    symlinkSync('edit', join(work.path, 'link'))
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(applied(repo, work.baseTree, report.patch), contentOf(work.path))
    const fileAt = (path: string): unknown => report.files.find(file => file.path === path)
    const moved = { path: 'old/new name.txt', from: 'old/name.txt', added: 0, deleted: 0, kind: 'renamed' }
    assert.equal(fileAt('old/new name.txt'), moved)
    assert.equal(fileAt('data.bin'), { path: 'data.bin', added: null, deleted: null, kind: 'modified' })
    const odd = 'with\nline "end"\t\\.txt'
    assert.equal(fileAt(odd), { path: odd, added: 1, deleted: 0, kind: 'added' })
    assert.equal(fileAt('gone.txt'), { path: 'gone.txt', added: 0, deleted: 1, kind: 'deleted' })
    assert.is(report.stats.files, report.files.length)
    assert.ok(report.patch && (statSync(report.patch).mode & 0o077) === 0)
    assert.not.match(readFileSync(report.patch, 'latin1'), /^index [0-9a-f]{1,39}\.\./m)
  })

  test('captureDiff() leaves out what git ignores, but not an ignored file that the worker committed', async () => {
    await using repo = await makeRepo({ '.gitignore': '*.log\n' })
    const work = await makeWork(repo)
    writeFiles(work.path, { 'a.log': 'a', 'b.log': 'b' })
    work.git('add', '-f', 'b.log')
    work.git('commit', '-qm', 'log')
    assert.equal((await work.capture()).files.map(file => file.path), ['b.log'])
  })

  test('captureDiff() keeps edits that the worker hid from git by flags', async () => {
    await using repo = await makeRepo({ a: 'a\n', b: 'b\n', c: 'c\n' })
    const work = await makeWork(repo)
    work.git('update-index', '--assume-unchanged', 'a')
    work.git('update-index', '--skip-worktree', 'b')
    writeFiles(work.path, { a: 'A\n', b: 'B\n' })
    assert.equal((await work.capture()).files.map(file => file.path), ['a', 'b'])
  })

  test('captureDiff() writes the worktree state of git to a file', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(work.path, { 'f.txt': 'x', new: '' })
    repo.git('config', 'color.status', 'always')
    await work.capture()
    assert.is(readFileSync(join(repo.outside, `${work.path.split('-').at(-1)}.status`), 'utf8'), ' M f.txt\n?? new\n')
  })

  test('captureDiff() leaves the index of the checkout as it was, also under a lock that it did not make', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(work.path, { 'f.txt': 'edited\n', 'new.txt': 'new\n' })
    const index = work.git('rev-parse', '--git-path', 'index')
    const before = readFileSync(index)
    writeFileSync(`${index}.lock`, '')
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(report.files.map(file => file.path), ['f.txt', 'new.txt'])
    assert.ok(existsSync(`${index}.lock`))
    assert.ok(readFileSync(index).equals(before))
  })

  test('captureDiff() still works when the worker deleted or broke the index', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(work.path, { 'f.txt': 'edited\n', 'new.txt': 'new\n' })
    rmSync(work.git('rev-parse', '--git-path', 'index'))
    assert.equal((await work.capture()).files.map(file => file.path), ['f.txt', 'new.txt'])
    writeFileSync(work.git('rev-parse', '--git-path', 'index'), 'garbage')
    assert.equal((await work.capture()).files.map(file => file.path), ['f.txt', 'new.txt'])
  })

  test('captureDiff() keeps conflicts as they stand in the files', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    for (const [branch, text] of [['a', 'A\n'], ['b', 'B\n']] as const) {
      work.git('checkout', '-qb', branch, work.baseCommit)
      writeFiles(work.path, { 'f.txt': text })
      work.git('commit', '-qam', branch)
    }
    assert.throws(() => work.git('merge', 'a'))
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(applied(repo, work.baseTree, report.patch), contentOf(work.path))
    rmSync(join(work.path, 'f.txt'))
    assert.equal((await work.capture()).files, [{ path: 'f.txt', added: 0, deleted: 3, kind: 'deleted' }])
  })

  test('captureDiff() names a file that is too large instead of writing it into the repository', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(work.path, { 'huge.bin': '', 'f.txt': 'x\n' })
    truncateSync(join(work.path, 'huge.bin'), 300 * 1024 * 1024)
    const report = await work.capture()
    assert.equal(report.files.map(file => file.path), ['f.txt'])
    assert.equal(report.notKept, ['huge.bin (300 MiB, over 256 MiB)'])
  })

  test('captureDiff() streams a patch of 100 MB to its file', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(work.path, { 'large.txt': `${'x'.repeat(63)}\n`.repeat(1_700_000) })
    const before = process.memoryUsage.rss()
    const report = await work.capture()
    assert.is(report.error, null)
    assert.ok(report.patch && statSync(report.patch).size > 100 * 1024 * 1024)
    assert.ok(process.memoryUsage.rss() - before < 100 * 1024 * 1024)
  }, 60_000)

  const unreadable = 'captureDiff() names a file that cannot be read and keeps the rest'
  if (process.getuid?.() === 0) test.skip(unreadable, 'root can read every file')
  else {
    test(unreadable, async () => {
      await using repo = await makeRepo()
      const work = await makeWork(repo)
      writeFiles(work.path, { secret: 's', 'f.txt': 'x\n' })
      chmodSync(join(work.path, 'secret'), 0)
      const report = await work.capture()
      assert.equal(report.files.map(file => file.path), ['f.txt'])
      assert.equal(report.notKept, ['secret (it cannot be read)'])
    })
  }

  test('captureDiff() looks at the worktree and not at the repository around it when the worker replaced its .git', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    repo.write({ 'around.txt': 'not the worker\'s' })
    writeFiles(work.path, { 'f.txt': 'edited\n' })
    for (const replace of [() => undefined, () => { gitAt(work.path, 'init', '-q') }]) {
      rmSync(join(work.path, '.git'), { recursive: true, force: true })
      replace()
      for (const known of [undefined, work]) {
        const report = await work.capture(known)
        assert.is(report.error, null)
        assert.equal(report.files.map(file => file.path), ['f.txt'])
      }
    }
  })

  test('captureDiff() tells that the worktree is gone', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    rmSync(work.path, { recursive: true })
    for (const known of [undefined, work]) {
      const report = await work.capture(known)
      assert.is(report.patch, null)
      assert.match(report.error ?? '', /^Cannot read the changes in "[^"]+": the folder does not exist$/)
    }
  })

  test('captureDiff() does not follow a link that took the worktree\'s place', async () => {
    await using repo = await makeRepo()
    const work = await makeWork(repo)
    writeFiles(repo.outside, { 'private/f.txt': 'not for anybody\n' })
    rmSync(work.path, { recursive: true })
    symlinkSync(join(repo.outside, 'private'), work.path)
    for (const known of [undefined, work]) {
      const report = await work.capture(known)
      assert.is(report.patch, null)
      assert.match(report.error ?? '', /it is not the top folder of a checkout$/)
    }
  })
}, 30_000)
