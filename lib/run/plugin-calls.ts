/** Calls into plugins: what one of them throws, or never answers, is named with its id and is nobody else's failure. */
import { fail } from '../base/fail.ts'
import type { Settled } from '../plugin/provider.ts'

/** Over this a plugin that asks its CLI something hangs: each single question has a limit of 30 s. */
const answerLimitMs = 90_000

const faultText = (id: string, error: unknown): string => `The plugin "${id}" failed: ${error instanceof Error ? error.message : String(error)}`

/** Calls into a plugin. @throws `Fail('plugin.broken')` for whatever it throws */
export function ofPlugin<T>(id: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw fail('plugin.broken', faultText(id, error))
  }
}

/** The same for a call that takes its time. @throws `Fail('plugin.broken')` also when it gives no answer within the limit */
export async function answerOf<T>(id: string, call: () => Promise<T>, limitMs = answerLimitMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => { reject(new Error(`it did not answer within ${limitMs / 1000} s`)) }, limitMs)
  })
  try {
    return await Promise.race([call(), late])
  } catch (error) {
    throw fail('plugin.broken', faultText(id, error))
  } finally {
    clearTimeout(timer)
  }
}

/** The verdict over a worker whose plugin threw. */
export const faultOf = (id: string, error: unknown): Settled => ({ verdict: { ok: false, kind: 'error', error: faultText(id, error) }, text: '' })

/** A plugin's verdict, or that it could give none. */
export function settledBy(id: string, settle: () => Settled): Settled {
  try {
    return settle()
  } catch (error) {
    return faultOf(id, error)
  }
}
