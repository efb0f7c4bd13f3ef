/**
 * Settles a run whose runner died: finished logs are folded again from their first byte, a proved result counts (its exit was not
 * seen), and everything else is interrupted. Done once, by whoever opens the run first, and only when no process of it lives.
 */
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { Fail, systemCode } from '../base/fail.ts'
import { maskFor } from '../base/mask.ts'
import { changedAt, exists, readJson, readText } from '../io/files.ts'
import { gitRoot } from '../io/git.ts'
import type { Host } from '../io/host.ts'
import { lifeOf } from '../io/process/identity.ts'
import { withLock } from '../io/lock.ts'
import { withMarker } from '../io/process/marker.ts'
import { freshTable } from '../io/process/table.ts'
import { Budget } from '../model/budget.ts'
import { type Ended, recount, usageOfBudget } from '../model/ledger.ts'
import { type Ending, type Outcome, type OutcomeFacts, OutcomeRecord } from '../model/outcome.ts'
import type { State, WorkerEntry } from '../model/state.ts'
import type { Provider, Settled } from '../plugin/provider.ts'
import { Board } from './board.ts'
import { diffFacts, type GroundFacts } from './ground.ts'
import { stateFile, type WorkerFiles, workerFiles } from './layout.ts'
import { openOutput } from './output.ts'
import { readPlannedWorkers, type RecordedWorker } from './plan-record.ts'
import { type Recording, recordOutcome } from './record.ts'
import { taskOf } from './resolve.ts'
import { failedBy, settledFacts, warningsOf } from './settled.ts'
import { readRun, type RunView } from './view.ts'

/** A run as it was found, with a word on why it was not settled. */
export interface FoundRun { readonly view: RunView; readonly note?: string }

/** Settles an abandoned run and returns it as it is then; any other run comes back as it is. */
export async function settleAbandoned(host: Host, runDir: string, providers: () => Promise<ReadonlyMap<string, Provider>>): Promise<FoundRun> {
  const view = await readRun(runDir)
  if (!view.abandoned) return { view }
  if (await lives(view)) return { view, note: 'its runner is gone, but workers of it still live: `stop` ends them' }
  const known = await providers()
  const missing = [...new Set(view.workers.map(worker => worker.provider))].filter(id => !known.has(id))
  if (missing.length > 0) return { view, note: `its runner is gone; to settle it, name the plugin of ${missing.join(', ')} in ALETHE_PLUGIN_PATH` }
  try {
    await withLock(join(runDir, 'settle.lock'), async () => {
      const now = await readRun(runDir)
      if (now.abandoned) await settleAll(host, now, known)
    })
  } catch (error) {
    if (error instanceof Fail && error.problem.code === 'lock.busy') return { view, note: 'its runner is gone, and another command is settling it' }
    const code = systemCode(error)
    if (code === undefined) throw error
    return { view, note: `its runner is gone, and what its logs prove cannot be recorded in "${runDir}" (${code})` }
  }
  return { view: await readRun(runDir) }
}

/** Does anything of the run still live: a recorded worker, or whatever carries the run's marker? */
async function lives({ workers, state }: RunView): Promise<boolean> {
  if (workers.some(worker => worker.status === 'interrupted' && lifeOf(worker.process) === 'alive')) return true
  return state.runId !== undefined && (await withMarker(await freshTable(), `${state.runId}/`)).length > 0
}

async function settleAll(host: Host, view: RunView, providers: ReadonlyMap<string, Provider>): Promise<void> {
  const board = new Board(join(view.runDir, stateFile), view.state, () => undefined)
  const run: Abandoned = { host, folder: view.runDir, mask: maskFor(host.env), board, providers, planned: await readPlannedWorkers(view.runDir) }
  for (const entry of view.workers.filter(worker => worker.status === 'interrupted')) {
    const { outcome } = workerFiles(view.runDir, entry.id)
    const stored = await exists(outcome) ? await readJson(outcome, OutcomeRecord).catch(() => null) : null
    if (stored) board.ended(entry.id, stored)
    else await recordOutcome(run, ...await settledOf(run, entry))
  }
  const { budget } = view.state
  board.set({ status: 'interrupted', finishedAt: new Date(host.clock.now()).toISOString(), budgetUsage: await spentBy(board.state, view, v.is(Budget, budget) ? budget : {}) })
  await board.flush()
}

interface Abandoned extends Recording {
  readonly providers: ReadonlyMap<string, Provider>
  readonly planned: ReadonlyMap<string, RecordedWorker>
}

const neverBegun: Ending = { status: 'interrupted', error: 'Not started: the runner died before' }
const unproved: Ending = { status: 'interrupted', error: 'The runner died while this worker ran, and its log proves no result' }

/** One worker's outcome from what it left, and its answer. */
async function settledOf(run: Abandoned, entry: WorkerEntry): Promise<[Outcome, string]> {
  const files = workerFiles(run.folder, entry.id)
  const worker = run.planned.get(entry.id)
  const provider = run.providers.get(entry.provider)
  const now = new Date(run.host.clock.now()).toISOString()
  const cwd = entry.cwd ?? worker?.cwd ?? ''
  const bare: OutcomeFacts = { id: entry.id, provider: entry.provider, startedAt: now, finishedAt: now, durationSeconds: 0, cwd, metrics: {} }
  // The log tells whether it began: the last state may be half a second older.
  if (!worker || !provider || !await exists(files.stdout)) return [{ facts: bare, ending: neverBegun }, '']
  const prompt = await readText(files.prompt).catch(() => '')
  const task = taskOf({ ...worker, prompt, cliFacts: provider.assumed }, { folder: files.folder, cwd, timeoutSeconds: worker.timeoutSeconds })
  const answerFile = typeof entry['answerFile'] === 'string' ? basename(entry['answerFile']) : undefined
  const settled = await openOutput(provider, task, files).settle({ code: 'unseen', signal: null, ended: 'self', answerFile })
  const seen = await changesOf(run.folder, entry, cwd)
  const facts: OutcomeFacts = {
    ...bare, ...await timesOf(entry, files, bare), stdoutPath: files.stdout, stderrPath: files.stderr, ...settledFacts(settled, task), ...seen,
    ...warningsOf(settled.warnings, seen.warnings, seen.diffPath && !seen.worktree ? ['its diff may hold what others changed since the runner died'] : []),
  }
  return [{ facts, ending: endingOfLog(settled) }, settled.text]
}

/** What the log proves counts, be it good or bad; where it only breaks off, nobody knows. */
function endingOfLog({ verdict }: Settled): Ending {
  if (verdict.ok) return { status: 'succeeded' }
  const isProved = verdict.kind !== 'interrupted' && verdict.kind !== 'invalid_output' && verdict.kind !== 'no_result'
  return isProved ? failedBy(verdict) : unproved
}

/** It ran at least until it last printed something. */
async function timesOf({ startedAt }: WorkerEntry, files: WorkerFiles, { finishedAt: now }: OutcomeFacts): Promise<Pick<OutcomeFacts, 'startedAt' | 'finishedAt' | 'durationSeconds'>> {
  const changed = [await changedAt(files.stdout), await changedAt(files.stderr)].filter(time => time !== null)
  const finished = changed.length > 0 ? new Date(Math.max(...changed)).toISOString() : now
  const started = startedAt ?? finished
  return { startedAt: started, finishedAt: finished, durationSeconds: Math.max(0, Date.parse(finished) - Date.parse(started)) / 1000 }
}

async function changesOf(runFolder: string, { id, worktree, baseTree, baseCommit }: WorkerEntry, cwd: string): Promise<GroundFacts> {
  if (!baseTree || !baseCommit) return {}
  const base = { ...(worktree ? { worktree } : {}), baseTree, baseCommit }
  try {
    const root = worktree ?? await gitRoot(cwd)
    return { ...base, ...root === null ? {} : await diffFacts(runFolder, id, { root, ...base }) }
  } catch (error) {
    if (!(error instanceof Fail) && systemCode(error) === undefined) throw error
    return { ...base, diffError: error instanceof Error ? error.message : String(error) }
  }
}

/** What the run has used, counted again from its outcomes; a worker that reported no cost is charged with its cap. */
async function spentBy({ workers }: State, view: RunView, limits: Budget): Promise<Record<string, number>> {
  const caps = new Map(view.workers.map(worker => [worker.id, worker['capUsd']]))
  const ended = Object.values(workers).map((worker): Ended => {
    const cap = caps.get(worker.id)
    const { usage, totalCostUsd } = worker.metrics ?? {}
    return {
      started: worker.stdoutPath !== undefined, ...(usage ? { usage } : {}), ...(totalCostUsd === undefined ? {} : { costUsd: totalCostUsd }),
      ...(typeof cap === 'number' ? { capUsd: cap } : {}),
    }
  })
  const [begun, last] = [Date.parse(view.state.startedAt ?? ''), Math.max(...Object.values(workers).map(({ finishedAt = '' }) => Date.parse(finishedAt)))]
  return usageOfBudget(recount(limits, ended), Math.max(0, last - begun || 0) / 1000)
}
