/** Calls into plugins: what one of them throws is its worker's failure and nobody else's. */
import { fail } from '../base/fail.ts'
import type { Settled } from '../plugin/provider.ts'

const faultText = (id: string, error: unknown): string => `The plugin "${id}" failed: ${error instanceof Error ? error.message : String(error)}`

/** Calls into a plugin. @throws `Fail('plugin.broken')` for whatever it throws */
export function ofPlugin<T>(id: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw fail('plugin.broken', faultText(id, error))
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
