/** Waits for a run and shows it as it is; whoever opens a run whose runner died settles it. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Fail } from '../base/fail.ts'
import { cleanLine } from '../base/text.ts'
import type { Host } from '../io/host.ts'
import type { State, WaveState, WorkerEntry } from '../model/state.ts'
import { tailOf } from '../io/files.ts'
import { findRun, knownRuns, pluginsOf, projectRuns } from './home.ts'
import { runnerStderr } from './layout.ts'
import type { FoundRun } from './recover.ts'
import { type Stopped, stopRun } from './stop.ts'
import { readRun, type RunView } from './view.ts'

const lookEveryMs = 200
const lastWordsBytes = 4096

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

/**
 * Looks until a run has ended or `timeoutMs` are over. Plugins are loaded only to settle a run whose runner died.
 * @param named the run's folder; without it the newest run that can be read, with a note on a newer one that cannot
 */
export async function waitForRun({ host, entry, signal }: Waiting, named: string | undefined, timeoutMs: number): Promise<SeenRun> {
  const deadline = host.clock.monotonic() + timeoutMs
  const { runDir, notes } = named === undefined ? await newestReadable(host) : { runDir: await findRun(host, named), notes: [] }
  for (;;) {
    const view = await readRun(runDir)
    const left = deadline - host.clock.monotonic()
    if (view.state.status !== 'running' || left <= 0) return seen(host, await settled(host, entry, view), [...notes, ...await lastWords(view)])
    await pause(Math.min(lookEveryMs, left), undefined, { signal })
  }
}

/** Why a runner of its own gave up, as it said itself. */
async function lastWords({ state, runDir }: RunView): Promise<string[]> {
  if (state.status !== 'interrupted') return []
  const said = (await tailOf(join(runDir, runnerStderr), lastWordsBytes)).split('\n').find(line => line.startsWith('error: '))
  return said ? [`its runner said: ${cleanLine(said)}`] : []
}

/** A damaged run must not hide the others. When all are damaged, the newest is the fault. */
async function newestReadable(host: Host): Promise<{ readonly runDir: string; readonly notes: readonly string[] }> {
  const faults: Fail[] = []
  for await (const known of knownRuns(host)) {
    try {
      const runDir = await findRun(host, known)
      await readRun(runDir)
      return { runDir, notes: faults.slice(0, 1).map(fault => `a newer run is passed over: ${fault.message}`) }
    } catch (error) {
      if (!(error instanceof Fail)) throw error
      faults.push(error)
    }
  }
  const [newest] = faults
  if (newest) throw newest
  return { runDir: await findRun(host), notes: [] }
}

/** What settles a run is most of our code, and rarely needed where a run is only looked at: it is loaded then. */
async function settled(host: Host, entry: string, view: RunView): Promise<FoundRun> {
  if (!view.abandoned) return { view }
  const [{ discoverProviders }, { settleAbandoned }] = await Promise.all([import('./discover.ts'), import('./recover.ts')])
  return settleAbandoned(host, view.runDir, async () => new Map((await discoverProviders(host, entry, await pluginsOf(host, view.runDir))).found.map(({ provider }) => [provider.id, provider])))
}

function seen(host: Host, { view, note }: FoundRun, notes: readonly string[]): SeenRun {
  const { state, workers, runDir, unverifiable } = view
  const begun = Date.parse(state.startedAt ?? '')
  const ended = state.status === 'running' ? host.clock.now() : Date.parse(state.finishedAt ?? '')
  const elapsed = Math.round((ended - begun) / 1000)
  const all = [
    ...notes, ...(note ? [note] : []),
    ...(unverifiable ? ['the record does not say when its runner started, so it cannot be told whether it still lives'] : []),
  ]
  return {
    status: state.status, done: state.status !== 'running', runDir, workers,
    ...(Number.isNaN(elapsed) ? {} : { elapsedSeconds: Math.max(0, elapsed) }),
    ...(state.budgetUsage ? { budgetUsage: state.budgetUsage } : {}),
    ...(all.length > 0 ? { notes: all } : {}),
  }
}

/**
 * `stop`: ends the run, settles what its runner could not, and shows what it acted on.
 * @param named the run's folder; without it the newest of this project that still goes, else the newest
 * @throws `Fail('stop.survivors')`
 */
export async function stopAndSettle(host: Host, entry: string, named?: string): Promise<Stopped & Pick<SeenRun, 'status'>> {
  const runDir = await findRun(host, named ?? await newestGoing(host))
  const stopped = await stopRun(host, runDir)
  const { view } = await settled(host, entry, await readRun(runDir))
  return { ...stopped, status: view.state.status }
}

/** A run that was damaged, or ended, is none to stop as long as another one goes. */
async function newestGoing(host: Host): Promise<string | undefined> {
  for await (const folder of projectRuns(host)) {
    const view = await readRun(folder).catch((error: unknown) => {
      if (error instanceof Fail) return null
      throw error
    })
    if (view?.state.status === 'running' || view?.abandoned) return folder
  }
  return undefined
}
