/**
 * One wave: starts workers in order, at most so many at once, under the budget; ends them all when it is told to; leaves a state
 * that tells what happened whatever happens. Reads `STOP`; writes `plan.json`, `state.json` and the workers' folders.
 */
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { Fail, fail, systemCode } from '../base/fail.ts'
import { maskFor } from '../base/mask.ts'
import { baseEnv } from '../io/env.ts'
import { exists, writeWhole } from '../io/files.ts'
import type { Host } from '../io/host.ts'
import type { Identity } from '../io/process/identity.ts'
import { createSweeper } from '../io/process/sweep.ts'
import type { OutcomeRecord } from '../model/outcome.ts'
import { type State, stateVersion, type WaveState, waveStateOf } from '../model/state.ts'
import type { Provider } from '../plugin/provider.ts'
import { Account } from './account.ts'
import { Board } from './board.ts'
import { SnapshotQueue } from '../git/snapshot-queue.ts'
import { Sharing } from './sharing.ts'
import { type Pace, usualPace, type WaveContext, type WaveEvent } from './context.ts'
import { type Guard, startGuard } from './guard.ts'
import { stateFile, stopFile } from './layout.ts'
import { recordOutcome } from './record.ts'
import type { Resolved, ResolvedWorker } from './resolve.ts'
import { Ticker } from './ticker.ts'
import { runWorker, skippedRun, stoppedBefore, type WorkerRun } from './worker.ts'

/** Outcomes that may wait for the disk at once before new workers are held up. */
const pendingWrites = 32

export interface WaveResult {
  readonly status: WaveState
  readonly runDir: string
  readonly budget: Resolved['budget']
  readonly budgetUsage: Readonly<Record<string, number>>
  readonly workers: readonly OutcomeRecord[]
}

export interface WaveOptions {
  readonly host: Host
  /** Real path of the running command. */
  readonly entry: string
  readonly run: { readonly runId: string; readonly folder: string }
  readonly providers: ReadonlyMap<string, Provider>
  readonly signal: AbortSignal
  readonly emit: (event: WaveEvent) => void
  readonly pace?: Pace
}

/** The state of a wave that has not begun. */
export function firstState(host: Host, run: WaveOptions['run'], resolved: Resolved, runner: Identity): State {
  return {
    version: stateVersion, runId: run.runId, status: 'running', runnerPid: runner.pid, runner, runDir: run.folder,
    strategy: resolved.strategy, requestedStrategy: resolved.requestedStrategy, maxConcurrent: resolved.maxConcurrent,
    planPath: resolved.planPath, policyPath: resolved.policyPath, budget: resolved.budget,
    startedAt: new Date(host.clock.now()).toISOString(),
    workers: Object.fromEntries(resolved.workers.map(({ id, provider, cwd }) => [id, { id, provider, status: 'queued', cwd }])),
  }
}

/**
 * Runs the wave whose `plan.json` and first state are on disk.
 * @throws `Fail('run.no-space')` when its records could not be written; all workers are ended first
 */
export async function runWave(resolved: Resolved, state: State, options: WaveOptions): Promise<WaveResult> {
  const { host, run } = options
  const stopping = new AbortController()
  // Every running worker listens; Node warns of more than ten.
  setMaxListeners(0, stopping.signal)
  const faults: unknown[] = []
  const onFault = (error: unknown): void => {
    faults.push(error)
    stopping.abort()
  }
  const wave: WaveContext = {
    host, runId: run.runId, folder: run.folder, providers: options.providers,
    env: baseEnv(host.env, [...options.providers.values()].flatMap(provider => provider.parentEnv)),
    mask: maskFor(host.env), board: new Board(join(run.folder, stateFile), state, onFault), ticker: new Ticker(onFault),
    sweeper: createSweeper(run.runId), sharing: new Sharing(), snapshots: new SnapshotQueue([run.folder]),
    stop: stopping.signal, pace: options.pace ?? usualPace, emit: options.emit,
  }
  const stopPath = join(run.folder, stopFile)
  const leave = wave.ticker.add(async () => { if (await exists(stopPath)) stopping.abort() })
  const onSignal = (): void => { stopping.abort() }
  options.signal.addEventListener('abort', onSignal)
  if (options.signal.aborted) onSignal()
  let guard: Guard | undefined
  try {
    guard = startGuard(host, options.entry, run)
    const records = await runAll(resolved, wave, onFault)
    await wave.sweeper.rest()
    if (faults.length > 0) throw faults[0]
    return await close(resolved, wave, records, options.signal)
  } catch (error) {
    throw faultOf(error, run.folder)
  } finally {
    options.signal.removeEventListener('abort', onSignal)
    leave()
    await guard?.release()
  }
}

async function runAll(resolved: Resolved, wave: WaveContext, onFault: (error: unknown) => void): Promise<Map<string, OutcomeRecord>> {
  const begun = wave.host.clock.monotonic()
  const queue = [...resolved.workers]
  const account = new Account(resolved.budget, wave.stop)
  const records = new Map<string, OutcomeRecord>()
  const writes = new Set<Promise<void>>()
  const slot = async (): Promise<void> => {
    for (let worker = queue.shift(); worker; worker = queue.shift()) {
      const run = await runOne({ resolved, wave, account, begun }, worker, queue.length + 1)
      wave.board.set({ budgetUsage: account.usage(secondsSince(wave, begun)) })
      const write = keep(wave, run, records).catch(onFault).finally(() => writes.delete(write))
      writes.add(write)
      if (writes.size >= pendingWrites) await Promise.race(writes)
    }
  }
  const slots = Array.from({ length: Math.min(resolved.maxConcurrent, queue.length) }, () => slot().catch(onFault))
  await Promise.all(slots)
  await Promise.all(writes)
  wave.board.set({ budgetUsage: account.usage(secondsSince(wave, begun)) })
  return records
}

const secondsSince = (wave: WaveContext, begun: number): number => (wave.host.clock.monotonic() - begun) / 1000

async function keep(wave: WaveContext, run: WorkerRun, records: Map<string, OutcomeRecord>): Promise<void> {
  try {
    const record = await recordOutcome(wave, run.outcome, run.text)
    records.set(record.id, record)
    wave.emit({ event: 'ended', worker: record.id, status: record.status, ...(record.error ? { error: record.error } : {}) })
  } finally {
    await run.release()
  }
}

interface Going { readonly resolved: Resolved; readonly wave: WaveContext; readonly account: Account; /** By the monotonic clock. */ readonly begun: number }

async function runOne({ resolved, wave, account, begun }: Going, worker: ResolvedWorker, waiting: number): Promise<WorkerRun> {
  const isStopped = (): boolean => wave.stop.aborted
  if (isStopped()) return skippedRun(wave, worker, stoppedBefore)
  const admission = await account.admit(running => ({
    id: worker.id, canCap: worker.capsCost, elapsedSeconds: secondsSince(wave, begun), slots: Math.min(resolved.maxConcurrent, waiting + running) - running,
    ...(worker.costCapUsd === undefined ? {} : { costCapUsd: worker.costCapUsd }),
  }))
  if (!admission.ok) {
    return skippedRun(wave, worker, isStopped() ? stoppedBefore : { status: 'skipped', kind: 'budget', error: `Not started: ${admission.reason}` })
  }
  const wall = resolved.budget.maxWallSeconds
  const run = await runWorker(wave, worker, {
    ...(admission.capUsd === undefined ? {} : { capUsd: admission.capUsd }), ...(wall === undefined ? {} : { deadlineMs: begun + wall * 1000 }),
  })
  const { usage, costUsd } = run.settled ?? {}
  account.settle(worker.id, { started: run.started, ...(usage ? { usage } : {}), ...(costUsd === undefined ? {} : { costUsd }) })
  return run
}

function recordOf(records: ReadonlyMap<string, OutcomeRecord>, id: string): OutcomeRecord {
  const record = records.get(id)
  if (!record) throw new Error(`Worker "${id}" has no outcome`)
  return record
}

async function close(resolved: Resolved, wave: WaveContext, records: ReadonlyMap<string, OutcomeRecord>, signal: AbortSignal): Promise<WaveResult> {
  const workers = resolved.workers.map(({ id }) => recordOf(records, id))
  const stopped = workers.some(record => record.failureKind === 'stopped')
  const status = signal.aborted ? 'interrupted' : stopped ? 'stopped' : waveStateOf(workers.map(record => record.status))
  wave.board.set({ status, finishedAt: new Date(wave.host.clock.now()).toISOString() })
  if (signal.aborted) await writeWhole(join(wave.folder, stopFile), '')
  await wave.board.flush()
  const usage = wave.board.state.budgetUsage ?? {}
  return {
    status, runDir: wave.folder, budget: resolved.budget, workers,
    budgetUsage: Object.fromEntries(Object.entries(usage).filter((entry): entry is [string, number] => entry[1] !== null)),
  }
}

/** What a fault that ended the wave is called: a full disk is foreseen, anything else is a bug and keeps its stack. */
function faultOf(fault: unknown, folder: string): unknown {
  const code = systemCode(fault)
  if (fault instanceof Fail || (code !== 'ENOSPC' && code !== 'EDQUOT')) return fault
  return fail('run.no-space', `Cannot record the run in "${folder}": no space is left (${code}); all workers were ended`, { hint: `free some space, then \`status "${folder}"\`` })
}
