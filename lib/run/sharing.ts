/**
 * Who works in which shared checkout, and who was there at the same time: then a change cannot be laid at one worker's door.
 */
import type { PlannedWorker } from '../model/planned.ts'

type Mode = PlannedWorker['mode']
export interface Sharer { readonly id: string; readonly mode: Mode }

interface Stay extends Sharer { readonly met: Map<string, Sharer> }

/** One wave's book, in memory. */
export class Sharing {
  readonly #present = new Map<string, Map<string, Stay>>()

  /** A worker begins in the checkout `root`. */
  enter(root: string, id: string, mode: Mode): void {
    const here = this.#present.get(root) ?? new Map<string, Stay>()
    const stay: Stay = { id, mode, met: new Map() }
    for (const other of here.values()) {
      other.met.set(id, { id, mode })
      stay.met.set(other.id, { id: other.id, mode: other.mode })
    }
    this.#present.set(root, here.set(id, stay))
  }

  /** The worker has left; returns everyone who was there at any time during its stay, none when it was not there. */
  leave(root: string, id: string): Sharer[] {
    const here = this.#present.get(root)
    const stay = here?.get(id)
    here?.delete(id)
    if (here?.size === 0) this.#present.delete(root)
    return [...stay?.met.values() ?? []]
  }
}
