/**
 * What git has on record about one of our worktrees: its folder under `worktrees/` of the common git folder, our marker file in
 * it that proves who made it, and a lock with our reason while it is made. Only what carries marker or reason is ever removed.
 */
import { basename, dirname, join, resolve } from 'node:path'
import { fail } from '../base/fail.ts'
import { cleanLine } from '../base/text.ts'
import { exists, namesIn, readTextIfThere, writeJson } from '../io/files.ts'
import { identify, lifeOf } from '../io/process/identity.ts'
import { removeAll, removeIfEmpty } from '../io/tree-files.ts'

/** In a worktree's git folder. */
const markerFile = 'alethe.json'
const reasonPattern = /^alethe pid=(\d+) start=(\S*) boot=(\S*)\s*$/

export interface Registration {
  /** The worktree's own git folder. */
  readonly gitDir: string
  /** Our marker is there, or the lock was written by us. */
  readonly ours: boolean
  /** Why it is locked; null when it is not. */
  readonly locked: string | null
}

export interface Marker { readonly runId: string; readonly workerId: string; readonly createdAt: string; readonly pid: number }

export const writeMarker = (gitDir: string, marker: Marker): Promise<void> => writeJson(join(gitDir, markerFile), marker)

/**
 * The reason under which a worktree is locked while it is made, so that one of a runner that died can be told. Start times may
 * be dates with blanks.
 */
export async function lockReason(): Promise<string> {
  const me = await identify(process.pid)
  if (!me) throw new Error('Cannot read the identity of this process')
  return `alethe pid=${me.pid} start=${me.startTime.replaceAll(' ', '_')} boot=${me.bootId}`
}

/** The worktree is complete. What `git worktree unlock` does, without a process of its own. */
export const unlock = (gitDir: string): Promise<void> => removeAll(join(gitDir, 'locked'))

/** Was the lock written by us, and is its writer gone? */
function ownerOf(reason: string): 'dead' | 'alive' | 'stranger' {
  const [, pid, startTime, bootId] = reasonPattern.exec(reason) ?? []
  if (pid === undefined) return 'stranger'
  return lifeOf({ pid: Number(pid), startTime: startTime?.replaceAll('_', ' '), bootId }) === 'dead' ? 'dead' : 'alive'
}

async function readRegistration(gitDir: string, path: string): Promise<Registration | null> {
  const pointer = await readTextIfThere(join(gitDir, 'gitdir'))
  const locked = await readTextIfThere(join(gitDir, 'locked'))
  const ours = await exists(join(gitDir, markerFile)) || (locked !== null && ownerOf(locked) !== 'stranger')
  // A worktree whose making was cut off may not point to its folder yet.
  const belongs = pointer === null ? ours : resolve(gitDir, pointer.trim()) === join(path, '.git')
  return belongs ? { gitDir, ours, locked } : null
}

/** The registration of the worktree at `path`, or null. Git names it after the folder, with a number behind if need be. */
export async function registrationOf(commonDir: string, path: string): Promise<Registration | null> {
  const folder = join(commonDir, 'worktrees')
  const name = basename(path)
  for (const each of await namesIn(folder)) {
    if (!each.startsWith(name) || !/^\d*$/.test(each.slice(name.length))) continue
    const found = await readRegistration(join(folder, each), path)
    if (found) return found
  }
  return null
}

/** Forgets a registration of ours whose folder is gone. @throws `Fail('git.refused')` for one that is not ours or in use */
export async function clearStale(registration: Registration, path: string): Promise<void> {
  const { gitDir, ours, locked } = registration
  const owner = locked === null ? 'dead' : ownerOf(locked)
  if (owner === 'alive') throw fail('git.refused', `Cannot make the worktree "${path}": another runner is making it`)
  if (!ours || owner === 'stranger') {
    const foreign = owner === 'stranger'
    const state = foreign ? `locked (${cleanLine((locked ?? '').trim()) || 'without a reason'})` : 'registered by someone else'
    const hint = `${foreign ? `git worktree unlock "${path}" && ` : ''}git worktree remove --force "${path}"`
    throw fail('git.refused', `Cannot make the worktree "${path}": its folder is gone but git has it ${state}`, { hint })
  }
  await forget(gitDir)
}

/** Removes a worktree's git folder, as `git worktree prune` would, but only this one. */
export async function forget(gitDir: string): Promise<void> {
  await removeAll(gitDir)
  await removeIfEmpty(dirname(gitDir))
}
