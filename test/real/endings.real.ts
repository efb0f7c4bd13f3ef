/** Ends in the middle of the work: stop, time-outs, silence. Afterwards nothing lives, the commands of tools included. */
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { ended, intoTool, nothingLives, sleeping } from './in-tool.ts'
import { clis, codex, newClaude, oldClaude } from './install.ts'

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
    const runDir = await intoTool(rig, cli, { timeoutSeconds: 15 })
    const ran = await ended(rig, runDir)
    assert.equal([ran.status, ran.outcome('a').status, ran.outcome('a').failureKind], ['failed', 'timed_out', 'timed_out'])
    assert.ok(ran.outcome('a').sessionId)
    await nothingLives(rig)
  })

  test('a service that never answers runs into the idle time-out', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[hang]]', idleTimeoutSeconds: 8 }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').failureKind], ['timed_out', 'stalled'])
    await nothingLives(rig)
  })

  test('a slow service is waited for', [newClaude, codex], async (rig, cli) => {
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
})
