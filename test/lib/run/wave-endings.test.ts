/** How workers end, against scripted programs: what really happened counts, whatever the program says. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stopFile } from '../../../lib/run/layout.ts'
import { assert, suite } from '../../kit/check.ts'
import { init, result, says } from '../../kit/claude-lines.ts'
import { waveRig } from '../../kit/wave.ts'

const echo = (...lines: string[]): string => lines.map(line => `printf '%s\\n' '${line}'`).join('\n')
/** A program that stands for claude: reads its task, answers `--help` with nothing, then does `script`. */
const agent = (script: string): string => `case "$1" in --help|--version) exit 0;; esac\ncat >/dev/null\n${script}`
const one = (more: object = {}): { workers: [Record<string, unknown>] } => ({ workers: [{ id: 'a', provider: 'claude', ...more }] })

suite('wave endings', test => {
  test('a last tool result and then silence is stalled, never succeeded, and keeps its session and log', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', agent(`${echo(init, says('hello'), '{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}')}\nexec sleep 600`))
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', idleTimeoutSeconds: 5 }, { id: 'b', command: 'true' }] })
    const { status, failureKind, sessionId } = ran.outcome('a')
    assert.equal([status, failureKind, sessionId], ['timed_out', 'stalled', 's1'])
    assert.match(await ran.file('a', 'stdout.log'), 'tool_result')
    assert.ok((ran.outcome('b').durationSeconds) < 4)
  }, 60_000)

  test('the same log with exit 0 is no success either', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', agent(echo(init, says('hello'), '{"type":"user","message":{"content":[]}}')))
    assert.is((await rig.run(one())).outcome('a').status, 'failed')
  })

  for (const [title, end] of [['sleeps', 'exec sleep 600'], ['ignores TERM', 'trap "" TERM INT; while :; do sleep 1; done']] as const) {
    test(`a program that answered and then ${title} has succeeded and is ended after the grace`, async () => {
      await using rig = await waveRig()
      await rig.fake('claude', agent(`${echo(init, says('hello'), result())}\n${end}`))
      const outcome = (await rig.run(one({ timeoutSeconds: 60 }))).outcome('a')
      assert.equal([outcome.status, outcome.endedBy, outcome.metrics.totalCostUsd], ['succeeded', 'lingered', 0.01])
      assert.ok(outcome.durationSeconds < 15)
    }, 60_000)
  }

  test('a program that ignores every polite signal is killed at its time-out', async () => {
    await using rig = await waveRig()
    const outcome = (await rig.run({ workers: [{ id: 'a', command: 'sh', args: ['-c', 'trap "" TERM INT HUP; while :; do sleep 1; done'], timeoutSeconds: 1 }] })).outcome('a')
    assert.equal([outcome.status, outcome.failureKind, outcome.signal], ['timed_out', 'timed_out', 'SIGKILL'])
    assert.ok(outcome.durationSeconds < 6)
  }, 60_000)

  test('what a program says while it is being ended is kept, but a time-out stays one', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', `#!${process.execPath}
if (process.argv[2]?.startsWith('--h')) process.exit(0)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(${JSON.stringify(result())}); process.exit(0) })
console.log(${JSON.stringify(init)})
setInterval(() => {}, 1000)`)
    const outcome = (await rig.run(one({ timeoutSeconds: 1 }), { pace: { signalGraceMs: 3_000 } })).outcome('a')
    assert.equal([outcome.status, outcome.sessionId, outcome.metrics.totalCostUsd], ['timed_out', 's1', 0.01])
  }, 60_000)

  test('one worker without a program, one that never reads its task and a good one do not hurt each other', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ workers: [
      { id: 'deaf', command: 'true', task: 'x'.repeat(4 * 1024 * 1024) }, { id: 'none', command: 'no-such-program' }, { id: 'good', command: 'cat' },
    ] })
    assert.equal(ran.workers.map(({ id, status, failureKind }) => [id, status, failureKind]), [
      ['deaf', 'failed', 'no_result'], ['none', 'failed', 'not_installed'], ['good', 'succeeded', undefined],
    ])
    assert.is(ran.status, 'partial')
  })

  test('a program that closes its input and then succeeds has succeeded', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', `case "$1" in --help) exit 0;; esac\nexec <&-\n${echo(init, says('hello'), result())}`)
    assert.is((await rig.run(one())).outcome('a').status, 'succeeded')
  })

  test('a grandchild that keeps the log open does not hold the worker, is ended and listed, and changes nothing later', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', agent(`${echo(init, says('hello'), result())}\n(sleep 2; echo '{"type":"result","is_error":true}'; sleep 300) &\nexit 0`))
    const ran = await rig.run(one())
    const outcome = ran.outcome('a')
    assert.is(outcome.status, 'succeeded')
    assert.ok((outcome.strays?.length ?? 0) >= 1)
    assert.ok(outcome.durationSeconds < 5)
    assert.is((await ran.file('a', 'stdout.log')).trim().split('\n').length, 3)
  })

  test('a program that prints more than it may is ended', async () => {
    await using rig = await waveRig()
    const outcome = (await rig.run({ workers: [{ id: 'a', command: 'yes' }] }, { pace: { maxOutputBytes: 1_000_000 } })).outcome('a')
    assert.equal([outcome.status, outcome.failureKind, outcome.endedBy], ['failed', 'invalid_output', 'overflow'])
    assert.match(outcome.error ?? '', /more than it may/)
  })

  test('a program that answered and then floods its log has succeeded', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', agent(`${echo(init, says('hello'), result())}\nexec yes "$(printf %4000s x)"`))
    const outcome = (await rig.run(one(), { pace: { lingerMs: 60_000, maxOutputBytes: 5_000_000 } })).outcome('a')
    assert.equal([outcome.status, outcome.endedBy], ['succeeded', 'lingered'])
  })

  test('a STOP file ends running workers, skips waiting ones and keeps what has finished', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ maxConcurrent: 1, workers: [{ id: 'first', command: 'cat' }, { id: 'long', command: 'sleep', args: ['600'] }, { id: 'late', command: 'cat' }] }, {
      onEvent: (event, folder) => { if (event.event === 'started' && event.worker === 'long') void writeFile(join(folder, stopFile), 'stop') },
    })
    assert.equal(ran.workers.map(({ id, status, failureKind }) => [id, status, failureKind]), [
      ['first', 'succeeded', undefined], ['long', 'stopped', 'stopped'], ['late', 'skipped', 'stopped'],
    ])
    assert.is(ran.status, 'stopped')
  })

  test('an interrupted wave says so and leaves a STOP file', async () => {
    await using rig = await waveRig()
    const interrupt = new AbortController()
    const ran = await rig.run({ workers: [{ id: 'long', command: 'sleep', args: ['600'] }] }, {
      signal: interrupt.signal, onEvent: event => { if (event.event === 'started') interrupt.abort() },
    })
    assert.equal([ran.status, ran.outcome('long').status, await readFile(join(ran.runDir, stopFile), 'utf8')], ['interrupted', 'stopped', ''])
  })
}, 60_000)
