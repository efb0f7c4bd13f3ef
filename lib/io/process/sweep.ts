/**
 * Clears up after workers that have ended: finds what they left running, ends it and says what it was. One pass over the table of
 * processes serves all workers that ended since the last.
 */
import { Family, type FamilyOptions, type LastWaits } from './family.ts'
import type { Identity } from './identity.ts'

export interface Swept {
  /** Left behind and ended by us. */
  readonly strays: readonly Identity[]
  /** Left behind and still alive. */
  readonly survivors: readonly Identity[]
}

export interface Sweeper {
  /** Call it when a worker's process has ended, before its work is looked at. */
  after(worker: { readonly identity: Identity; readonly marker: string }): Promise<Swept>
  /** Call it when all workers have ended: takes what carries the run's marker under whatever worker's name. */
  rest(): Promise<Swept>
}

/** Helpers often end by themselves when their parent does; they get this long before they count as strays. */
const settleMs = 200
const usual: LastWaits = { termGraceMs: 1_000 }

/** A sweeper for one run. */
export function createSweeper(runId: string, options: Pick<FamilyOptions, 'signal' | 'look'> & LastWaits = {}): Sweeper {
  const sweep = async (target: Identity | null, marker: string): Promise<Swept> => {
    const family = new Family(target, { ...options, marker, justEnded: true })
    await family.gather()
    if (family.living().length === 0) return { strays: [], survivors: [] }
    await family.gone(settleMs)
    const { ended, survivors } = await family.end({ ...usual, ...options })
    return { strays: ended, survivors }
  }
  return {
    after: ({ identity, marker }) => sweep(identity, marker),
    rest: () => sweep(null, `${runId}/`),
  }
}
