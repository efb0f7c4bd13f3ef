import * as v from 'valibot'
import { fromRecord, kindOf, type Outcome, OutcomeRecord, toRecord } from '../../../lib/model/outcome.ts'
import { assert, suite } from '../../kit/check.ts'

const facts: Outcome['facts'] = { id: 'a', provider: 'p', startedAt: 's', finishedAt: 'f', durationSeconds: 1, cwd: '/x', metrics: {} }
const endings: Outcome['ending'][] = [
  { status: 'succeeded' },
  { status: 'failed', kind: 'rate_limited', error: 'e', resetsAt: '2026-12-01T02:00:00.000Z', resetHint: 'resets 2am' },
  { status: 'timed_out', kind: 'stalled', error: 'e' },
  { status: 'stopped', error: 'e' },
  { status: 'interrupted', error: 'e' },
  { status: 'skipped', kind: 'budget', error: 'e' },
]

suite('outcome', test => {
  for (const ending of endings) {
    test(`a ${ending.status} outcome comes back from disk as it was`, () => {
      const outcome = { facts, ending }
      const stored = v.parse(OutcomeRecord, JSON.parse(JSON.stringify(toRecord(outcome))))
      assert.equal(fromRecord(stored), outcome)
    })
  }

  test('toRecord() writes no null and no undefined', () => {
    for (const ending of endings) {
      assert.not.ok(Object.values(toRecord({ facts, ending })).some(value => value === null || value === undefined))
    }
  })

  test('kindOf() names every ending but success', () => {
    assert.equal(endings.map(kindOf), [undefined, 'rate_limited', 'stalled', 'stopped', 'interrupted', 'budget'])
  })

  test('fromRecord() keeps fields it does not know', () => {
    const record = { ...toRecord({ facts, ending: { status: 'succeeded' } }), later: 1 }
    assert.is(fromRecord(v.parse(OutcomeRecord, record)).facts['later'], 1)
  })
})
