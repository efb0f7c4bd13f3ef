/**
 * Tokens and cost in streams of Claude's shape. While it runs: one entry per message id, the last value wins, because
 * one reply comes as several events that each repeat its usage. At the end: `modelUsage`, which also holds subagents,
 * titles and retried calls that `usage` leaves out (measured on claude 2.1.197: both count this process alone, also on
 * resume and fork; on 2.1.332 `modelUsage` counts the whole session).
 */
import { namePattern } from '../model/names.ts'
import { addUsage, totalTokens, type Usage, usageOf } from '../model/usage.ts'
import { count, field, isJson, type Json, number } from './json.ts'

const rememberedMessages = 256
const mostModels = 64
/** By model, what this process used after its last result event (claude 2.1.332; unknown to 2.1.197). */
const sinceLast = 'model_usage_since_last_result'

type Parts = Partial<Record<'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens', number>>

function usageFrom(parts: Readonly<Record<string, number | undefined>>): Usage | undefined {
  const known: Parts = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
  return Object.keys(known).length > 0 ? usageOf(known) : undefined
}

/** Usage as the API writes it (`input_tokens`, ...); undefined when no figure is there. Fresh input excludes the cache. */
export const apiUsage = (raw: unknown): Usage | undefined => usageFrom({
  inputTokens: count(raw, 'input_tokens'),
  cacheReadTokens: count(raw, 'cache_read_input_tokens'),
  cacheWriteTokens: count(raw, 'cache_creation_input_tokens'),
  outputTokens: count(raw, 'output_tokens'),
})

/** Adds up live usage in bounded memory. */
export interface UsageMeter {
  /** Notes the usage that one event of message `id` states. */
  note(id: string, usage: Usage): void
  /** Everything noted; undefined when nothing was. */
  total(): Usage | undefined
}

/** A meter that remembers the last 256 messages by id; older ones are final and only their sum is kept. */
export function usageMeter(): UsageMeter {
  const recent = new Map<string, Usage>()
  let settled: Usage | undefined
  const plus = (sum: Usage | undefined, usage: Usage): Usage => sum ? addUsage(sum, usage) : usage
  return {
    note: (id, usage) => {
      recent.set(id, usage)
      if (recent.size <= rememberedMessages) return
      for (const [oldest, final] of recent) {
        settled = plus(settled, final)
        recent.delete(oldest)
        break
      }
    },
    total: () => [...recent.values()].reduce<Usage | undefined>(plus, settled),
  }
}

/** What a process used and cost, as far as it is known. */
export interface Bill {
  readonly usage?: Usage
  readonly costUsd?: number
  readonly costByModel?: Readonly<Record<string, number>>
  readonly billedModels?: readonly string[]
}

const cost = (value: unknown, key: string): number | undefined => {
  const usd = number(value, key)
  return usd !== undefined && usd >= 0 ? usd : undefined
}

function modelBill(models: readonly (readonly [string, Json])[], total: number | undefined): Bill {
  const usages = models.map(([, each]) => usageFrom({
    inputTokens: count(each, 'inputTokens'),
    cacheReadTokens: count(each, 'cacheReadInputTokens'),
    cacheWriteTokens: count(each, 'cacheCreationInputTokens'),
    outputTokens: count(each, 'outputTokens'),
  })).filter(usage => usage !== undefined)
  const costs = models.flatMap(([name, each]) => {
    const usd = cost(each, 'costUSD')
    return usd === undefined ? [] : [[name, usd] as const]
  })
  const costUsd = total ?? (costs.length > 0 ? costs.reduce((sum, [, usd]) => sum + usd, 0) : undefined)
  return {
    ...(usages.length > 0 ? { usage: usages.reduce(addUsage) } : {}),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(costs.length > 0 ? { costByModel: Object.fromEntries(costs) } : {}),
    billedModels: models.map(([name]) => name),
  }
}

const modelsIn = (raw: unknown): (readonly [string, Json])[] => Object.entries(isJson(raw) ? raw : {})
  .flatMap(([name, each]) => namePattern.test(name) && isJson(each) ? [[name, each] as const] : []).slice(0, mostModels)

/**
 * The bill of a result event. `modelUsage` and `total_cost_usd` of claude 2.1.332 go on from where a resumed or forked
 * session stood; what came since the last result of this process is told beside them, and then that is the bill: see
 * `plusBill`. A result without any model and without tokens, after messages that had some, comes from an interruption
 * (measured: SIGINT in mid-answer gives zeros): then the live figures hold and the cost is unknown.
 */
export function billOf(result: Json, live: Usage | undefined): Bill {
  const since = field(result, sinceLast)
  const models = modelsIn(isJson(since) ? since : field(result, 'modelUsage'))
  const total = isJson(since) ? undefined : cost(result, 'total_cost_usd')
  if (models.length > 0) return modelBill(models, total)
  const stated = apiUsage(field(result, 'usage'))
  const lost = live && totalTokens(live) > 0 && (!stated || totalTokens(stated) === 0)
  if (lost) return { usage: live, ...(total ? { costUsd: total } : {}) }
  const costUsd = isJson(since) ? 0 : total
  return { ...(stated ? { usage: stated } : {}), ...(costUsd === undefined ? {} : { costUsd }) }
}

/** The bill of a process whose earlier results were billed as `before`: totals replace it, what came since is added. */
export function plusBill(before: Bill | undefined, result: Json, bill: Bill): Bill {
  if (!before || !isJson(field(result, sinceLast))) return bill
  const usages = [before.usage, bill.usage].filter(usage => usage !== undefined)
  const costUsd = before.costUsd === undefined ? bill.costUsd : before.costUsd + (bill.costUsd ?? 0)
  const names = [...new Set([...before.billedModels ?? [], ...bill.billedModels ?? []])].slice(0, mostModels)
  const costs = new Map(Object.entries(before.costByModel ?? {}))
  for (const [name, usd] of Object.entries(bill.costByModel ?? {})) if (names.includes(name)) costs.set(name, (costs.get(name) ?? 0) + usd)
  return {
    ...(usages.length > 0 ? { usage: usages.reduce(addUsage) } : {}),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(costs.size > 0 ? { costByModel: Object.fromEntries(costs) } : {}),
    ...(names.length > 0 ? { billedModels: names } : {}),
  }
}
