/** Tokens by class, as every provider's figures are stored. Absent is never zero: a missing figure stays missing. */
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Fresh input, cache reads, cache writes and output, in tokens; the classes never overlap. */
export const Usage = v.looseObject({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
})
export type Usage = v.InferOutput<typeof Usage>

export const usageOf = (parts: Partial<Usage>): Usage => ({
  inputTokens: parts.inputTokens ?? 0,
  cacheReadTokens: parts.cacheReadTokens ?? 0,
  cacheWriteTokens: parts.cacheWriteTokens ?? 0,
  outputTokens: parts.outputTokens ?? 0,
})

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  outputTokens: a.outputTokens + b.outputTokens,
})

/** `after - before` per class, never below zero: a total below the earlier one is a fresh counter. */
export const usageSince = (after: Usage, before: Usage | undefined): Usage => {
  if (!before) return after
  const classes = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'] as const
  if (classes.some(key => after[key] < before[key])) return after
  return usageOf(Object.fromEntries(classes.map(key => [key, after[key] - before[key]])))
}

/** What `maxReportedTokens` counts: every class but cache reads. */
export const reportedTokens = (usage: Usage): number => usage.inputTokens + usage.cacheWriteTokens + usage.outputTokens

/** What `maxTotalTokens` counts: every class. */
export const totalTokens = (usage: Usage): number => reportedTokens(usage) + usage.cacheReadTokens
