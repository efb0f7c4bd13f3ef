/**
 * The budget of a running wave: the ledger that its workers reserve from, one after the other, and those of them that wait because
 * running ones hold what they need.
 */
import type { Budget } from '../model/budget.ts'
import { admit, type Admission, type Asking, type Ledger, openLedger, settle, type Spent, usageOfBudget } from '../model/ledger.ts'

export class Account {
  readonly #stop: AbortSignal
  readonly #waiting = new Set<() => void>()
  #ledger: Ledger

  /** @param stop once it is aborted nobody waits any more */
  constructor(limits: Budget, stop: AbortSignal) {
    this.#ledger = openLedger(limits)
    this.#stop = stop
    stop.addEventListener('abort', () => { this.#wake() })
  }

  /**
   * Reserves for a worker, or says why not. What only running workers hold is waited for until one of them has ended.
   * @param asking made anew for each try, from the number of workers that run then
   */
  async admit(asking: (running: number) => Asking): Promise<Admission> {
    for (;;) {
      const admission = admit(this.#ledger, asking(Object.keys(this.#ledger.reserved).length))
      // Reserved before anything is awaited: nobody else may ask in between.
      if (admission.ok) this.#ledger = admission.ledger
      if (admission.ok || !admission.waits || this.#stop.aborted) return admission
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  settle(id: string, spent: Spent): void {
    this.#ledger = settle(this.#ledger, id, spent)
    this.#wake()
  }

  usage(wallSeconds: number): Record<string, number> {
    return usageOfBudget(this.#ledger, wallSeconds)
  }

  #wake(): void {
    const woken = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of woken) wake()
  }
}
