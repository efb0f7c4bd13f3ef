/**
 * The state of a running wave in memory and in `state.json`: written at the start, at the end, and at most every half second
 * between, so that its cost does not grow with the number of events.
 */
import { writeJson } from '../io/files.ts'
import type { OutcomeRecord } from '../model/outcome.ts'
import type { State, WorkerEntry } from '../model/state.ts'

const writeEveryMs = 500

export class Board {
  readonly #path: string
  readonly #onFault: (error: unknown) => void
  #state: State
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** @param onFault told once per failed write: a wave that cannot record must end */
  constructor(path: string, state: State, onFault: (error: unknown) => void) {
    this.#path = path
    this.#state = state
    this.#onFault = onFault
  }

  get state(): State { return this.#state }

  set(patch: Partial<State>): void {
    this.#state = { ...this.#state, ...patch }
    this.#later()
  }

  /** Changes one worker's entry in place: an update must not cost more when there are more workers. */
  worker(id: string, patch: Partial<WorkerEntry>): void {
    const entry = this.#state.workers[id]
    if (!entry) throw new Error(`There is no worker "${id}" on the board`)
    this.#state.workers[id] = { ...entry, ...patch }
    this.#later()
  }

  /** Puts what is known of an ended worker in the place of what was known while it ran. */
  ended(id: string, record: OutcomeRecord): void {
    this.worker(id, {})
    this.#state.workers[id] = record
  }

  /** Writes now; rejects when it cannot. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const writing = this.#writing.then(() => writeJson(this.#path, this.#state, { durable: false }))
    this.#writing = writing.catch(() => undefined)
    await writing
  }

  #later(): void {
    this.#timer ??= setTimeout(() => { this.flush().catch(this.#onFault) }, writeEveryMs).unref()
  }
}
