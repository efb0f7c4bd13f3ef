/**
 * The budget of one wave as a pure ledger: a worker reserves before it starts and settles once when it has ended.
 * A running worker counts as its cap. A worker that started under a cap and reported no cost stays charged with the cap:
 * absent is never zero.
 */
import type { Budget } from './budget.ts'
import { reportedTokens, totalTokens, type Usage } from './usage.ts'

type Limit = 'maxCalls' | 'maxWallSeconds' | 'maxReportedCostUsd' | 'maxReportedTokens' | 'maxTotalTokens'

export interface Ledger {
  readonly limits: Budget
  /** Workers started. */
  readonly calls: number
  /** Caps in USD of running workers by id; null for a running worker without a cap. */
  readonly reserved: Readonly<Record<string, number | null>>
  readonly reportedCostUsd?: number
  /** Caps of ended workers that reported no cost. */
  readonly assumedCostUsd?: number
  readonly reportedTokens?: number
  readonly totalTokens?: number
}

/** The smallest cap that a CLI can be told, in USD. */
const leastCap = 0.01

export const openLedger = (limits: Budget): Ledger => ({ limits, calls: 0, reserved: {} })

export interface Asking {
  readonly id: string
  /** The CLI can be told to end at a cost. */
  readonly canCap: boolean
  /** Reports or is capped at a cost; otherwise `unknownCost: allow` let it through. */
  readonly costCapUsd?: number
  /** Seconds since the wave began. */
  readonly elapsedSeconds: number
  /** Workers that may still start or run beside this one, itself included: the rest of a cost limit is shared among them. */
  readonly slots: number
}

export type Admission =
  | { readonly ok: true; readonly ledger: Ledger; readonly capUsd?: number }
  | { readonly ok: false; readonly reason: string; /** Only what running workers hold is in the way: once one has ended, it is worth asking again. */ readonly waits: boolean }

/** Asks for a start. Says why not, or reserves; the cap is in whole cents, never below one. */
export function admit(ledger: Ledger, asking: Asking): Admission {
  const reason = exhausted(ledger, asking.elapsedSeconds)
  if (reason) return { ok: false, reason, waits: false }
  const cap = capFor(ledger, asking)
  // What cannot be told to end at less must fit in whole.
  const needed = asking.canCap ? leastCap : asking.costCapUsd ?? 0
  if (cap !== undefined && cap < needed) {
    const waits = Object.keys(ledger.reserved).length > 0 && (capFor({ ...ledger, reserved: {} }, asking) ?? 0) >= needed
    return { ok: false, reason: `budget maxReportedCostUsd ${ledger.limits.maxReportedCostUsd} leaves less than $${needed.toFixed(2)} for this worker`, waits }
  }
  const reserved = { ...ledger.reserved, [asking.id]: cap ?? null }
  return { ok: true, ledger: { ...ledger, calls: ledger.calls + 1, reserved }, ...(cap === undefined ? {} : { capUsd: cap }) }
}

function capFor(ledger: Ledger, asking: Asking): number | undefined {
  const limit = ledger.limits.maxReportedCostUsd
  if (limit === undefined) return asking.costCapUsd
  const free = limit - spentUsd(ledger) - sum(Object.values(ledger.reserved).map(cap => cap ?? 0))
  if (asking.costCapUsd !== undefined) return cents(Math.min(asking.costCapUsd, Math.max(0, free)))
  if (!asking.canCap) return undefined
  // A share may be too small to be told, while the rest itself is not.
  return Math.max(cents(Math.max(0, free) / Math.max(1, asking.slots)), Math.min(leastCap, cents(Math.max(0, free))))
}

/** Why no further worker may start, or undefined. */
export function exhausted(ledger: Ledger, elapsedSeconds: number): string | undefined {
  const { limits } = ledger
  const over = (name: Limit, used: number | undefined): string | undefined => {
    const limit = limits[name]
    return limit !== undefined && used !== undefined && used >= limit ? `budget ${name} ${limit} is used up` : undefined
  }
  const spent = ledger.reportedCostUsd === undefined && ledger.assumedCostUsd === undefined ? undefined : spentUsd(ledger)
  return over('maxCalls', ledger.calls)
    ?? over('maxWallSeconds', elapsedSeconds)
    ?? over('maxReportedCostUsd', spent)
    ?? over('maxReportedTokens', ledger.reportedTokens)
    ?? over('maxTotalTokens', ledger.totalTokens)
}

/** What an ended worker reported; `started` is false when no process ever ran. */
export interface Spent { readonly started: boolean; readonly usage?: Usage; readonly costUsd?: number }
/** The same with the cap that it ran under, for ledgers that did not see it start. */
export interface Ended extends Spent { readonly capUsd?: number }

/** Settles a worker once; a second settlement of the same id changes nothing. */
export function settle(ledger: Ledger, id: string, spent: Spent): Ledger {
  if (!Object.hasOwn(ledger.reserved, id)) return ledger
  const { [id]: cap, ...reserved } = ledger.reserved
  if (!spent.started) return { ...ledger, reserved, calls: ledger.calls - 1 }
  const { usage, costUsd } = spent
  return {
    ...ledger,
    reserved,
    ...(usage ? {
      reportedTokens: (ledger.reportedTokens ?? 0) + reportedTokens(usage),
      totalTokens: (ledger.totalTokens ?? 0) + totalTokens(usage),
    } : {}),
    ...(costUsd !== undefined ? { reportedCostUsd: (ledger.reportedCostUsd ?? 0) + costUsd } : {}),
    ...(costUsd === undefined && typeof cap === 'number' ? { assumedCostUsd: (ledger.assumedCostUsd ?? 0) + cap } : {}),
  }
}

/** The ledger of workers that have all ended, from what each reported: after a crash nothing else is left of it. */
export const recount = (limits: Budget, ended: readonly Ended[]): Ledger => ended.reduce((ledger, { capUsd, ...spent }, index) => {
  const id = String(index)
  return settle({ ...ledger, calls: ledger.calls + 1, reserved: { [id]: capUsd ?? null } }, id, spent)
}, openLedger(limits))

/** `budgetUsage` as state files hold it. */
export function usageOfBudget(ledger: Ledger, wallSeconds: number): Record<string, number> {
  const dollars = (value: number): number => Math.round(value * 1e6) / 1e6
  return {
    calls: ledger.calls,
    wallSeconds: Math.round(wallSeconds * 1000) / 1000,
    ...(ledger.reportedCostUsd === undefined ? {} : { reportedCostUsd: dollars(ledger.reportedCostUsd) }),
    ...(ledger.assumedCostUsd === undefined ? {} : { assumedCostUsd: dollars(ledger.assumedCostUsd) }),
    ...(ledger.reportedTokens === undefined ? {} : { reportedTokens: ledger.reportedTokens }),
    ...(ledger.totalTokens === undefined ? {} : { totalTokens: ledger.totalTokens }),
  }
}

const spentUsd = (ledger: Ledger): number => (ledger.reportedCostUsd ?? 0) + (ledger.assumedCostUsd ?? 0)
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
/** Whole cents, rounded down, forgiving the dust of binary fractions. */
const cents = (dollars: number): number => Math.floor(dollars * 100 + 1e-6) / 100
