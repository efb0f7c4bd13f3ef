import { admit, type Admission, exhausted, type Ledger, openLedger, recount, settle, usageOfBudget } from '../../../lib/model/ledger.ts'
import { usageOf } from '../../../lib/model/usage.ts'
import { assert, suite } from '../../kit/check.ts'

const ask = (id: string, more: object = {}) => ({ id, canCap: true, elapsedSeconds: 0, slots: 1, ...more })
const open = (admission: Admission): Ledger => {
  if (!admission.ok) throw new Error(admission.reason)
  return admission.ledger
}
const reason = (admission: Admission): string => admission.ok ? 'admitted' : admission.reason
const cap = (admission: Admission): number | undefined => admission.ok ? admission.capUsd : undefined

suite('ledger', test => {
  test('admit() counts calls and refuses the one over maxCalls', () => {
    const one = open(admit(openLedger({ maxCalls: 1 }), ask('a')))
    assert.match(reason(admit(one, ask('b'))), 'maxCalls 1')
  })

  test('admit() gives a call back when no process ever started', () => {
    const ledger = settle(open(admit(openLedger({ maxCalls: 1 }), ask('a'))), 'a', { started: false })
    assert.is(reason(admit(ledger, ask('b'))), 'admitted')
  })

  test('admit() shares what is left of the cost among the slots, in whole cents', () => {
    assert.is(cap(admit(openLedger({ maxReportedCostUsd: 1 }), ask('a', { slots: 3 }))), 0.33)
  })

  test('admit() counts a running worker as its cap', () => {
    const one = open(admit(openLedger({ maxReportedCostUsd: 1 }), ask('a', { slots: 2 })))
    assert.is(cap(admit(one, ask('b'))), 0.5)
  })

  test('admit() never gives a cap under one cent', () => {
    assert.match(reason(admit(openLedger({ maxReportedCostUsd: 0.009 }), ask('a', { slots: 3 }))), 'less than $0.01')
    assert.is(cap(admit(openLedger({ maxReportedCostUsd: 0.02 }), ask('a', { slots: 3 }))), 0.01)
  })

  test('admit() says that it is worth waiting only where running workers hold what is missing', () => {
    const limits = { maxReportedCostUsd: 1 }
    const whole = ask('b', { canCap: false, costCapUsd: 0.7 })
    const waits = (ledger: Ledger, asking = whole): boolean | undefined => {
      const admission = admit(ledger, asking)
      return admission.ok ? undefined : admission.waits
    }
    const running = open(admit(openLedger(limits), ask('a', { costCapUsd: 0.4 })))
    assert.is(waits(running), true)
    assert.is(waits(settle(running, 'a', { started: true, costUsd: 0.4 })), false)
    assert.is(waits(settle(running, 'a', { started: true, costUsd: 0.1 })), undefined)
    assert.is(waits(running, ask('b', { canCap: false, costCapUsd: 1.5 })), false)
    assert.is(waits(open(admit(openLedger({ maxCalls: 1 }), ask('a')))), false)
  })

  test('recount() is the ledger of workers that have all ended, each charged with its cost or its cap', () => {
    const usage = usageOf({ inputTokens: 10, outputTokens: 5, cacheReadTokens: 100 })
    const ledger = recount({}, [{ started: true, usage, costUsd: 0.2 }, { started: true, capUsd: 0.3 }, { started: false, capUsd: 1 }, { started: true }])
    assert.equal(usageOfBudget(ledger, 2), { calls: 3, wallSeconds: 2, reportedCostUsd: 0.2, assumedCostUsd: 0.3, reportedTokens: 15, totalTokens: 115 })
  })

  test('admit() forgives binary dust: 0.3 - 0.1 leaves 20 cents', () => {
    const spent = settle(open(admit(openLedger({ maxReportedCostUsd: 0.3 }), ask('a'))), 'a', { started: true, costUsd: 0.1 })
    assert.is(cap(admit(spent, ask('b'))), 0.2)
  })

  test('admit() keeps a worker to its own cap even when more is left', () => {
    assert.is(cap(admit(openLedger({ maxReportedCostUsd: 5 }), ask('a', { costCapUsd: 0.25 }))), 0.25)
  })

  test('admit() refuses a worker that cannot be capped when less than what it may cost is left', () => {
    const one = open(admit(openLedger({ maxReportedCostUsd: 1 }), ask('a', { canCap: false, costCapUsd: 0.9 })))
    assert.match(reason(admit(one, ask('b', { canCap: false, costCapUsd: 0.9 }))), 'less than $0.90')
  })

  test('admit() gives no cap to a CLI that cannot be capped', () => {
    assert.is(cap(admit(openLedger({ maxReportedCostUsd: 5 }), ask('a', { canCap: false }))), undefined)
  })

  test('settle() keeps the cap charged when a capped worker reported no cost', () => {
    const ledger = settle(open(admit(openLedger({ maxReportedCostUsd: 1 }), ask('a'))), 'a', { started: true })
    assert.is(ledger.assumedCostUsd, 1)
    assert.match(exhausted(ledger, 0) ?? '', 'maxReportedCostUsd')
  })

  test('settle() counts a worker once', () => {
    const spent = { started: true, costUsd: 0.4, usage: usageOf({ inputTokens: 10, cacheReadTokens: 100, outputTokens: 5 }) }
    const once = settle(open(admit(openLedger({}), ask('a'))), 'a', spent)
    assert.equal(settle(once, 'a', spent), once)
    assert.equal(usageOfBudget(once, 1.23456), { calls: 1, wallSeconds: 1.235, reportedCostUsd: 0.4, reportedTokens: 15, totalTokens: 115 })
  })

  test('settle() never says zero for what nobody reported', () => {
    const ledger = settle(open(admit(openLedger({ maxReportedTokens: 5 }), ask('a', { canCap: false }))), 'a', { started: true })
    assert.equal(usageOfBudget(ledger, 0), { calls: 1, wallSeconds: 0 })
  })

  test('exhausted() lets cache reads count for maxTotalTokens only', () => {
    const spend = (limits: object): string | undefined =>
      exhausted(settle(open(admit(openLedger(limits), ask('a'))), 'a', { started: true, usage: usageOf({ cacheReadTokens: 1000 }) }), 0)
    assert.is(spend({ maxReportedTokens: 500 }), undefined)
    assert.match(spend({ maxTotalTokens: 500 }) ?? '', 'maxTotalTokens')
  })

  test('exhausted() ends the wave at its wall time', () => {
    assert.is(exhausted(openLedger({ maxWallSeconds: 10 }), 9.9), undefined)
    assert.match(exhausted(openLedger({ maxWallSeconds: 10 }), 10) ?? '', 'maxWallSeconds')
  })
})
