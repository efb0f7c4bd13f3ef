/**
 * Ends a run: asks its runner first, then ends what is left of its workers by identity and by the run's marker. The guard does the
 * second part alone when a runner was killed.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { fail } from '../base/fail.ts'
import { endMarked, endProcess } from '../io/ending.ts'
import type { Clock } from '../io/clock.ts'
import { writeWhole } from '../io/files.ts'
import type { Host } from '../io/host.ts'
import { Identity, lifeOf } from '../io/identity.ts'
import type { WorkerEntry } from '../model/state.ts'
import { runIdOf } from './home.ts'
import { stopFile } from './layout.ts'
import { readRun, type RunView } from './view.ts'
import { markerOf } from './worker.ts'

/** A living runner gets this long to end its workers in order: their own signals, TERM, KILL, and the records. */
const runnerWaitMs = 30_000
const lookEveryMs = 100

export interface Stopped {
  readonly runDir: string
  /** The run had ended before. */
  readonly wasOver: boolean
  /** Processes ended here, after or instead of the runner. */
  readonly ended: number
  readonly unverifiable: readonly string[]
}

/**
 * Stops a run and everything it started.
 * @throws `Fail('stop.survivors')` naming what could not be ended
 */
export async function stopRun({ clock }: Pick<Host, 'clock'>, runDir: string): Promise<Stopped> {
  const before = await readRun(runDir)
  const wasOver = before.state.status !== 'running' && !before.abandoned
  if (!wasOver) {
    await writeWhole(join(runDir, stopFile), 'stop\n')
    await runnerGone(clock, runDir)
  }
  const left = await endLeftovers(runDir)
  if (left.survivors.length > 0) {
    throw fail('stop.survivors', `Cannot end ${left.survivors.length} processes of "${runDir}": ${left.survivors.map(each => each.pid).join(', ')}`, {
      hint: 'look at them with ps; they may belong to another user or wait for a device', facts: { survivors: left.survivors },
    })
  }
  return { runDir, wasOver, ended: left.ended, unverifiable: left.unverifiable }
}

async function runnerGone(clock: Clock, runDir: string): Promise<void> {
  const deadline = clock.monotonic() + runnerWaitMs
  while (clock.monotonic() < deadline) {
    const { state, abandoned, unverifiable } = await readRun(runDir)
    if (state.status !== 'running' || abandoned || unverifiable) return
    await pause(lookEveryMs)
  }
}

export interface Leftovers { readonly ended: number; readonly survivors: readonly Identity[]; readonly unverifiable: readonly string[] }

/** Ends every process that a run left: recorded workers that still live, and whatever carries the run's marker. */
export async function endLeftovers(runDir: string): Promise<Leftovers> {
  const view = await readRun(runDir)
  const runId = view.state.runId ?? runIdOf(runDir)
  const recorded = view.workers.flatMap(worker => livingOf(worker))
  const first = await Promise.all(recorded.map(({ identity, worker }) => endProcess(identity, {
    signals: signalsOf(worker), ...(runId ? { marker: markerOf(runId, worker.id) } : {}),
  })))
  const strays = runId ? await endMarked(`${runId}/`) : { survivors: [] }
  const survivors = [...new Map([...first, strays].flatMap(each => each.survivors).map(each => [each.pid, each])).values()]
  return { ended: recorded.length, survivors, unverifiable: unverifiableIn(view) }
}

const livingOf = (worker: WorkerEntry): { identity: Identity; worker: WorkerEntry }[] =>
  v.is(Identity, worker.process) && lifeOf(worker.process) === 'alive' ? [{ identity: worker.process, worker }] : []

/** Records that name a pid without saying when it started: they are reported and never signalled. */
const unverifiableIn = ({ workers, state }: RunView): string[] => [
  ...(state.status === 'running' && state.runner === undefined && lifeOf({ pid: state['runnerPid'] }) === 'unverifiable' ? ['the runner'] : []),
  ...workers.filter(worker => worker.status === 'interrupted' && worker.process !== undefined && lifeOf(worker.process) === 'unverifiable').map(worker => worker.id),
]

/** Only names that Node knows as signals are sent, whatever the file says. */
const signalsOf = (worker: WorkerEntry): NodeJS.Signals[] =>
  (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const).filter(signal => worker.stopSignals?.includes(signal))
