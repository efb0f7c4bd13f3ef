/** Writes one worker's outcome and everything that is remembered of it. */
import { toRecord, type Outcome, type OutcomeRecord } from '../model/outcome.ts'
import { maskDeep, type Mask } from '../base/mask.ts'
import { makeFolder, writeJson, writeWhole } from '../io/files.ts'
import type { WaveContext } from './context.ts'
import { workerFiles } from './layout.ts'
import { rememberSession } from './sessions.ts'

/** Fields that hold words of a worker or of its CLI. Ids and paths are ours, and must stay what they are. */
const freeTexts = ['error', 'warnings', 'workerSummary', 'permissionDenials', 'diffError', 'notKept', 'resetHint', 'commits'] as const

/** The record without secrets in what somebody else worded. */
const maskedTexts = (record: OutcomeRecord, mask: Mask): OutcomeRecord => {
  const given = Object.fromEntries(freeTexts.filter(name => record[name] !== undefined).map(name => [name, record[name]]))
  return { ...record, ...maskDeep<Partial<OutcomeRecord>>(given, mask) }
}

/** What a record needs of a running or an abandoned wave. */
export type Recording = Pick<WaveContext, 'folder' | 'mask' | 'board' | 'host'>

/** Writes `result.md` and `outcome.json` (surviving a power loss) and puts the outcome on the board. */
export async function recordOutcome(wave: Recording, outcome: Outcome, text: string): Promise<OutcomeRecord> {
  const { id } = outcome.facts
  const files = workerFiles(wave.folder, id)
  await makeFolder(files.folder)
  if (text) await writeWhole(files.result, `${text}\n`)
  const record = { ...maskedTexts(toRecord(outcome), wave.mask), ...(text ? { resultPath: files.result } : {}) }
  await writeJson(files.outcome, record, { durable: true })
  wave.board.ended(id, record)
  const { sessionId: session, sessionCwd: cwd, provider, metrics } = outcome.facts
  if (session && cwd) {
    const usage = metrics.sessionUsage ?? metrics.usage
    await rememberSession(wave.host, {
      session, provider, cwd, ...(usage ? { usage } : {}), ...(metrics.totalCostUsd === undefined ? {} : { costUsd: metrics.totalCostUsd }),
    })
  }
  return record
}
