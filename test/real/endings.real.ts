/** Ends in the middle of the work: stop, time-out, a killed runner. Afterwards nothing lives, the commands of tools included. */
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { findStrays } from '../kit/strays.ts'
import { until } from '../kit/until.ts'
import { realSuite } from './each.ts'
import { type Cli, clis, newClaude, oldClaude } from './install.ts'
import { calls } from './look.ts'
import { ranOf, type Report, type Rig } from './rig.ts'

/** A tool that would run for ten minutes, in a worker that may run it. Claude 2.1.332 refuses a sleep in the foreground, but not one further down. */
const sleeping = (cli: Cli): Readonly<Record<string, unknown>> => ({
  id: 'a', provider: cli.program, mode: 'write', isolate: true, task: '[[bash node -e "child_process.execSync(\'sleep 600\')"]]',
  ...(cli.program === 'claude' ? { allowCommands: ['node -e'] } : {}),
})

const living = (rig: Rig): string[] => findStrays(-1, rig.path).map(({ name }) => name)
/** The runner and its guard leave a moment after the last record is written. */
const nothingLives = (rig: Rig): Promise<void> => until(() => {
  assert.equal(living(rig), [])
  return true
}, 5_000)
const toolRuns = (rig: Rig): boolean => living(rig).some(name => /^sleep 600/.test(name))

/** Starts a detached run and waits until its tool runs. */
async function intoTool(rig: Rig, cli: Cli, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { code, said } = await rig.ask('run', await rig.plan({ workers: [{ ...sleeping(cli), ...more }] }), '--detach')
  assert.equal([code, said.status], [0, 'started'])
  await until(() => toolRuns(rig), 30_000)
  return said.runDir
}

async function ended(rig: Rig, runDir: string): Promise<ReturnType<typeof ranOf>> {
  const { code, said } = await rig.ask('wait', runDir, '--timeout', '60')
  assert.is(said.done, true)
  return ranOf(code, said)
}

realSuite('endings', test => {
  test('stop in the middle of a tool ends everything, the command of the tool too', clis, async (rig, cli) => {
    const runDir = await intoTool(rig, cli)
    const stopped = await rig.ask('stop', runDir)
    assert.equal([stopped.code, stopped.said.status], [0, 'stopped'])
    await nothingLives(rig)
    const ran = await ended(rig, runDir)
    assert.equal([ran.code, ran.status, ran.outcome('a').status, ran.outcome('a').failureKind], [1, 'stopped', 'stopped', 'stopped'])
    assert.ok(ran.outcome('a').sessionId)
  })

  test('a time-out in the middle of a tool ends everything and keeps the session', clis, async (rig, cli) => {
    const runDir = await intoTool(rig, cli, { timeoutSeconds: 8 })
    const ran = await ended(rig, runDir)
    assert.equal([ran.status, ran.outcome('a').status, ran.outcome('a').failureKind], ['failed', 'timed_out', 'timed_out'])
    assert.ok(ran.outcome('a').sessionId)
    await nothingLives(rig)
  })

  test('a service that never answers runs into the idle time-out', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[hang]]', idleTimeoutSeconds: 5 }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').failureKind], ['timed_out', 'stalled'])
    assert.is(calls(rig.serverOf(cli).asked).length, 1)
    await nothingLives(rig)
  })

  test('a slow service is waited for', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[slow 7000]]', timeoutSeconds: 60 }] })
    assert.is(ran.outcome('a').status, 'succeeded')
    assert.ok(ran.outcome('a').durationSeconds > 7)
  })

  test('a command in the background is waited for, longer than the grace after an answer', [newClaude], async (rig, cli) => {
    const ran = await rig.run({ workers: [{ ...sleeping(cli), allowCommands: ['sleep'], task: '[[background sleep 20]]' }] })
    const { status, endedBy, workerSummary, strays } = ran.outcome('a')
    assert.equal([status, endedBy, workerSummary, strays], ['succeeded', undefined, 'It has ended.', undefined])
  })

  test('a command in the background that the CLI ends itself leaves nothing', [oldClaude], async (rig, cli) => {
    const ran = await rig.run({ workers: [{ ...sleeping(cli), allowCommands: ['sleep'], task: '[[background sleep 600]]' }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').workerSummary], ['succeeded', 'Started it.'])
    await nothingLives(rig)
  })

  test('a runner that is killed takes its workers and their tools along, and the run says so', clis, async (rig, cli) => {
    await using runner = rig.start('run', [await rig.plan({ workers: [sleeping(cli)] }), '--run-dir', join(rig.path, 'run'), '--json'])
    await until(() => toolRuns(rig), 30_000)
    runner.child.kill('SIGKILL')
    await runner.ended
    await until(() => living(rig).length === 0, 30_000)
    const ran = await ended(rig, join(rig.path, 'run'))
    assert.equal([ran.status, ran.outcome('a').status], ['interrupted', 'interrupted'])
    assert.ok(ran.outcome('a').sessionId)
  })

  test('Ctrl-C of a run in the foreground ends its workers and their tools', clis, async (rig, cli) => {
    await using runner = rig.start('run', [await rig.plan({ workers: [sleeping(cli)] }), '--json'])
    await until(() => toolRuns(rig), 30_000)
    runner.child.kill('SIGINT')
    const { code, stdout } = await runner.ended
    await nothingLives(rig)
    const ran = ranOf(code, JSON.parse(stdout) as Report)
    assert.equal([ran.code, ran.status, ran.outcome('a').status], [130, 'interrupted', 'stopped'])
  })

  test('the session of a stopped worker goes on', clis, async (rig, cli) => {
    const { said } = await rig.ask('run', await rig.plan({ workers: [{ id: 'a', provider: cli.program, task: '[[hang]]' }] }), '--detach')
    await until(() => calls(rig.serverOf(cli).asked).length > 0, 30_000)
    await rig.ask('stop', said.runDir)
    const resume = (await ended(rig, said.runDir)).outcome('a').sessionId
    assert.ok(resume)
    const ran = await rig.run({ workers: [{ id: 'b', provider: cli.program, task: '[[say on]]', resume }] })
    assert.equal([ran.outcome('b').status, ran.outcome('b').sessionId], ['succeeded', resume])
  })
})
