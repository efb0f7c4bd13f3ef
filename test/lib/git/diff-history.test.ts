import { assert, suite } from '../../kit/check.ts'
import { makeRepo, writeFiles } from '../../kit/repo.ts'
import { applied, contentOf, makeWork } from '../../kit/wave-tree.ts'

suite('captureDiff of committed work', test => {
  test('captureDiff() holds committed, uncommitted and untracked work, and lists the commits', async () => {
    await using repo = await makeRepo({ f: '1\n', g: '1\n' })
    const work = await makeWork(repo)
    writeFiles(work.path, { f: '2\n' })
    work.git('commit', '-qam', 'Tweak f: "é" & more')
    writeFiles(work.path, { g: '2\n', h: 'new\n' })
    const report = await work.capture()
    assert.equal(report.files.map(file => file.path), ['f', 'g', 'h'])
    assert.equal(report.commits, [{ id: work.git('rev-parse', 'HEAD'), subject: 'Tweak f: "é" & more' }])
    assert.match(report.headMoved ?? '', /^HEAD moved from [0-9a-f]{12} to [0-9a-f]{12}$/)
    assert.equal(applied(repo, work.baseTree, report.patch), contentOf(work.path))
  })

  test('captureDiff() holds the work whatever became of branch and history', async () => {
    await using repo = await makeRepo({ f: '1\n', g: '1\n' })
    repo.write({ f: '1b\n' })
    repo.commit('second')
    const work = await makeWork(repo)
    writeFiles(work.path, { f: '2\n', h: 'new\n' })
    work.git('checkout', '-qb', 'x')
    work.git('add', '-A')
    work.git('commit', '-qm', 'one')
    writeFiles(work.path, { g: '2\n' })
    work.git('commit', '-qa', '--amend', '-m', 'amended')
    const amended = await work.capture()
    assert.equal(amended.files.map(file => file.path), ['f', 'g', 'h'])
    assert.equal(amended.commits.map(commit => commit.subject), ['amended'])
    assert.match(amended.headMoved ?? '', / on branch "x"$/)

    work.git('reset', '-q', '--hard', `${work.baseCommit}~1`)
    writeFiles(work.path, { i: 'later\n' })
    const reset = await work.capture()
    assert.equal(reset.files.map(file => file.path), ['f', 'i'])
    assert.equal(reset.commits, [])
    assert.ok(reset.headMoved)
    assert.equal(applied(repo, work.baseTree, reset.patch), contentOf(work.path))
  })

  test('captureDiff() tells of a branch without commits', async () => {
    await using repo = await makeRepo({ f: '1\n' })
    const work = await makeWork(repo)
    work.git('checkout', '-q', '--orphan', 'new')
    writeFiles(work.path, { f: '2\n' })
    const report = await work.capture()
    assert.is(report.headMoved, 'HEAD is on a branch without commits')
    assert.equal(report.files.map(file => file.path), ['f'])
    assert.is(report.error, null)
  })

  test('captureDiff() lists what a worker merged into HEAD', async () => {
    await using repo = await makeRepo({ f: '1\n' })
    const work = await makeWork(repo)
    work.git('checkout', '-qb', 'side')
    writeFiles(work.path, { g: '1\n' })
    work.git('add', '-A')
    work.git('commit', '-qm', 'side work')
    work.git('checkout', '-q', '--detach', work.baseCommit)
    work.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
    assert.equal((await work.capture()).commits.map(commit => commit.subject), ['merged', 'side work'])
  })
}, 30_000)

suite('captureDiff with repositories inside', test => {
  const inner = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid']

  test('captureDiff() keeps the files of a new repository without a commit, and those of one inside it', async () => {
    await using repo = await makeRepo({ f: '1\n', '.gitignore': 'skip/\n' })
    const work = await makeWork(repo)
    writeFiles(work.path, { f: '2\n' })
    work.git('init', '-q', 'nested')
    work.git('init', '-q', 'nested/deeper é')
    writeFiles(work.path, { 'nested/y': 'x\n', 'nested/deeper é/z': 'z\n' })
    writeFiles(work.path, { 'nested/.gitignore': '*.log\n', 'nested/a.log': 'no', 'nested/skip/s': 'no' })
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(report.files.map(file => file.path), ['f', 'nested/.gitignore', 'nested/deeper é/z', 'nested/y'])
    assert.equal(report.notKept.map(text => text.split(' (')[0]), ['nested/', 'nested/deeper é/'])
    applied(repo, work.baseTree, report.patch)
  })

  test('captureDiff() keeps the files of a new repository with commits, also when it was added as a link', async () => {
    await using repo = await makeRepo({ f: '1\n' })
    const work = await makeWork(repo)
    writeFiles(work.path, { f: '2\n', 'nested/y': 'x\n' })
    work.git('init', '-q', 'nested')
    work.git('-C', 'nested', 'add', '-A')
    work.git('-C', 'nested', ...inner, 'commit', '-qm', 'inner')
    const seen = await work.capture()
    assert.equal(seen.files.map(file => file.path), ['f', 'nested/y'])
    assert.match(seen.notKept[0] ?? '', /^nested\/ \(a nested repository: its files are kept, its commits are not\)$/)
    work.git('-c', 'advice.addEmbeddedRepo=false', 'add', '-A')
    work.git('commit', '-qm', 'link')
    assert.equal((await work.capture()).files.map(file => file.path), ['f', 'nested/y'])
  })

  test('captureDiff() keeps new files in a tracked folder that became a repository, and a file that became one', async () => {
    await using repo = await makeRepo({ 'pack/a': '1\n', file: 'f\n' })
    const work = await makeWork(repo)
    work.git('init', '-q', 'pack')
    writeFiles(work.path, { 'pack/a': '2\n', 'pack/b': 'b\n', file: null })
    work.git('init', '-q', 'file')
    writeFiles(work.path, { 'file/in': 'i\n' })
    work.git('-C', 'file', 'add', '-A')
    work.git('-C', 'file', ...inner, 'commit', '-qm', 'inner')
    const report = await work.capture()
    const expected = ['deleted file', 'added file/in', 'modified pack/a', 'added pack/b']
    assert.equal(report.files.map(file => `${file.kind} ${file.path}`), expected)
  })

  test('captureDiff() does not let a nested repository point it elsewhere', async () => {
    await using repo = await makeRepo({ f: '1\n' })
    const work = await makeWork(repo)
    work.git('init', '-q', 'nested')
    writeFiles(work.path, { 'nested/y': 'x\n' })
    writeFiles(repo.outside, { 'private/secret': 's' })
    work.git('-C', 'nested', 'config', 'core.worktree', `${repo.outside}/private`)
    assert.equal((await work.capture()).files.map(file => file.path), ['nested/y'])
  })

  test('captureDiff() leaves submodules as they are and names those that were changed', async () => {
    await using part = await makeRepo({ p: 'p\n' })
    await using repo = await makeRepo({ f: '1\n' })
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.path, 'sub')
    repo.commit('with sub')
    const work = await makeWork(repo)
    assert.is((await work.capture()).patch, null)
    work.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
    assert.equal((await work.capture()).notKept, [])
    writeFiles(work.path, { f: '2\n', 'sub/p': 'q\n' })
    const named = ['sub (a submodule: its changes stay in its own repository)']
    const dirty = await work.capture()
    assert.equal([dirty.files.map(file => file.path), dirty.notKept], [['f'], named])
    work.git('-C', 'sub', ...inner, 'commit', '-qam', 'moved')
    work.git('commit', '-qam', 'bump')
    const bumped = await work.capture()
    assert.equal([bumped.files.map(file => file.path), bumped.notKept], [['f'], named])
  })
}, 30_000)
