/** One timer for everything that is looked at again and again while a wave runs. */

const everyMs = 150

export class Ticker {
  readonly #looks = new Map<() => Promise<void>, boolean>()
  readonly #onFault: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined

  /** @param onFault told what a look rejected with */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  /** Calls `look` about every 150 ms, never twice at once; returns how to end that. */
  add(look: () => Promise<void>): () => void {
    this.#looks.set(look, false)
    this.#timer ??= setInterval(() => { this.#tick() }, everyMs)
    return () => {
      this.#looks.delete(look)
      if (this.#looks.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #tick(): void {
    for (const [look, busy] of this.#looks) {
      if (busy) continue
      this.#looks.set(look, true)
      look().catch(this.#onFault).finally(() => { if (this.#looks.has(look)) this.#looks.set(look, false) })
    }
  }
}
