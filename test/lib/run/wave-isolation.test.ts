/** Worktrees of isolated workers over a whole wave: what is told of them, and when they stay. */
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../../kit/check.ts'
import { init, result, says } from '../../kit/claude-lines.ts'
import { waveRig, type WaveRig } from '../../kit/wave.ts'

const sh = (script: string): object => ({ mode: 'write', isolate: true, command: 'sh', args: ['-c', `cat >/dev/null; ${script}; echo done`] })
const worktreesIn = (rig: WaveRig): Promise<string[]> => readdir(join(rig.work, '.alethe', 'worktrees'))

suite('wave isolation', test => {
  test('a worktree in which nothing could be started is gone, with git\'s record of it, and the outcome names none', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    await writeFile(join(rig.path, 'tool'), '#!/no/such/interpreter\n')
    await chmod(join(rig.path, 'tool'), 0o755)
    const ran = await rig.run({ workers: [{ id: 'bad', mode: 'write', isolate: true, command: join(rig.path, 'tool') }, { id: 'good', ...sh('true') }] })
    const { status, worktree, baseTree } = ran.outcome('bad')
    assert.equal([status, worktree, baseTree], ['failed', undefined, undefined])
    assert.equal((await worktreesIn(rig)).map(name => name.slice(-4)), ['good'])
    assert.equal((await readdir(join(rig.work, '.git', 'worktrees'))).map(name => name.slice(-4)), ['good'])
  })

  test('a worktree made just before a stop is gone', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const stop = new AbortController()
    // The first worker's start ends the wave while the other's worktree is made or waited for.
    const ran = await rig.run({ maxConcurrent: 2, workers: [{ id: 'first', command: 'sleep', args: ['600'] }, { id: 'late', ...sh('sleep 600') }] }, {
      signal: stop.signal, onEvent: event => { if (event.event === 'started' && event.worker === 'first') stop.abort() },
    })
    const late = ran.outcome('late')
    assert.is(late.failureKind, 'stopped')
    if (late.status === 'skipped') assert.equal([late.worktree, await worktreesIn(rig)], [undefined, []])
    else assert.equal((await worktreesIn(rig)).length, 1)
  })

  test('the outcome lists the paths that the patch changes, and says when the worker left its commit', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x', 'g.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', ...sh('echo y > f.txt; echo z > sub.txt; git switch -qc side; git commit -qam work') }] })
    const { touchedFiles, commits, warnings } = ran.outcome('w')
    assert.equal([touchedFiles, commits?.length], [['f.txt', 'sub.txt'], 1])
    assert.match(warnings?.join() ?? '', /HEAD moved from [0-9a-f]{12} to [0-9a-f]{12} on branch "side"/)
  })

  test('notes on seeds and warnings of a CLI stand side by side', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    await rig.fake('claude', `case "$1" in --help|--version) exit 0;; esac\ncat >/dev/null\n${['not json', init, says('hello'), result()].map(line => `echo '${line}'`).join('\n')}`)
    const ran = await rig.run({ workers: [{ id: 'w', provider: 'claude', mode: 'write', isolate: true, seedPaths: ['nowhere.txt'] }] })
    const warnings = ran.outcome('w').warnings ?? []
    assert.equal(warnings, ['seed paths that do not exist: nowhere.txt', '1 line of stdout was not in the CLI\'s format'])
  })

  test('two writers in one checkout are told that the diff of each may hold the other\'s work', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const meet = (mine: string, other: string): string => `touch ${mine}; i=0; while [ ! -e ${other} ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); done`
    const ran = await rig.run({ maxConcurrent: 2, workers: [{ id: 'a', ...sh(meet('a.txt', 'b.txt')), isolate: false }, { id: 'b', ...sh(meet('b.txt', 'a.txt')), isolate: false }] })
    for (const [id, other] of [['a', 'b'], ['b', 'a']] as const) {
      assert.equal([ran.outcome(id).touchedFiles, ran.outcome(id).sharedCheckoutWith], [undefined, [other]])
      assert.match(ran.outcome(id).warnings?.join() ?? '', `its diff may hold changes of ${other}`)
    }
  })
}, 60_000)
