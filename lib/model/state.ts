/** `state.json` of a wave: what is running and what has ended. It can be rebuilt from the workers' outcomes. */
import * as v from 'valibot'
import { OutcomeRecord } from './outcome.ts'

export const stateVersion = 1

export const workerStates = ['queued', 'running', 'succeeded', 'failed', 'timed_out', 'stopped', 'skipped', 'interrupted'] as const
export const waveStates = ['running', 'done', 'partial', 'failed', 'stopped', 'interrupted'] as const
export type WorkerState = typeof workerStates[number]
export type WaveState = typeof waveStates[number]

/**
 * A worker's entry: a few fields while it waits or runs, its whole outcome record once it has ended.
 * A stored process identity is judged by `lifeOf`, so any content is let through here.
 */
export const WorkerEntry = v.looseObject({
  ...v.partial(OutcomeRecord).entries,
  id: v.string(),
  provider: v.string(),
  status: v.picklist(workerStates),
  process: v.exactOptional(v.unknown()),
  stopSignals: v.exactOptional(v.array(v.string())),
  idleSeconds: v.exactOptional(v.number()),
})
export type WorkerEntry = v.InferOutput<typeof WorkerEntry>

export const State = v.looseObject({
  version: v.literal(stateVersion),
  runId: v.exactOptional(v.string()),
  status: v.picklist(waveStates),
  runner: v.exactOptional(v.unknown()),
  runDir: v.exactOptional(v.string()),
  startedAt: v.exactOptional(v.string()),
  finishedAt: v.exactOptional(v.nullable(v.string())),
  budgetUsage: v.exactOptional(v.record(v.string(), v.nullable(v.number()))),
  workers: v.record(v.string(), WorkerEntry),
})
export type State = v.InferOutput<typeof State>

/** The wave's word from its workers': done only when all succeeded. */
export function waveStateOf(statuses: readonly WorkerState[]): WaveState {
  if (statuses.some(status => status === 'queued' || status === 'running')) return 'running'
  if (statuses.includes('interrupted')) return 'interrupted'
  if (statuses.includes('stopped')) return 'stopped'
  const succeeded = statuses.filter(status => status === 'succeeded').length
  return succeeded === statuses.length ? 'done' : succeeded > 0 ? 'partial' : 'failed'
}
