/**
 * Who a process is: its id alone says little, for ids are used again. An identity is pid, start time and boot id, and nothing is
 * signalled or believed alive that does not match all three. Containers may share a kernel and a folder while each has process ids of
 * its own, so an identity also says in which namespace its id counts.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import * as v from 'valibot'
import { isPid, type Row, rowOf } from './rows.ts'

export interface Identity {
  readonly pid: number
  /** As the system tells it, see `Row`; only good for comparing. '' where it tells none. */
  readonly startTime: string
  /** Of the running system; '' where start times are dates and need none. */
  readonly bootId: string
  /** Linux: the namespace in which the id counts; absent where the system tells none. */
  readonly pidNamespace?: string
}

/** A stored identity. Whether it is believable is for `lifeOf` to say. */
export const Identity = v.looseObject({ pid: v.number(), startTime: v.string(), bootId: v.string(), pidNamespace: v.exactOptional(v.string()) })

export type Life = 'alive' | 'dead' | 'unverifiable'

let knownBootId: string | undefined

let knownNamespace: string | undefined

/** Names the namespace in which this process sees others; '' where the system tells none. */
function pidNamespace(): string {
  if (knownNamespace !== undefined) return knownNamespace
  try {
    knownNamespace = process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : ''
  } catch {
    // A system may hide it; then identities are as good as they can be.
    knownNamespace = ''
  }
  return knownNamespace
}

/** The identity of a process of this system and namespace. */
export function identityHere(pid: number, startTime: string): Identity {
  const namespace = pidNamespace()
  return { pid, startTime, bootId: bootId(), ...(namespace === '' ? {} : { pidNamespace: namespace }) }
}

/** Says an identity of itself that its id counts elsewhere? Those of before say nothing, and one that does not know cannot tell. */
const isElsewhere = (namespace: unknown): boolean =>
  typeof namespace === 'string' && namespace !== '' && pidNamespace() !== '' && namespace !== pidNamespace()

/** Names this start of the system. */
export function bootId(): string {
  return knownBootId ??= process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : ''
}

/** The identity behind a row that was just read. */
export const identityOf = ({ pid, startTime }: Row): Identity => identityHere(pid, startTime)

/** The identity of a living process; null when there is none with that id (a zombie is none). */
export async function identify(pid: number): Promise<Identity | null> {
  const row = isPid(pid) || pid === process.pid ? rowOf(pid) : null
  return row && !row.zombie ? identityOf(row) : null
}

/** Is this row the very process of an identity? Zombies count: as long as one is there, its id is not used again. */
export const isSame = (row: Row | null | undefined, identity: Identity): row is Row =>
  row !== null && row !== undefined && row.pid === identity.pid && row.startTime === identity.startTime
  && row.startTime !== '' && identity.bootId === bootId() && !isElsewhere(identity.pidNamespace)

/** The first process may be a runner of ours (in a container), so it is judged like others, though it is never signalled. */
const Stored = v.looseObject({
  pid: v.custom<number>(value => isPid(value) || value === 1),
  startTime: v.optional(v.unknown()),
  bootId: v.optional(v.unknown()),
  pidNamespace: v.optional(v.unknown()),
})

/**
 * Does a stored process still live? Takes whatever a file holds: what cannot name a process is dead. `unverifiable` is a process
 * of that id which may as well be a stranger, because the record or the system tells no start time, or the id counts in another
 * container: report it, never signal it.
 */
export function lifeOf(stored: unknown): Life {
  const parsed = v.safeParse(Stored, stored)
  if (!parsed.success) return 'dead'
  const { pid, startTime, bootId: boot, pidNamespace: namespace } = parsed.output
  if (isElsewhere(namespace)) return boot === bootId() ? 'unverifiable' : 'dead'
  const row = rowOf(pid)
  if (!row || row.zombie) return 'dead'
  if (typeof startTime !== 'string' || startTime === '' || typeof boot !== 'string' || row.startTime === '') {
    return pid === 1 ? 'dead' : 'unverifiable'
  }
  return isSame(row, { pid, startTime, bootId: boot }) ? 'alive' : 'dead'
}

/** Ids of this process, its ancestors and their groups. None of them may ever be signalled. */
export function protectedIds(): Set<number> {
  const ids = new Set([process.pid, process.ppid])
  for (let row = rowOf(process.pid); row; row = row.ppid > 1 ? rowOf(row.ppid) : null) ids.add(row.pid).add(row.pgid)
  return ids
}

/** May a signal go to this process, or to the group of this id? */
export const mayBeSignalled = (pid: unknown): pid is number => isPid(pid) && !protectedIds().has(pid)
