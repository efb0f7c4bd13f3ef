/**
 * Plan limits in streams of Claude's shape: `rate_limit_event` names one window, its reset and its status, and a used
 * fraction only near the limit (measured on claude 2.1.197, with a plan login only). Earlier versions listed every
 * window under `unifiedWindows`. Only the status `rejected` is a refusal; every other word is information.
 */
import type { QuotaReading, QuotaWindow } from '../model/quota.ts'
import { field, instant, isJson, type Json, number, text } from './json.ts'

const windowNames: Readonly<Record<string, string>> = { five_hour: '5h', seven_day: 'week', seven_day_opus: 'opus', opus: 'opus' }
const vendorWord = /^[a-z][a-z0-9_]{0,40}$/
const mostWindows = 16

/** A refusal by the plan; the reset as ISO time when it was told. */
export interface Refusal { readonly resetsAt?: string }

/** Folds limit events; later readings of a window replace earlier ones. */
export interface QuotaFold {
  /** Takes one `rate_limit_event`; gives the refusal when it is one. */
  note(event: Json): Refusal | undefined
  reading(): QuotaReading | undefined
}

const windowName = (word: string | undefined): string | undefined =>
  word !== undefined && vendorWord.test(word) ? (Object.hasOwn(windowNames, word) ? windowNames[word] : word) : undefined

/** A used fraction (1 is the whole window) as per cent; a window can be overrun, a percentage not. */
function usedPercent(value: unknown): number | undefined {
  const fraction = number(value, 'utilization')
  return fraction === undefined || fraction < 0 ? undefined : Math.min(100, Math.round(fraction * 1e6) / 1e4)
}

function windowOf(value: unknown, rejected: boolean): QuotaWindow {
  const percent = usedPercent(value)
  const resetsAt = instant(value, 'resetsAt')
  return {
    ...(percent === undefined ? {} : { usedPercent: percent }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(rejected ? { rejected } : {}),
  }
}

/** A later reading that leaves out what is known keeps it, as long as the window has not begun anew. */
function newer(before: QuotaWindow | undefined, now: QuotaWindow): QuotaWindow {
  if (!before || (now.resetsAt !== undefined && now.resetsAt !== before.resetsAt)) return now
  const { usedPercent: percent, resetsAt } = before
  return { ...(percent === undefined ? {} : { usedPercent: percent }), ...(resetsAt === undefined ? {} : { resetsAt }), ...now }
}

export function quotaFold(): QuotaFold {
  const windows = new Map<string, QuotaWindow>()
  let overage: boolean | undefined
  let seen = false
  const put = (name: string | undefined, window: QuotaWindow): void => {
    if (name === undefined || (!windows.has(name) && windows.size >= mostWindows)) return
    windows.set(name, newer(windows.get(name), window))
  }
  return {
    note: event => {
      const info = field(event, 'rate_limit_info')
      if (!isJson(info)) return undefined
      seen = true
      const unified = field(info, 'unifiedWindows')
      for (const [word, each] of isJson(unified) ? Object.entries(unified) : []) {
        if (isJson(each)) put(windowName(word), windowOf(each, false))
      }
      const paid = field(info, 'isUsingOverage')
      if (typeof paid === 'boolean') overage = paid
      const rejected = text(info, 'status') === 'rejected' && paid !== true
      const named = windowName(text(info, 'rateLimitType'))
      const window = windowOf(info, rejected)
      put(named ?? (rejected ? 'plan' : undefined), window)
      return rejected ? { ...(window.resetsAt === undefined ? {} : { resetsAt: window.resetsAt }) } : undefined
    },
    reading: () => seen ? { windows: Object.fromEntries(windows), ...(overage === undefined ? {} : { overage }) } : undefined,
  }
}
