import { join } from 'node:path'
import { SnapshotQueue } from '../../../lib/git/snapshot-queue.ts'
import { changedPaths } from '../../../lib/git/snapshot.ts'
import { assert, suite } from '../../kit/check.ts'
import { makeRepo } from '../../kit/repo.ts'

suite('SnapshotQueue', test => {
  test('those who ask together share a look, and a later one sees what changed', async () => {
    await using repo = await makeRepo()
    const states = new SnapshotQueue([])
    const first = states.now(repo.path)
    const [one, two, three] = await Promise.all([first, states.now(repo.path), states.now(repo.path)])
    assert.equal([one?.entries.size, two?.entries.size], [0, 0])
    assert.is(two, three)
    repo.write({ 'new.txt': 'x' })
    const later = await states.now(repo.path)
    assert.equal(later && [...later.entries.keys()], ['new.txt'])
  })

  test('a look that has begun is not shared with those who ask later', async () => {
    await using repo = await makeRepo()
    const states = new SnapshotQueue([])
    const before = states.now(repo.path)
    await before
    const running = states.now(repo.path)
    // The look begins within a turn; what is written from here on may be missed by it.
    await new Promise(resolve => setImmediate(resolve))
    repo.write({ 'new.txt': 'x' })
    const [, after] = await Promise.all([running, states.now(repo.path)])
    assert.ok(after?.entries.has('new.txt'))
  })

  test('tells each who asks what was committed since its own first look', async () => {
    await using repo = await makeRepo()
    const states = new SnapshotQueue([])
    const early = (await states.now(repo.path))!
    repo.write({ 'a.txt': 'a' })
    repo.commit('a')
    const late = (await states.now(repo.path))!
    const changed = async (before: typeof early): Promise<string[]> => changedPaths(before, (await states.now(repo.path, before))!)
    assert.equal(await changed(early), ['.git/HEAD', 'a.txt'])
    assert.equal(await changed(late), [])
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    assert.equal(await changed(early), [], 'back where it was')
    assert.equal(await changed(late), ['.git/HEAD', 'a.txt'])
  })

  test('finds the top folder of a checkout, and none outside of one', async () => {
    await using repo = await makeRepo({ 'sub/f.txt': 'x' })
    const states = new SnapshotQueue([])
    assert.equal([await states.rootOf(join(repo.path, 'sub')), await states.rootOf(repo.outside)], [repo.path, null])
  })

  test('leaves out what is ours', async () => {
    await using repo = await makeRepo()
    repo.write({ 'runs/state.json': '{}' })
    const state = await new SnapshotQueue([join(repo.path, 'runs')]).now(repo.path)
    assert.is(state?.entries.size, 0)
  })
})
