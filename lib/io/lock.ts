/**
 * A lock between processes, held by a file that names its owner by pid, start time and boot id.
 *
 * Taking: the content is written to a temp file and linked to the lock's path, so a lock is never seen half-written.
 * Breaking a dead owner's lock: whoever links `<lock>.break-<token>` first may remove the lock with that token, and
 * nobody else ever may. If that one dies too, its break file is broken the same way. So no live lock is ever removed
 * and no two processes hold it.
 */
import { randomBytes } from 'node:crypto'
import { link, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { type Fail, fail, systemCode } from '../base/fail.ts'
import { makeFolder, parseJson, privateFile } from './files.ts'
import { identify, Identity, lifeOf } from './process/identity.ts'

const Owner = v.looseObject({ token: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)), owner: Identity })

/** A lock without readable content is given this long to be written by a tool that does not link. */
const unwrittenGraceMs = 10_000

type Found = { readonly state: 'free' | 'held' | 'doubtful' | 'unwritten' } | { readonly state: 'dead'; readonly token: string }

async function look(path: string): Promise<Found> {
  try {
    const text = await readFile(path, 'utf8')
    const owner = parseJson(Owner, text)
    if (owner) {
      const life = lifeOf(owner.owner)
      return life === 'dead' ? { state: 'dead', token: owner.token } : { state: life === 'alive' ? 'held' : 'doubtful' }
    }
    const age = Date.now() - (await stat(path)).mtimeMs
    return age < unwrittenGraceMs ? { state: 'unwritten' } : { state: 'dead', token: `unwritten-${text.length}` }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { state: 'free' }
    if (systemCode(error) === 'EISDIR') throw fail('lock.busy', `Cannot lock "${path}": it is a folder`, { hint: `rmdir "${path}"` })
    throw error
  }
}

/** Links a file with our name to `path`; false when something is there already. */
async function claim(path: string, token: string, me: Identity): Promise<boolean> {
  const temporary = `${path}.${token}.tmp`
  try {
    await writeFile(temporary, JSON.stringify({ token, owner: me }), { mode: privateFile })
    await link(temporary, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    // Also half written, on a full disk.
    await remove(temporary)
  }
}

const remove = (path: string): Promise<void> => unlink(path).catch((error: unknown) => {
  if (systemCode(error) !== 'ENOENT') throw error
})

/** Removes the lock of a dead owner, if we are the one who may. */
async function breakDead(path: string, deadToken: string, me: Identity): Promise<void> {
  const right = `${path}.break-${deadToken}`
  if (!await claim(right, newToken(), me)) {
    const found = await look(right)
    if (found.state === 'dead') await breakDead(right, found.token, me)
    return
  }
  const now = await look(path)
  if (now.state === 'dead' && now.token === deadToken) await remove(path)
  await remove(right)
}

const newToken = (): string => randomBytes(8).toString('hex')

/**
 * Runs `body` while holding the lock at `path` and releases it afterwards, whatever happens.
 * @param options.waitMs how long to wait for a live owner; over it `Fail('lock.busy')`
 */
export async function withLock<T>(path: string, body: () => Promise<T>, options: { readonly waitMs?: number } = {}): Promise<T> {
  const waitMs = options.waitMs ?? 15_000
  const deadline = performance.now() + waitMs
  const before = lines.get(path)
  const turn = (async () => {
    if (before) await endOf(before, waitMs)
    const release = await takeLock(path, Math.max(0, deadline - performance.now()))
    try {
      return await body()
    } finally {
      await release()
    }
  })()
  lines.set(path, turn)
  try {
    return await turn
  } finally {
    if (lines.get(path) === turn) lines.delete(path)
  }
}

/**
 * Who is last in the line for a lock, of those in this process: they take turns in memory and only the first asks the disk. Eight who
 * all asked it again and again were measured to take more time than what they waited for.
 */
const lines = new Map<string, Promise<unknown>>()

/** Waits for the end of somebody's turn, well or not, but no longer than that. */
async function endOf(turn: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController()
  const isOver = (): undefined => undefined
  await Promise.race([turn.then(isOver, isOver), pause(ms, undefined, { signal: over.signal }).then(isOver, isOver)])
  over.abort()
}

/** Takes the lock and returns its release. Prefer `withLock`; this is for locks that outlive one function. */
export async function takeLock(path: string, waitMs: number): Promise<() => Promise<void>> {
  await makeFolder(dirname(path))
  const me = await identify(process.pid)
  if (!me) throw new Error('Cannot read the identity of this process')
  const token = newToken()
  const deadline = performance.now() + waitMs
  while (!await claim(path, token, me)) {
    const found = await look(path)
    if (performance.now() > deadline) throw busy(path, waitMs, found.state === 'doubtful')
    if (found.state === 'dead') await breakDead(path, found.token, me)
    else if (found.state !== 'free') await pause(5 + Math.random() * 20)
  }
  return () => release(path, token)
}

const busy = (path: string, waitMs: number, isDoubtful: boolean): Fail => isDoubtful
  ? fail('lock.busy', `Cannot lock "${path}": whoever holds it cannot be told from a stranger, as in another container`, { hint: `rm "${path}" once no other run of yours goes` })
  : fail('lock.busy', `Cannot lock "${path}" within ${waitMs} ms: another process holds it`)

/** Removes our lock; what somebody put in its place by hand stays. */
async function release(path: string, token: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  })
  if (parseJson(Owner, text)?.token === token) await remove(path)
}
