/** One provider's usage limits as one worker saw them. */
import * as v from 'valibot'

/** A window such as the 5 hours of a plan. No percentage means none was given, never 0. */
export const QuotaWindow = v.looseObject({
  usedPercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  resetsAt: v.optional(v.string()),
  rejected: v.optional(v.boolean()),
})
export type QuotaWindow = v.InferOutput<typeof QuotaWindow>

/** Windows by name (`5h`, `week`, `opus`, or the vendor's own word). */
export const QuotaReading = v.looseObject({
  windows: v.record(v.string(), QuotaWindow),
  /** Paid usage beyond the plan is running. */
  overage: v.optional(v.boolean()),
})
export type QuotaReading = v.InferOutput<typeof QuotaReading>
