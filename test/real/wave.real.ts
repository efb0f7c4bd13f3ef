/** Waves of several providers, as users run them: what workers change is in their patches and nowhere else. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, codex } from './install.ts'
import { repoFiles } from './rig.ts'

const isolated = { mode: 'write', isolate: true }

/** Lines that a patch adds and removes, without its headers. */
const changesIn = (patch: string): string[] => patch.split('\n').filter(line => /^(?:[+-](?![+-]{2} )|diff )/.test(line))

realSuite('waves', test => {
  test('a mixed wave keeps each writer\'s change in its patch and leaves the checkout alone', claudes, async rig => {
    const ran = await rig.run({
      maxConcurrent: 2,
      workers: [
        { id: 'anthropic', provider: 'claude', task: '[[edit a.txt]]', ...isolated },
        { id: 'openai', provider: 'codex', task: '[[edit a.txt]]', ...isolated },
        { id: 'own', provider: 'custom', command: 'sh', args: ['-c', 'cat > /dev/null; echo more >> sub/b.txt; echo "STATUS: DONE"'], task: 'Add a line', ...isolated },
      ],
    })
    assert.equal([ran.code, ran.status, ran.workers.map(worker => worker.status)], [0, 'done', ['succeeded', 'succeeded', 'succeeded']])
    for (const id of ['anthropic', 'openai']) {
      assert.equal(changesIn(await ran.file(id, 'diff.patch')), ['diff --git a/a.txt b/a.txt', '-old', '+new'])
      assert.equal(ran.outcome(id).diffStats, { files: 1, added: 1, deleted: 1 })
    }
    assert.equal(changesIn(await ran.file('own', 'diff.patch')), ['diff --git a/sub/b.txt b/sub/b.txt', '+more'])
    assert.is(rig.touched(), '')
    for (const [name, content] of Object.entries(repoFiles)) assert.is(await readFile(join(rig.repo, name), 'utf8'), content)
  })

  test('a writer in the shared checkout changes it, and the outcome names the file', [...claudes, codex], async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, mode: 'write', task: '[[edit a.txt]]' }] })
    assert.equal([ran.status, ran.outcome('a').touchedFiles], ['done', ['a.txt']])
    assert.is(rig.touched(), ' M a.txt')
    assert.equal(changesIn(await ran.file('a', 'diff.patch')), ['diff --git a/a.txt b/a.txt', '-old', '+new'])
  })

  test('an isolated worker starts in the sub-folder it named', [...claudes, codex], async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, cwd: join(rig.repo, 'sub'), task: '[[write made.txt]]', ...isolated }] })
    assert.is(ran.status, 'done')
    assert.equal(changesIn(await ran.file('a', 'diff.patch')), ['diff --git a/sub/made.txt b/sub/made.txt', '+written by a worker'])
  })

  test('a denied command does not fail the run and is listed', claudes, async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[bash node -e 0]]', ...isolated }] })
    const { status, permissionDenials, workerSummary } = ran.outcome('a')
    assert.equal([ran.code, status, workerSummary], [0, 'succeeded', 'Went on after the command.'])
    assert.is(permissionDenials?.length, 1)
    assert.match(permissionDenials?.[0] ?? '', /Bash/)
  })

  test('a command that allowCommands names is run', claudes, async rig => {
    const task = '[[bash node -p "6*7" > made.txt]]'
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task, allowCommands: ['node -p'], ...isolated }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').permissionDenials], ['succeeded', undefined])
    assert.match(await ran.file('a', 'diff.patch'), '+42')
  })

  test('a writer can write into its folder and its own temporary folder, and nowhere else, also when it is resumed', [codex], async rig => {
    const name = `alethe-real-${process.pid}`
    const others = [join('/tmp', name), join(rig.env['TMPDIR']!, name), join(rig.home, name)]
    const task = `[[bash ${others.map(path => `touch '${path}'`).join('; ')}; touch inside.txt "$TMPDIR/own"; ls "$TMPDIR" > list.txt]]`
    const worker = { id: 'a', provider: 'codex', mode: 'write', task }
    const first = await rig.run({ workers: [{ ...worker, isolate: true }] })
    const cwd = first.outcome('a').sessionCwd!
    const again = await rig.run({ workers: [{ ...worker, cwd, resume: first.outcome('a').sessionId }] })
    const written = others.filter(path => existsSync(path))
    for (const path of written) await rm(path)
    assert.equal([first.outcome('a').status, again.outcome('a').status, written], ['succeeded', 'succeeded', []])
    assert.match(await first.file('a', 'diff.patch'), /inside\.txt[^]*\+own/)
    assert.is(await again.file('a', 'tmp/own'), '', 'touched')
  })
})
