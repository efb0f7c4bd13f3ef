import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { lockReason } from '../../../lib/git/registration.ts'
import { prepareWorktree, type Worktree, type WorktreeRequest } from '../../../lib/git/worktree.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { gitAt, makeRepo, type Repo, withEnv } from '../../kit/repo.ts'

const prepare = (repo: Pick<Repo, 'path'>, more: Partial<WorktreeRequest> = {}): Promise<Worktree> =>
  prepareWorktree({ cwd: repo.path, runId: 'run1', workerId: 'w1', seedPaths: [], ...more })

const refusal = async (body: () => unknown): Promise<Fail['problem']> => {
  const error = await thrown(body)
  if (!(error instanceof Fail)) throw error
  return error.problem
}

/** The lines that git has on worktrees besides the checkout itself. */
const registered = (repo: Repo): string[] =>
  repo.git('worktree', 'list', '--porcelain').split('\n').filter(line => line.startsWith('worktree ')).slice(1)

const hook = (repo: Repo, body: string): void => {
  writeFileSync(join(repo.path, '.git/hooks/post-checkout'), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}

suite('prepareWorktree', test => {
  test('prepareWorktree() makes a detached worktree at HEAD, marks it as ours and leaves no lock', async () => {
    await using repo = await makeRepo()
    const made = await prepare(repo)
    assert.is(made.path, join(repo.path, '.alethe/worktrees/skill-run1-w1'))
    assert.is(made.root, repo.path)
    assert.is(made.cwd, made.path)
    assert.is(made.baseCommit, repo.git('rev-parse', 'HEAD'))
    assert.is(made.baseTree, repo.git('rev-parse', 'HEAD^{tree}'))
    assert.equal(made.notes, [])
    assert.is(gitAt(made.path, 'status', '--porcelain'), '')
    assert.is(repo.git('branch', '--list'), '* main')
    const marker: unknown = JSON.parse(readFileSync(join(repo.path, '.git/worktrees/skill-run1-w1/alethe.json'), 'utf8'))
    assert.equal(typeof marker === 'object' && marker ? Object.keys(marker) : [], ['runId', 'workerId', 'createdAt', 'pid'])
    assert.not.ok(existsSync(join(repo.path, '.git/worktrees/skill-run1-w1/locked')))
    assert.not.ok(existsSync(join(repo.path, '.git/alethe.lock')))
  })

  test('prepareWorktree() excludes its folder once, after a last line without an end', async () => {
    await using repo = await makeRepo()
    writeFileSync(join(repo.path, '.git/info/exclude'), '*.tmp')
    await prepare(repo)
    await prepare(repo, { workerId: 'w2' })
    assert.is(readFileSync(join(repo.path, '.git/info/exclude'), 'utf8'), '*.tmp\n/.alethe/worktrees/\n')
    assert.is(repo.git('status', '--porcelain'), '')
  })

  test('prepareWorktree() leaves the exclude file alone where the folder is ignored already', async () => {
    await using repo = await makeRepo({ '.gitignore': '.alethe/\n' })
    const before = readFileSync(join(repo.path, '.git/info/exclude'), 'utf8')
    await prepare(repo)
    assert.is(readFileSync(join(repo.path, '.git/info/exclude'), 'utf8'), before)
  })

  test('prepareWorktree() starts in the same sub-folder, also in one that the commit does not hold', async () => {
    await using repo = await makeRepo({ 'a/b/f': 'x' })
    assert.is((await prepare(repo, { cwd: join(repo.path, 'a/b') })).cwd, join(repo.path, '.alethe/worktrees/skill-run1-w1/a/b'))
    mkdirSync(join(repo.path, 'new/deep'), { recursive: true })
    const { cwd, path } = await prepare(repo, { cwd: join(repo.path, 'new/deep'), workerId: 'w2' })
    assert.is(cwd, join(path, 'new/deep'))
    assert.ok(existsSync(cwd))
  })

  test('prepareWorktree() never starts in a sub-folder that the commit holds as a link out of the worktree', async () => {
    await using repo = await makeRepo()
    symlinkSync(repo.outside, join(repo.path, 'sub'))
    repo.commit()
    rmSync(join(repo.path, 'sub'))
    mkdirSync(join(repo.path, 'sub/deep'), { recursive: true })
    assert.is((await refusal(() => prepare(repo, { cwd: join(repo.path, 'sub/deep') }))).code, 'git.refused')
    assert.not.ok(existsSync(join(repo.outside, 'deep')))
    assert.equal(registered(repo), [])
  })

  test('prepareWorktree() refuses a repository whose own folder for us is a link', async () => {
    await using repo = await makeRepo()
    symlinkSync(repo.outside, join(repo.path, '.alethe'))
    assert.is((await refusal(() => prepare(repo))).code, 'git.refused')
    assert.not.ok(existsSync(join(repo.outside, 'worktrees')))
  })

  test('prepareWorktree() works from a linked worktree on another commit and from a detached HEAD', async () => {
    await using repo = await makeRepo()
    const first = repo.git('rev-parse', 'HEAD')
    repo.write({ 'f.txt': 'second\n' })
    const second = repo.commit()
    const linked = join(repo.outside, 'linked')
    repo.git('worktree', 'add', '-q', '--detach', linked, first)
    const made = await prepare({ path: linked })
    assert.is(made.root, linked)
    assert.is(made.baseCommit, first)
    assert.match(readFileSync(join(repo.path, '.git/info/exclude'), 'utf8'), /^\/\.alethe\/worktrees\/$/m)
    assert.is(gitAt(linked, 'status', '--porcelain'), '')
    repo.git('checkout', '-q', '--detach')
    assert.is((await prepare(repo)).baseCommit, second)
  })

  test('prepareWorktree() runs no post-checkout hook, be it one that fails or one that sleeps', async () => {
    await using repo = await makeRepo()
    const ran = join(repo.outside, 'ran')
    for (const [workerId, body] of [['fails', 'exit 3'], ['sleeps', 'sleep 600']] as const) {
      hook(repo, `touch '${ran}'\n${body}`)
      await prepare(repo, { workerId })
    }
    assert.is(registered(repo).length, 2)
    assert.not.ok(existsSync(ran))
  })

  test('prepareWorktree() names a required filter whose program is missing and leaves nothing behind', async () => {
    await using repo = await makeRepo({ 'a.bin': 'x', '.gitattributes': '*.bin filter=store\n' })
    repo.git('config', 'filter.store.process', 'no-such-store filter-process')
    repo.git('config', 'filter.store.required', 'true')
    const problem = await refusal(() => prepare(repo))
    assert.match(problem.message, /the required filter "store" \(no-such-store\) is not installed$/)
    assert.equal(registered(repo), [])
    assert.not.ok(existsSync(join(repo.path, '.alethe/worktrees/skill-run1-w1')))
    assert.not.ok(existsSync(join(repo.path, '.git/worktrees')))
  })

  test('prepareWorktree() leaves nothing behind when a seed is refused', async () => {
    await using repo = await makeRepo()
    symlinkSync('/etc', join(repo.path, 'link'))
    const problem = await refusal(() => prepare(repo, { seedPaths: ['link'] }))
    assert.match(problem.message, /"link" into the worktree: it is a symbolic link$/)
    assert.equal(registered(repo), [])
  })
}, 30_000)

suite('prepareWorktree after an earlier one', test => {
  test('prepareWorktree() takes over its own registration when the folder was deleted by hand', async () => {
    await using repo = await makeRepo()
    const { path } = await prepare(repo)
    rmSync(path, { recursive: true })
    assert.is((await prepare(repo)).path, path)
    assert.is(registered(repo).length, 1)
  })

  test('prepareWorktree() clears a lock that it wrote itself and whose owner is dead', async () => {
    await using repo = await makeRepo()
    const { path } = await prepare(repo)
    repo.git('worktree', 'lock', '--reason', 'alethe pid=999999 start=1 boot=x', path)
    rmSync(path, { recursive: true })
    assert.is((await prepare(repo)).path, path)
  })

  test('prepareWorktree() clears what a runner left that died while git was making the worktree', async () => {
    await using repo = await makeRepo()
    repo.write({ '.git/worktrees/skill-run1-w1/locked': 'alethe pid=999999 start=1 boot=x' })
    const { path } = await prepare(repo)
    assert.equal(registered(repo), [`worktree ${path}`])
    assert.equal(readdirSync(join(repo.path, '.git/worktrees')), ['skill-run1-w1'])
  })

  test('prepareWorktree() tries again, from a clean start, when git fails to add a worktree', async () => {
    await using repo = await makeRepo()
    // A git that fails its first two times, the second time after it has done its work.
    const real = (process.env['PATH'] ?? '').split(delimiter).map(folder => join(folder, 'git')).find(existsSync) ?? ''
    const script = `#!/bin/sh
case " $* " in *" worktree add "*) echo x >> '${repo.outside}/count'; n=$(wc -l < '${repo.outside}/count')
  [ "$n" -eq 1 ] && exit 128
  [ "$n" -eq 2 ] && { '${real}' "$@"; exit 128; }
esac
exec '${real}' "$@"
`
    mkdirSync(join(repo.outside, 'bin'))
    writeFileSync(join(repo.outside, 'bin/git'), script, { mode: 0o755 })
    const search = [join(repo.outside, 'bin'), process.env['PATH']].join(delimiter)
    const { path } = await withEnv({ PATH: search }, () => prepare(repo))
    assert.is(readFileSync(join(repo.outside, 'count'), 'utf8'), 'x\nx\nx\n')
    assert.equal(registered(repo), [`worktree ${path}`])
    assert.equal(readdirSync(join(repo.path, '.git/worktrees')), ['skill-run1-w1'])
  })

  test('prepareWorktree() leaves a lock of a living runner alone', async () => {
    await using repo = await makeRepo()
    const { path } = await prepare(repo)
    repo.git('worktree', 'lock', '--reason', await lockReason(), path)
    rmSync(path, { recursive: true })
    assert.match((await refusal(() => prepare(repo))).message, /another runner is making it$/)
    assert.is(registered(repo).length, 1)
  })

  test('prepareWorktree() keeps a lock with another reason and says how to clear it', async () => {
    await using repo = await makeRepo()
    const { path } = await prepare(repo)
    repo.git('worktree', 'lock', '--reason', 'runner pid=999999', path)
    rmSync(path, { recursive: true })
    const problem = await refusal(() => prepare(repo))
    assert.match(problem.message, /git has it locked \(runner pid=999999\)$/)
    assert.is(problem.hint, `git worktree unlock "${path}" && git worktree remove --force "${path}"`)
    assert.not.ok(problem.message.includes('\n'))
    repo.git('worktree', 'unlock', path)
    repo.git('worktree', 'remove', '--force', path)
    assert.is((await prepare(repo)).path, path)
  })

  test('prepareWorktree() refuses where a worktree is there, and never touches those of the user', async () => {
    await using repo = await makeRepo()
    const gone = join(repo.outside, 'gone')
    repo.git('worktree', 'add', '-q', '--detach', gone)
    rmSync(gone, { recursive: true })
    const { path } = await prepare(repo)
    const problem = await refusal(() => prepare(repo))
    assert.is(problem.hint, `git worktree remove --force "${path}"`)
    assert.ok(existsSync(join(path, 'f.txt')))
    assert.ok(registered(repo).includes(`worktree ${gone}`))
  })

  test('prepareWorktree() refuses a registration at its place that it did not make', async () => {
    await using repo = await makeRepo()
    const path = join(repo.path, '.alethe/worktrees/skill-run1-w1')
    repo.git('worktree', 'add', '-q', '--detach', path)
    rmSync(path, { recursive: true })
    assert.match((await refusal(() => prepare(repo))).message, /registered by someone else$/)
    assert.is(registered(repo).length, 1)
  })
}, 30_000)
