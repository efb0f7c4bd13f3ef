/**
 * What shared checkouts hold at the moment, looked at for all workers of a wave together: in a large repository git takes seconds
 * for one look, and dozens at once would take them from the workers.
 */
import { gitRoot } from '../io/git.ts'
import { type Snapshot, snapshot } from './snapshot.ts'

type Look = Promise<Snapshot | null>

export class SnapshotQueue {
  readonly #ignore: readonly string[]
  readonly #roots = new Map<string, Promise<string | null>>()
  readonly #waiting = new Map<string, Look>()
  readonly #last = new Map<string, Look>()

  /** @param ignore absolute folders whose untracked files are ours */
  constructor(ignore: readonly string[]) {
    this.#ignore = ignore
  }

  /** Top folder of the checkout around a folder, asked once in a wave; null where there is none. */
  rootOf(cwd: string): Promise<string | null> {
    const root = this.#roots.get(cwd) ?? gitRoot(cwd)
    this.#roots.set(cwd, root)
    // Git may be held up once; that is no answer for the others.
    root.catch(() => this.#roots.delete(cwd))
    return root
  }

  /**
   * A snapshot that begins after this call, shared with everybody who asks until it begins; one at a time for each checkout.
   * @param before an earlier one: then `committed` tells what was committed since
   */
  async now(root: string, before?: Snapshot): Promise<Snapshot | null> {
    const waiting = this.#waiting.get(root) ?? this.#next(root)
    this.#waiting.set(root, waiting)
    const found = await waiting
    if (!before || !found) return found
    // What was committed since differs between those who ask.
    return found.head === before.head ? { ...found, committed: [] } : snapshot(root, { ignore: this.#ignore, earlier: before })
  }

  async #next(root: string): Look {
    const last = await this.#last.get(root)
    this.#waiting.delete(root)
    const look = snapshot(root, { ignore: this.#ignore, ...(last ? { earlier: last } : {}) })
    this.#last.set(root, look.catch(() => null))
    return look
  }
}
