/**
 * All processes that belong to one worker, as far as can be told: its group and session, its descendants, and those that carry
 * its marker wherever they went. Who was once known stays known when its parent dies. Signals go by identity, never to ourselves.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from '../../base/fail.ts'
import { type Identity, identityOf, isSame, mayBeSignalled, protectedIds } from './identity.ts'
import { withMarker } from './marker.ts'
import { type Row, rowOf } from './rows.ts'
import { familyOf, freshTable, type Table } from './table.ts'

export type Kill = (pid: number, signal: NodeJS.Signals) => void

export interface FamilyOptions {
  /** Marker in the environment: one worker's, or with a `/` at its end a whole run's. */
  readonly marker?: string
  /** The process ended a moment ago, so its id still stands for its group. */
  readonly justEnded?: boolean
  /** Sends a signal, to a group when negative. Tests watch it. */
  readonly signal?: Kill
  /** Reads the table of processes. */
  readonly look?: () => Promise<Table>
}

export interface LastWaits {
  /** Between TERM and KILL. */
  readonly termGraceMs?: number
  /** How long KILL is repeated, for trees that grow while they are felled. */
  readonly killWaitMs?: number
}

export interface Ended { readonly ended: Identity[]; readonly survivors: Identity[] }

const shortestPauseMs = 5
const longestPauseMs = 50
/** After each KILL, before looking for newcomers. */
const killPauseMs = 100
/** So often KILL is sent, however slow the machine is. */
const leastKills = 3

export class Family {
  readonly #known = new Map<number, Row>()
  readonly #target: Identity | null
  readonly #options: FamilyOptions
  readonly #kill: Kill
  readonly #look: () => Promise<Table>

  /** @param target the process that leads, or null to go by the marker alone */
  constructor(target: Identity | null, options: FamilyOptions) {
    this.#target = target
    this.#options = options
    this.#kill = options.signal ?? process.kill.bind(process)
    this.#look = options.look ?? freshTable
  }

  /** Looks for members, one (shared) pass over the table. */
  async gather(): Promise<void> {
    const table = await this.#look()
    const stillTheirs = (row: Row): boolean => (table.get(row.pid) ?? row).startTime === row.startTime
    const seeds = [...this.#known.values()].filter(stillTheirs).map(row => row.pid)
    if (this.#target && this.#leads(table, this.#target)) seeds.push(this.#target.pid)
    const { marker } = this.#options
    if (marker !== undefined) seeds.push(...(await withMarker(table, marker)).map(row => row.pid))
    for (const row of familyOf(table, seeds, protectedIds())) this.#known.set(row.pid, row)
  }

  #leads(table: Table, target: Identity): boolean {
    return isSame(table.get(target.pid), target) || (this.#options.justEnded === true && !table.has(target.pid))
  }

  /** Known members that have not ended, as they are now. */
  living(): Row[] {
    return [...this.#known.values()].flatMap(known => {
      const row = rowOf(known.pid)
      return row && !row.zombie && row.startTime === known.startTime ? [row] : []
    })
  }

  /** Waits until all living members that `which` names are gone, or until the time is over. */
  async gone(withinMs: number, which: (row: Row) => boolean = () => true): Promise<void> {
    const deadline = performance.now() + withinMs
    for (let ms = shortestPauseMs; this.living().some(which); ms = Math.min(ms * 1.5, longestPauseMs)) {
      const left = deadline - performance.now()
      if (left <= 0) return
      await pause(Math.min(ms, left))
    }
  }

  /** Signals the group that the target leads; false when nobody is left in it. */
  sendToGroup(signal: NodeJS.Signals): boolean {
    const target = this.#target
    const leader = target && rowOf(target.pid)
    if (!target || !isSame(leader, target) || leader.pgid !== target.pid) return false
    if (!this.living().some(row => row.pgid === target.pid)) return false
    this.#send(-target.pid, signal)
    return true
  }

  #sendToAll(signal: NodeJS.Signals): void {
    const group = this.sendToGroup(signal) ? this.#target?.pid : undefined
    for (const { pid, pgid } of this.living()) if (pgid !== group) this.#send(pid, signal)
  }

  #send(pid: number, signal: NodeJS.Signals): void {
    if (!mayBeSignalled(Math.abs(pid))) return
    try {
      this.#kill(pid, signal)
    } catch (error) {
      // Gone in the meantime, or not ours to signal: then it is a survivor.
      if (!['ESRCH', 'EPERM'].includes(systemCode(error) ?? '')) throw error
    }
  }

  /** TERM, a grace, then KILL until nobody is left and nobody new has come. */
  async end({ termGraceMs = 5_000, killWaitMs = 2_000 }: LastWaits): Promise<Ended> {
    const met = new Map<number, Row>()
    let deadline = Number.POSITIVE_INFINITY
    for (let round = 0; ; round++) {
      await this.gather()
      const living = this.living()
      for (const row of living) met.set(row.pid, row)
      if (living.length === 0 || (round > leastKills && performance.now() > deadline)) {
        const alive = new Set(living.map(row => row.pid))
        return { ended: [...met.values()].filter(row => !alive.has(row.pid)).map(identityOf), survivors: living.map(identityOf) }
      }
      this.#sendToAll(round === 0 ? 'SIGTERM' : 'SIGKILL')
      if (round === 1) deadline = performance.now() + killWaitMs
      await this.gone(round === 0 ? termGraceMs : killPauseMs)
    }
  }
}
