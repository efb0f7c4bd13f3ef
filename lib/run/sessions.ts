/**
 * What is known of agent sessions, by id: the folder a session belongs to and what it had used when it ended. A session may be
 * resumed by one worker at a time; the lock lives as long as that worker.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { Fail, fail } from '../base/fail.ts'
import { cleanLine } from '../base/text.ts'
import { exists, makeFolder, readJson, writeJson } from '../io/files.ts'
import type { Host } from '../io/host.ts'
import { takeLock } from '../io/lock.ts'
import { Usage } from '../model/usage.ts'
import { homeOf } from './home.ts'

const SessionRecord = v.looseObject({
  session: v.string(),
  provider: v.string(),
  cwd: v.string(),
  usage: v.exactOptional(Usage),
  costUsd: v.exactOptional(v.number()),
})
export type SessionRecord = v.InferOutput<typeof SessionRecord>

/** Session ids come from agents, so they never become part of a path as they are. */
const pathOf = (host: Host, session: string): string =>
  join(homeOf(host), 'sessions', createHash('sha256').update(session).digest('hex').slice(0, 32))

/** What earlier outcomes say of a session; null for one that no wave of ours ran, or whose record is damaged. */
export async function sessionOf(host: Host, session: string): Promise<SessionRecord | null> {
  const path = `${pathOf(host, session)}.json`
  if (!await exists(path)) return null
  // Without its record a session is as good as one started elsewhere: its tokens cannot be told apart, and nothing else is lost.
  return readJson(path, SessionRecord).catch(() => null)
}

export async function rememberSession(host: Host, record: SessionRecord): Promise<void> {
  const path = pathOf(host, record.session)
  await makeFolder(join(path, '..'))
  await writeJson(`${path}.json`, record)
}

/** Holds a session for one worker. `Fail('lock.busy')` when another one is on it. */
export async function holdSession(host: Host, session: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(`${pathOf(host, session)}.lock`, 0)
  } catch (error) {
    if (!(error instanceof Fail) || error.problem.code !== 'lock.busy') throw error
    throw fail('lock.busy', `Cannot resume session ${JSON.stringify(cleanLine(session))}: another worker is on it`, { hint: 'wait until that worker has ended' })
  }
}
