import { settableClock } from '../../../lib/io/clock.ts'
import { realHost, screenOf } from '../../../lib/io/host.ts'
import { assert, suite } from '../../kit/check.ts'

suite('host', test => {
  test('screenOf() has colour on a terminal only, and not with NO_COLOR or a dumb one', () => {
    const terminal = { isTTY: true, columns: 120 }
    assert.equal(screenOf(terminal, {}), { columns: 120, color: true, tty: true })
    assert.equal(screenOf(terminal, { NO_COLOR: '1' }).color, false)
    assert.equal(screenOf(terminal, { NO_COLOR: '' }).color, true)
    assert.equal(screenOf(terminal, { TERM: 'dumb' }).color, false)
    assert.equal(screenOf({ columns: 120 }, {}), { columns: 80, color: false, tty: false })
    assert.equal(screenOf({ isTTY: true, columns: 0 }, {}).columns, 80)
  })

  test('realHost() tells the facts of this process', () => {
    const host = realHost({ stdout: {}, stderr: { isTTY: true } })
    assert.is(host.cwd, process.cwd())
    assert.is(host.terminal.stdout.tty, false)
    assert.is(host.terminal.stderr.tty, true)
    assert.ok(host.clock.now() > Date.UTC(2025))
    assert.ok(host.clock.monotonic() < host.clock.now())
  })

  test('settableClock() lets the time of day jump without a duration', () => {
    const clock = settableClock(1_000)
    clock.advance(50)
    assert.equal([clock.now(), clock.monotonic()], [1_050, 50])
    clock.set(9_000)
    assert.equal([clock.now(), clock.monotonic()], [9_000, 50])
  })
})
