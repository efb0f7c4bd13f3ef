/**
 * Settles a run whose runner died: finished logs are folded again from their first byte, a proved result counts (its exit was not
 * seen), and everything else is interrupted. Done once, by whoever opens the run first, and only when no process of it lives.
 */
import { join } from 'node:path'
import { Fail, systemCode } from '../base/fail.ts'
import { maskFor } from '../base/mask.ts'
import { exists, readJson, readText, tailOf } from '../io/files.ts'
import { Follower } from '../io/follow.ts'
import type { Host } from '../io/host.ts'
import { lifeOf } from '../io/process/identity.ts'
import { withLock } from '../io/lock.ts'
import { withMarker } from '../io/process/marker.ts'
import { freshTable } from '../io/process/table.ts'
import type { Outcome, OutcomeFacts } from '../model/outcome.ts'
import { OutcomeRecord } from '../model/outcome.ts'
import type { WorkerEntry } from '../model/state.ts'
import type { ExitFacts, Provider, Settled } from '../plugin/provider.ts'
import { Board } from './board.ts'
import { captureDiff } from '../git/diff.ts'
import { stateFile, workerFiles } from './layout.ts'
import { readPlannedWorkers, type RecordedWorker } from './plan-record.ts'
import { settledBy } from './plugin-calls.ts'
import { recordOutcome } from './record.ts'
import { readRun, type RunView } from './view.ts'
import { settledFacts } from './worker.ts'
import { taskOf } from './resolve.ts'

const stderrTail = 64 * 1024

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
  const wave = { host, folder: view.runDir, mask: maskFor(host.env), board }
  const planned = await readPlannedWorkers(view.runDir)
  for (const entry of view.workers.filter(worker => worker.status === 'interrupted')) {
    const files = workerFiles(view.runDir, entry.id)
    const stored = await exists(files.outcome) ? await readJson(files.outcome, OutcomeRecord).catch(() => null) : null
    const worker = planned.get(entry.id)
    const provider = providers.get(entry.provider)
    if (stored) board.worker(entry.id, stored)
    // The log tells whether it began: the last state may be half a second older.
    else if (!worker || !provider || !await exists(files.stdout)) board.worker(entry.id, { status: 'interrupted' })
    else await settleOne(wave, view, entry, worker, provider)
  }
  board.set({ status: 'interrupted', finishedAt: new Date(host.clock.now()).toISOString() })
  await board.flush()
}

async function settleOne(wave: Parameters<typeof recordOutcome>[0], view: RunView, entry: WorkerEntry, worker: RecordedWorker, provider: Provider): Promise<void> {
  const files = workerFiles(view.runDir, entry.id)
  const prompt = await readText(files.prompt).catch(() => '')
  const cwd = entry.cwd ?? worker.cwd
  const task = taskOf({ ...worker, prompt, launch: null, cliFacts: provider.assumed }, { folder: files.folder, cwd, timeoutSeconds: worker.timeoutSeconds })
  const reader = provider.read(task)
  let cutLine: number | undefined
  const follower = new Follower(files.stdout, { line: line => { reader.line(line) }, cut: length => { cutLine = length } })
  await follower.finish()
  const exit: ExitFacts = {
    code: 'unseen', signal: null, ended: 'self', stderrTail: await tailOf(files.stderr, stderrTail), ...(cutLine === undefined ? {} : { cutLine }),
  }
  const settled = settledBy(provider.id, () => reader.settle(exit))
  const now = new Date(wave.host.clock.now()).toISOString()
  const facts: OutcomeFacts = {
    id: entry.id, provider: entry.provider, startedAt: entry.startedAt ?? now, finishedAt: now, durationSeconds: 0, cwd,
    stdoutPath: files.stdout, stderrPath: files.stderr, metrics: {}, ...settledFacts(settled, task), ...await worktreeFacts(entry, files),
  }
  await recordOutcome(wave, outcomeOf(facts, settled), settled.text)
}

const outcomeOf = (facts: OutcomeFacts, settled: Settled): Outcome => ({
  facts,
  ending: settled.verdict.ok ? { status: 'succeeded' } : { status: 'interrupted', error: 'The runner died while this worker ran, and its log proves no result' },
})

async function worktreeFacts(entry: WorkerEntry, files: ReturnType<typeof workerFiles>): Promise<Partial<OutcomeFacts>> {
  const { worktree, baseTree, baseCommit } = entry
  if (!worktree || !baseTree || !baseCommit) return {}
  try {
    const report = await captureDiff({ root: worktree, baseTree, baseCommit, out: files.diff, statusOut: files.status })
    return { worktree, baseTree, baseCommit, ...(report.patch ? { diffPath: report.patch } : {}), ...(report.error ? { diffError: report.error } : {}) }
  } catch (error) {
    if (!(error instanceof Fail)) throw error
    return { worktree, baseTree, baseCommit, diffError: error.message }
  }
}
