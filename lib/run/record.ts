/** Writes one worker's outcome and everything that is remembered of it. */
import { toRecord, type Outcome, type OutcomeRecord } from '../model/outcome.ts'
import { maskDeep } from '../base/mask.ts'
import { makeFolder, writeJson, writeWhole } from '../io/files.ts'
import type { WaveContext } from './context.ts'
import { workerFiles } from './layout.ts'
import { rememberSession } from './sessions.ts'

/** Writes `result.md` and `outcome.json` (surviving a power loss) and puts the outcome on the board. */
export async function recordOutcome(wave: Pick<WaveContext, 'folder' | 'mask' | 'board' | 'host'>, outcome: Outcome, text: string): Promise<OutcomeRecord> {
  const { id } = outcome.facts
  const files = workerFiles(wave.folder, id)
  await makeFolder(files.folder)
  if (text) await writeWhole(files.result, `${text}\n`)
  const record = maskDeep({ ...toRecord(outcome), ...(text ? { resultPath: files.result } : {}) }, wave.mask)
  await writeJson(files.outcome, record, { durable: true })
  wave.board.worker(id, record)
  const { sessionId: session, sessionCwd: cwd, provider, metrics } = outcome.facts
  if (session && cwd) {
    const usage = metrics.sessionUsage ?? metrics.usage
    await rememberSession(wave.host, {
      session, provider, cwd, ...(usage ? { usage } : {}), ...(metrics.totalCostUsd === undefined ? {} : { costUsd: metrics.totalCostUsd }),
    })
  }
  return record
}
