/** The table of all processes, read in passes that are shared, and who in it belongs together by descent, group and session. */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { allRows, type Row } from './rows.ts'

export type Table = ReadonlyMap<number, Row>

/** Environment variable of every worker; its value is `<runId>/<workerId>`. See `marker.ts`. */
export const markerName = 'ALETHE_RUN_MARKER'

/** Reads the table once. Measured on Linux with 330 processes: 6 to 15 ms. Prefer `freshTable`. */
export const readTable = async (platform?: NodeJS.Platform): Promise<Table> =>
  new Map((await allRows(platform)).map(row => [row.pid, row]))

/** After a pass, so many times its own duration goes by before the next: passes take at most a sixth of our time. */
const restPerPass = 5

/**
 * Shares passes over the table: whoever asks gets one that begins after the asking, with all others who ask until it begins.
 * @returns a function that asks
 */
export function createPasses(read: () => Promise<Table> = readTable): () => Promise<Table> {
  let waiting: Promise<Table> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let notBefore = 0
  const pass = async (): Promise<Table> => {
    await last
    const rest = notBefore - performance.now()
    await (rest > 0 ? pause(rest) : turn())
    waiting = undefined
    const begun = performance.now()
    const reading = read()
    last = reading.catch(() => undefined)
    const table = await reading
    const ended = performance.now()
    notBefore = ended + (ended - begun) * restPerPass
    return table
  }
  return () => waiting ??= pass()
}

/** The table as it is after this call, from the passes that this whole process shares. */
export const freshTable = createPasses()

/** Who `seeds` name, who descends from them and who is in a group or session that one of them leads; never one of `barred`. */
export function familyOf(table: Table, seeds: Iterable<number>, barred: ReadonlySet<number>): Row[] {
  const ids = new Set([...seeds].filter(id => id > 1 && !barred.has(id)))
  let before
  do {
    before = ids.size
    for (const { pid, ppid, pgid, session } of table.values()) {
      if (!barred.has(pid) && (ids.has(ppid) || ids.has(pgid) || ids.has(session))) ids.add(pid)
    }
  } while (ids.size > before)
  return [...ids].flatMap(id => table.get(id) ?? [])
}
