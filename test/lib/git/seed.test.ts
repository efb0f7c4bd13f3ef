import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { makeRepo, writeFiles } from '../../kit/repo.ts'
import { contentOf, makeWork } from '../../kit/wave-tree.ts'

const refusal = async (body: () => unknown): Promise<string> => {
  const error = await thrown(body)
  if (!(error instanceof Fail)) throw error
  return error.message
}

suite('seed', test => {
  test('seed() brings the whole uncommitted state, so that the worktree looks like the checkout', async () => {
    await using repo = await makeRepo({
      staged: 'a\n', unstaged: 'a\n', both: 'a\n', 'gone': 'x', 'gone staged': 'x', 'old/name': 'moved\n', tool: '#!/bin/sh\n',
      'bin.dat': Buffer.from([0, 1, 2]), file: 'f', 'folder/in': 'i', same: 's',
    })
    repo.write({ staged: 'b\n', both: 'b\n', 'gone staged': null, 'new staged': 'n' })
    repo.git('mv', 'old/name', 'new name é')
    repo.git('add', '-A')
    repo.write({ unstaged: 'b\n', both: 'c\n', gone: null, 'bin.dat': Buffer.from([3, 0, 255]), 'sub/un\ntracked "é".txt': 'u' })
    repo.write({ file: null, folder: null })
    writeFiles(repo.path, { 'file/now': 'folder', folder: 'now a file' })
    chmodSync(join(repo.path, 'tool'), 0o755)
    const work = await makeWork(repo, ['.'])
    assert.equal(contentOf(work.path), contentOf(repo.path))
    assert.equal(work.notes, [])
    assert.is((await work.capture()).patch, null)
    assert.is(repo.git('diff', '--cached', '--name-only').split('\n').length, 5)
  })

  test('seed() brings only what is named, and a folder with all that is in it', async () => {
    await using repo = await makeRepo({ 'a/one': '1', 'a/two': '2', b: 'b', 'app/[id]/page': 'p', 'app/i/page': 'q' })
    repo.write({ 'a/one': '1b', 'a/two': null, 'a/three': '3', b: 'changed', 'app/[id]/page': 'P', 'app/i/page': 'Q' })
    const work = await makeWork(repo, ['./a/', 'app/[id]'])
    assert.equal(contentOf(work.path), {
      ...contentOf(repo.path), b: Buffer.from('b').toString('base64'), 'app/i/page': Buffer.from('q').toString('base64'),
    })
  })

  test('seed() makes the base of the diff: only what the worker did is in the patch', async () => {
    await using repo = await makeRepo({ f: 'one\n' })
    repo.write({ f: 'two\n', mine: 'm\n' })
    const work = await makeWork(repo, ['f', 'mine'])
    assert.is(repo.git('show', `${work.baseTree}:mine`), 'm')
    writeFiles(work.path, { mine: 'm\nw\n' })
    assert.equal((await work.capture()).files, [{ path: 'mine', added: 1, deleted: 0, kind: 'modified' }])
  })

  test('seed() says which named paths it did not bring: ignored ones, missing ones and repositories inside', async () => {
    await using repo = await makeRepo({ '.gitignore': '*.env\n', f: 'f' })
    repo.write({ 'a.env': 'secret' })
    repo.git('init', '-q', 'nested')
    repo.write({ 'nested/x': 'x' })
    const work = await makeWork(repo, ['a.env', 'nowhere', 'nested', 'f'])
    assert.equal(work.notes, [
      'seed paths that do not exist: nowhere', 'seed paths that git ignores were not brought: a.env',
      'nested repositories were not brought: nested/',
    ])
    assert.equal(Object.keys(contentOf(work.path)).sort(), ['.gitignore', 'f'])
  })

  test('seed() removes a file that was taken out of the index and is ignored now', async () => {
    await using repo = await makeRepo({ 'a.log': 'a', keep: 'k' })
    repo.git('rm', '-q', '--cached', 'a.log')
    repo.write({ '.gitignore': '*.log\n' })
    const work = await makeWork(repo, ['.'])
    assert.equal(Object.keys(contentOf(work.path)).sort(), ['.gitignore', 'keep'])
  })

  test('seed() refuses symbolic links: named, changed below a named folder, or on the way', async () => {
    await using repo = await makeRepo({ 'd/f': 'f' })
    writeFiles(repo.outside, { 'private/secret': 's' })
    symlinkSync(join(repo.outside, 'private'), join(repo.path, 'way'))
    symlinkSync(join(repo.outside, 'private/secret'), join(repo.path, 'd/link'))
    assert.match(await refusal(() => makeWork(repo, ['way'])), /"way" into the worktree: it is a symbolic link$/)
    assert.match(await refusal(() => makeWork(repo, ['way/secret'])), /"way" is a symbolic link$/)
    assert.match(await refusal(() => makeWork(repo, ['d'])), /"d\/link" into the worktree: it is a symbolic link$/)
  })

  test('seed() refuses paths that are not plain', async () => {
    await using repo = await makeRepo()
    for (const path of ['../x', '/etc/passwd', '.git/config', '*.ts']) {
      assert.match(await refusal(() => makeWork(repo, [path])), /it is not a plain path inside the repository$/)
    }
  })

  test('seed() never writes through a link that the commit holds', async () => {
    await using repo = await makeRepo()
    mkdirSync(join(repo.outside, 'elsewhere'))
    writeFileSync(join(repo.outside, 'elsewhere/file'), 'theirs')
    symlinkSync(join(repo.outside, 'elsewhere'), join(repo.path, 'folder'))
    symlinkSync(join(repo.outside, 'elsewhere/file'), join(repo.path, 'file'))
    repo.commit()
    for (const path of ['folder', 'file']) rmSync(join(repo.path, path))
    repo.write({ 'folder/new': 'ours', file: 'ours' })
    const work = await makeWork(repo, ['folder', 'file'])
    assert.equal(contentOf(work.path), contentOf(repo.path))
    assert.equal(contentOf(join(repo.outside, 'elsewhere')), { file: Buffer.from('theirs').toString('base64') })
    assert.ok(lstatSync(join(work.path, 'folder')).isDirectory())
  })

  test('seed() brings conflicts as they stand and a file renamed over another', async () => {
    await using repo = await makeRepo({ f: 'base\n', g: 'g\n', h: 'h\n' })
    repo.git('checkout', '-qb', 'side')
    repo.write({ f: 'side\n' })
    repo.commit()
    repo.git('checkout', '-q', 'main')
    repo.write({ f: 'main\n' })
    repo.commit()
    assert.throws(() => repo.git('merge', 'side'))
    renameSync(join(repo.path, 'h'), join(repo.path, 'g'))
    const work = await makeWork(repo, ['.'])
    assert.match(readFileSync(join(work.path, 'f'), 'utf8'), /^<<<<<<< /)
    assert.equal(contentOf(work.path), contentOf(repo.path))
  })

  const unreadable = 'seed() refuses a file that it cannot read'
  if (process.getuid?.() === 0) test.skip(unreadable, 'root can read every file')
  else {
    test(unreadable, async () => {
      await using repo = await makeRepo()
      repo.write({ secret: 's' })
      chmodSync(join(repo.path, 'secret'), 0)
      assert.match(await refusal(() => makeWork(repo, ['secret'])), /it cannot be read$/)
    })
  }
}, 30_000)
