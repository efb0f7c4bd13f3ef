/** A runner that dies or is interrupted in the middle of the work, and sessions that go on afterwards. */
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { until } from '../kit/until.ts'
import { realSuite } from './each.ts'
import { ended, nothingLives, sleeping, toolRuns } from './in-tool.ts'
import { clis } from './install.ts'
import { calls } from './look.ts'
import { ranOf, type Report, startLimitMs } from './rig.ts'

realSuite('runners', test => {
  test('a runner that is killed takes its workers and their tools along, and the run says so', clis, async (rig, cli) => {
    await using runner = rig.start('run', [await rig.plan({ workers: [sleeping(cli)] }), '--run-dir', join(rig.path, 'run'), '--json'])
    await until(() => toolRuns(rig), startLimitMs)
    runner.child.kill('SIGKILL')
    await runner.ended
    await nothingLives(rig, startLimitMs)
    const ran = await ended(rig, join(rig.path, 'run'))
    assert.equal([ran.status, ran.outcome('a').status], ['interrupted', 'interrupted'])
    assert.ok(ran.outcome('a').sessionId)
  })

  test('Ctrl-C of a run in the foreground ends its workers and their tools', clis, async (rig, cli) => {
    await using runner = rig.start('run', [await rig.plan({ workers: [sleeping(cli)] }), '--json'])
    await until(() => toolRuns(rig), startLimitMs)
    runner.child.kill('SIGINT')
    const { code, stdout } = await runner.ended
    await nothingLives(rig)
    const ran = ranOf(code, JSON.parse(stdout) as Report)
    assert.equal([ran.code, ran.status, ran.outcome('a').status], [130, 'interrupted', 'stopped'])
  })

  test('the session of a stopped worker goes on', clis, async (rig, cli) => {
    const { said } = await rig.ask('run', await rig.plan({ workers: [{ id: 'a', provider: cli.program, task: '[[hang]]' }] }), '--detach')
    await until(() => calls(rig.serverOf(cli).asked).length > 0, startLimitMs)
    await rig.ask('stop', said.runDir)
    const resume = (await ended(rig, said.runDir)).outcome('a').sessionId
    assert.ok(resume)
    const ran = await rig.run({ workers: [{ id: 'b', provider: cli.program, task: '[[say on]]', resume }] })
    assert.equal([ran.outcome('b').status, ran.outcome('b').sessionId], ['succeeded', resume])
  })
})
