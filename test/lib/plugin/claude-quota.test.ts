/** Readings of a plan's limits from the stream. */
import { quotaFold } from '../../../lib/plugin/claude-quota.ts'
import { parseLine } from '../../../lib/plugin/json.ts'
import { assert, suite } from '../../kit/check.ts'
import { limitEvent } from '../../kit/claude-lines.ts'

const reading = (...infos: readonly Record<string, unknown>[]): unknown => {
  const quota = quotaFold()
  for (const info of infos) quota.note(parseLine(limitEvent(info)) ?? {})
  return quota.reading()
}
const at = 1_796_089_338
const iso = '2026-12-01T01:42:18.000Z'

suite('Claude plan limits', test => {
  test('a fraction becomes per cent, 1 is all of it, and more is not more', () => {
    const percent = (utilization: unknown): unknown => reading({
      status: 'allowed_warning', rateLimitType: 'seven_day', utilization,
    })
    assert.equal(percent(0.37), { windows: { week: { usedPercent: 37 } } })
    assert.equal(percent(1), { windows: { week: { usedPercent: 100 } } })
    assert.equal(percent(1.02), { windows: { week: { usedPercent: 100 } } })
    for (const junk of [-0.1, '0.5', null, Number.NaN]) assert.equal(percent(junk), { windows: { week: {} } }, String(junk))
  })

  test('an event without a percentage is a reading, not zero', () => {
    assert.equal(
      reading({ status: 'allowed', resetsAt: at, rateLimitType: 'five_hour', isUsingOverage: false }),
      { windows: { '5h': { resetsAt: iso } }, overage: false },
    )
    assert.equal(reading({ status: 'allowed', isUsingOverage: false }), { windows: {}, overage: false })
    assert.is(reading(), undefined)
  })

  test('a later event without a percentage keeps the known one until the window begins anew', () => {
    const warning = { status: 'allowed_warning', resetsAt: at, rateLimitType: 'five_hour', utilization: 0.92 }
    assert.equal(
      reading(warning, { status: 'allowed', resetsAt: at, rateLimitType: 'five_hour' }),
      { windows: { '5h': { usedPercent: 92, resetsAt: iso } } },
    )
    assert.equal(
      reading(warning, { status: 'allowed', resetsAt: at + 18_000, rateLimitType: 'five_hour' }),
      { windows: { '5h': { resetsAt: '2026-12-01T06:42:18.000Z' } } },
    )
  })

  test('a rejected window is marked, also one without a name, and a later allowance clears it', () => {
    const rejected = { status: 'rejected', resetsAt: at, rateLimitType: 'five_hour' }
    assert.equal(reading(rejected), { windows: { '5h': { resetsAt: iso, rejected: true } } })
    assert.equal(reading({ status: 'rejected' }), { windows: { plan: { rejected: true } } })
    assert.equal(
      reading(rejected, { status: 'allowed', resetsAt: at, rateLimitType: 'five_hour' }),
      { windows: { '5h': { resetsAt: iso } } },
    )
  })

  test('a request that goes on as paid overage is not refused', () => {
    const quota = quotaFold()
    assert.is(
      quota.note(parseLine(limitEvent({ status: 'rejected', rateLimitType: 'five_hour', isUsingOverage: true })) ?? {}),
      undefined,
    )
    assert.equal(quota.reading(), { windows: { '5h': {} }, overage: true })
  })

  test('the earlier form with every window is read too, and names keep to words', () => {
    assert.equal(reading({ status: 'allowed', unifiedWindows: {
      five_hour: { utilization: 0.5, resetsAt: at }, seven_day_opus: { utilization: 0.25 }, seven_day_sonnet: { utilization: 0 },
      ['__proto__']: { utilization: 1 }, 'a b': { utilization: 1 }, seven_day: 7,
    } }), {
      windows: { '5h': { usedPercent: 50, resetsAt: iso }, opus: { usedPercent: 25 }, seven_day_sonnet: { usedPercent: 0 } },
    })
  })

  test('many made-up windows are not all kept', () => {
    const quota = quotaFold()
    for (let index = 0; index < 1000; index++) {
      quota.note(parseLine(limitEvent({ status: 'allowed', rateLimitType: `w${index}` })) ?? {})
    }
    assert.is(Object.keys(quota.reading()?.windows ?? {}).length, 16)
  })
})
