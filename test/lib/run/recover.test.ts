/** Runs whose runner died are settled to what the runner itself would have recorded, as far as their logs prove it. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutcomeRecord } from '../../../lib/model/outcome.ts'
import { workerFiles } from '../../../lib/run/layout.ts'
import { type FoundRun, settleAbandoned } from '../../../lib/run/recover.ts'
import { setUp } from '../../../lib/run/setup.ts'
import { waitForRun } from '../../../lib/run/wait.ts'
import { assert, suite } from '../../kit/check.ts'
import { init, result, says } from '../../kit/claude-lines.ts'
import { entry, type Ran, waveRig, type WaveRig } from '../../kit/wave.ts'

const dead = { pid: 4_194_303, startTime: '1', bootId: 'another' }
type Stored = Record<string, unknown> & { workers: Record<string, Record<string, unknown>> }

/**
 * Makes a finished run look as if its runner had died: outcomes of `lost` workers are gone, their entries are what the board held
 * while they ran.
 */
async function abandon(ran: Ran, lost: Readonly<Record<string, Record<string, unknown>>>): Promise<void> {
  const path = join(ran.runDir, 'state.json')
  const state = JSON.parse(await readFile(path, 'utf8')) as Stored
  for (const [id, entryOf] of Object.entries(lost)) {
    const { cwd, provider, baseTree, baseCommit, worktree, startedAt } = ran.outcome(id)
    state.workers[id] = { id, provider, status: 'running', cwd, baseTree, baseCommit, worktree, startedAt, process: dead, ...entryOf }
    const files = workerFiles(ran.runDir, id)
    for (const file of [files.outcome, files.result, files.diff]) await rm(file, { force: true })
  }
  const { finishedAt: _finishedAt, budgetUsage: _usage, ...rest } = state
  await writeFile(path, JSON.stringify({ ...rest, status: 'running', runner: dead, runnerPid: dead.pid }))
}

const settle = async (rig: WaveRig, ran: Ran): Promise<FoundRun> =>
  settleAbandoned(rig.host, ran.runDir, async () => (await setUp(rig.host, entry)).providers)
const recordOf = async (ran: Ran, id: string): Promise<OutcomeRecord> =>
  JSON.parse(await readFile(workerFiles(ran.runDir, id).outcome, 'utf8')) as OutcomeRecord

const prints = (...lines: string[]): string => `case "$1" in --help|--version) exit 0;; esac\ncat >/dev/null\n${lines.map(line => `printf '%s\\n' '${line}'`).join('\n')}`
const writer = { mode: 'write', command: 'sh', args: ['-c', 'cat >/dev/null; echo y > f.txt; echo z > n.txt; git add n.txt; git commit -qm work; echo told > "$0"', '{result}'] }

suite('recovery', test => {
  test('an isolated writer has the same patch, figures, commits and paths as if the runner had lived, and its answer file counts', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', isolate: true, ...writer }] })
    const patch = await ran.file('w', 'diff.patch')
    const { exitCode: _code, durationSeconds: _duration, finishedAt: _finished, startedAt: _started, outputBytes: _bytes, ...before } = ran.outcome('w')
    assert.equal([before.status, before.commits?.length, before.diffStats?.files], ['succeeded', 1, 2])
    await abandon(ran, { w: { answerFile: 'answer.txt' } })
    const { view, note } = await settle(rig, ran)
    assert.equal([view.state.status, note], ['interrupted', undefined])
    const { durationSeconds, finishedAt: _f, startedAt: _s, ...after } = await recordOf(ran, 'w')
    assert.ok(durationSeconds >= 0)
    assert.equal(after, before)
    assert.is(await ran.file('w', 'diff.patch'), patch)
    assert.is(await ran.file('w', 'result.md'), 'told\n')
  })

  test('a writer in a shared checkout has its patch too, with a word of warning', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', ...writer }] })
    await abandon(ran, { w: {} })
    await settle(rig, ran)
    const after = await recordOf(ran, 'w')
    assert.equal([after.diffStats, after.touchedFiles], [ran.outcome('w').diffStats, ['f.txt', 'n.txt']])
    assert.match(after.warnings?.join() ?? '', /its diff may hold what others changed since the runner died/)
  })

  test('tokens, cost and calls are counted again, a proved failure stays one, and what never began says so', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', prints(init, says('hello'), result({ total_cost_usd: 0.25 })))
    await rig.fake('kimi', 'cat >/dev/null')
    const ran = await rig.run({ workers: [{ id: 'good', provider: 'claude' }, { id: 'gone', command: 'cat' }, { id: 'never', command: 'cat' }] })
    await rm(workerFiles(ran.runDir, 'never').stdout)
    await abandon(ran, { good: {}, never: { status: 'queued' } })
    await settle(rig, ran)
    const state = JSON.parse(await readFile(join(ran.runDir, 'state.json'), 'utf8')) as { budgetUsage: Record<string, number>; workers: Record<string, { status: string }> }
    assert.equal([state.budgetUsage['calls'], state.budgetUsage['reportedCostUsd'], state.budgetUsage['reportedTokens']], [2, 0.25, 12])
    assert.equal(Object.values(state.workers).map(({ status }) => status), ['succeeded', 'succeeded', 'interrupted'])
    assert.equal([(await recordOf(ran, 'never')).status, (await recordOf(ran, 'never')).error], ['interrupted', 'Not started: the runner died before'])
  })

  test('a limit that the log tells of is told, and a log that breaks off proves nothing', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', prints(init, result({ is_error: true, api_error_status: 429, result: 'API Error: 429 rate_limit_error' })))
    const ran = await rig.run({ workers: [{ id: 'limited', provider: 'claude' }, { id: 'cut', provider: 'claude' }] })
    await writeFile(workerFiles(ran.runDir, 'cut').stdout, `${init}\n{"type":"ass`)
    await abandon(ran, { limited: {}, cut: {} })
    await settle(rig, ran)
    assert.equal([(await recordOf(ran, 'limited')).failureKind, (await recordOf(ran, 'cut')).status], ['rate_limited', 'interrupted'])
  })

  test('a worker that reported no cost is charged with its cap', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ budget: { maxReportedCostUsd: 1 }, workers: [{ id: 'w', command: 'cat', costCapUsd: 0.4 }] })
    await abandon(ran, { w: { capUsd: 0.4 } })
    const { view } = await settle(rig, ran)
    assert.is(view.state.budgetUsage?.['assumedCostUsd'], 0.4)
  })

  test('whoever looks at the run is told what its runner said last', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ workers: [{ id: 'w', command: 'cat' }] })
    await abandon(ran, {})
    await writeFile(join(ran.runDir, 'runner.stderr.log'), 'noise\nerror: Cannot do \u001b[2Jit [run.start-failed]\nhint: x\n')
    const seen = await waitForRun({ host: rig.host, entry, signal: new AbortController().signal }, ran.runDir, 0)
    assert.equal(seen.notes, ['its runner said: error: Cannot do it [run.start-failed]'])
  })

  test('a worktree that is gone is said to be, and the rest is told all the same', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', isolate: true, ...writer }] })
    await rm(ran.outcome('w').worktree ?? '', { recursive: true })
    await abandon(ran, { w: { answerFile: 'answer.txt' } })
    await settle(rig, ran)
    const after = await recordOf(ran, 'w')
    assert.is(after.status, 'succeeded')
    assert.match(after.diffError ?? '', /does not exist/)
  })
}, 60_000)
