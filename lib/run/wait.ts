/** Waits for a run and shows it as it is; whoever opens a run whose runner died settles it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../io/host.ts'
import type { State, WaveState, WorkerEntry } from '../model/state.ts'
import { discoverProviders } from './discover.ts'
import { settleAbandoned } from './recover.ts'
import { type Stopped, stopRun } from './stop.ts'
import { readRun, type RunView } from './view.ts'

const lookEveryMs = 200

/** A run as `wait` and `status` print it. */
export interface SeenRun {
  readonly status: WaveState
  /** The run has ended. */
  readonly done: boolean
  readonly runDir: string
  readonly elapsedSeconds?: number
  readonly budgetUsage?: State['budgetUsage']
  readonly workers: readonly WorkerEntry[]
  readonly notes?: readonly string[]
}

export interface Waiting { readonly host: Host; readonly entry: string; readonly signal: AbortSignal }

/** Looks until the run has ended or `timeoutMs` are over. Plugins are loaded only to settle a run whose runner died. */
export async function waitForRun({ host, entry, signal }: Waiting, runDir: string, timeoutMs: number): Promise<SeenRun> {
  const deadline = host.clock.monotonic() + timeoutMs
  for (;;) {
    const view = await readRun(runDir)
    const left = deadline - host.clock.monotonic()
    if (view.state.status !== 'running' || left <= 0) return seen(host, await settled(host, entry, view))
    await pause(Math.min(lookEveryMs, left), undefined, { signal })
  }
}

const settled = (host: Host, entry: string, view: RunView): Promise<RunView> | RunView =>
  view.abandoned ? settleAbandoned(host, view.runDir, async () => new Map((await discoverProviders(host, entry)).found.map(({ provider }) => [provider.id, provider]))) : view

function seen(host: Host, { state, workers, runDir, unverifiable, abandoned }: RunView): SeenRun {
  const begun = Date.parse(state.startedAt ?? '')
  const ended = state.status === 'running' ? host.clock.now() : Date.parse(state.finishedAt ?? '')
  const elapsed = Math.round((ended - begun) / 1000)
  const notes = [
    ...(unverifiable ? ['the record does not say when its runner started, so it cannot be told whether it still lives'] : []),
    ...(abandoned ? ['its runner is gone, but workers of it still live: `stop` ends them'] : []),
  ]
  return {
    status: state.status, done: state.status !== 'running', runDir, workers,
    ...(Number.isNaN(elapsed) ? {} : { elapsedSeconds: Math.max(0, elapsed) }),
    ...(state.budgetUsage ? { budgetUsage: state.budgetUsage } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

/** `stop`: ends the run, settles what its runner could not, and shows what it acted on. @throws `Fail('stop.survivors')` */
export async function stopAndSettle(host: Host, entry: string, runDir: string): Promise<Stopped & Pick<SeenRun, 'status'>> {
  const stopped = await stopRun(host, runDir)
  const view = await settled(host, entry, await readRun(runDir))
  return { ...stopped, status: view.state.status }
}
