/**
 * The marker that every process of a run inherits in its environment: it finds strays that left their group and their parents.
 * Only Linux lets the environment of others be read (`/proc/PID/environ`).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readOf, type Row } from './rows.ts'
import { markerName, type Table } from './table.ts'

/** What was read of a process. `blankSince`: there was nothing to read, first at this time of the monotonic clock. */
interface Seen { readonly startTime: string; readonly marker: string | null; readonly blankSince?: number }

/** In the middle of `exec` a process shows an empty environment, as a rule for less than a millisecond: it is looked at again. */
const blankLooks = 5
const blankPauseMs = 2
/** Blank for this long: it stays so. */
const blankForGoodMs = 1_000

function markerIn(environment: string): string | null {
  const [, after] = `\0${environment}`.split(`\0${markerName}=`, 2)
  return after?.split('\0', 1)[0] ?? null
}

/** Reads markers and remembers them: they are had from birth, and reading one costs as much as a row of the table. */
class Markers {
  readonly #seen = new Map<number, Seen>()
  readonly #tables = new WeakMap<Table, Promise<Map<string, Row[]>>>()
  readonly #read: (pid: number) => string | null

  constructor(read: (pid: number) => string | null) {
    this.#read = read
  }

  /** Processes by their marker; read once for all who share a table. */
  of(table: Table): Promise<Map<string, Row[]>> {
    const known = this.#tables.get(table) ?? this.#readAll(table)
    this.#tables.set(table, known)
    return known
  }

  async #readAll(table: Table): Promise<Map<string, Row[]>> {
    for (const pid of this.#seen.keys()) if (!table.has(pid)) this.#seen.delete(pid)
    const rows = [...table.values()].filter(row => !row.zombie)
    let blank = rows.filter(row => this.#isInExec(row))
    for (let look = 1; look < blankLooks && blank.length > 0; look++) {
      await pause(blankPauseMs)
      blank = blank.filter(row => this.#isInExec(row))
    }
    const found = new Map<string, Row[]>()
    for (const row of rows) {
      const { marker } = this.#look(row)
      if (marker !== null) found.set(marker, [...found.get(marker) ?? [], row])
    }
    return found
  }

  #isInExec(row: Row): boolean {
    const { blankSince } = this.#look(row)
    return blankSince !== undefined && performance.now() - blankSince < blankForGoodMs
  }

  #look({ pid, startTime }: Row): Seen {
    const known = this.#seen.get(pid)
    const same = known?.startTime === startTime ? known : undefined
    const now = performance.now()
    if (same && (same.blankSince === undefined || now - same.blankSince > blankForGoodMs)) return same
    const text = this.#read(pid) ?? ''
    const fresh = { startTime, marker: markerIn(text), ...(text === '' ? { blankSince: same?.blankSince ?? now } : {}) }
    this.#seen.set(pid, fresh)
    return fresh
  }
}

/**
 * Makes a finder of processes by marker: a worker's whole one, or one that ends in `/` for all of that run. An environment that
 * cannot be read is not ours.
 */
export function createMarkers(read: (pid: number) => string | null): (table: Table, marker: string) => Promise<Row[]> {
  const markers = new Markers(read)
  return async (table, marker) => {
    const found = await markers.of(table)
    if (!marker.endsWith('/')) return found.get(marker) ?? []
    return [...found].flatMap(([own, rows]) => own.startsWith(marker) ? rows : [])
  }
}

/** The processes of a table that carry a marker; nobody where environments cannot be read. */
export const withMarker = process.platform === 'linux'
  ? createMarkers(pid => readOf(pid, 'environ'))
  : (): Promise<Row[]> => Promise.resolve([])
