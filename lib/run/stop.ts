/**
 * Ends a run: asks its runner first, then ends what is left of its workers by identity and by the run's marker. The guard does the
 * second part alone when a runner was killed.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { Fail, fail, systemCode } from '../base/fail.ts'
import { endMarked, endProcess } from '../io/process/ending.ts'
import type { Clock } from '../io/clock.ts'
import { writeWhole } from '../io/files.ts'
import type { Host } from '../io/host.ts'
import { Identity, lifeOf, mayBeSignalled } from '../io/process/identity.ts'
import type { WorkerEntry } from '../model/state.ts'
import { runIdOf } from './home.ts'
import { markerOf, stopFile } from './layout.ts'
import { readRun, type RunView } from './view.ts'

/** A living runner gets this long to end its workers in order: their own signals, TERM, KILL, and the records. */
const runnerWaitMs = 30_000
const lookEveryMs = 100

export interface Stopped {
  readonly runDir: string
  /** The run had ended before. */
  readonly wasOver: boolean
  /** Recorded processes ended here, after or instead of the runner. */
  readonly ended: number
  /** Recorded as living and not signalled: they cannot be told from strangers, or are this process or one that it runs in. */
  readonly unverifiable: readonly string[]
}

/**
 * Stops a run and everything it started.
 * @throws `Fail('stop.survivors')` naming what could not be ended, `Fail('run.unreadable')` for a damaged state
 */
export async function stopRun({ clock }: Pick<Host, 'clock'>, runDir: string): Promise<Stopped> {
  const before = await readRun(runDir).catch((fault: unknown) => endUnread(runDir, fault))
  const wasOver = before.state.status !== 'running' && !before.abandoned
  if (!wasOver) {
    await askToStop(runDir)
    await runnerGone(clock, runDir)
  }
  const view = await readRun(runDir)
  const left = await endLeftovers(view, idOf(view))
  refuseSurvivors(runDir, left.survivors)
  return { runDir, wasOver, ended: left.ended, unverifiable: unverifiableIn(view) }
}

/** An empty file needs no space, so a run can be stopped on a full disk too. */
async function askToStop(runDir: string): Promise<void> {
  const path = join(runDir, stopFile)
  try {
    await writeWhole(path, '')
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw fail('run.unwritable', `Cannot ask the runner of "${runDir}" to stop: "${path}" cannot be written (${code})`, { hint: `make "${runDir}" writable, then stop again` })
  }
}

async function runnerGone(clock: Clock, runDir: string): Promise<void> {
  const deadline = clock.monotonic() + runnerWaitMs
  while (clock.monotonic() < deadline) {
    const { state, abandoned, unverifiable } = await readRun(runDir)
    if (state.status !== 'running' || abandoned || unverifiable) return
    await pause(lookEveryMs)
  }
  // It hangs or was suspended: its workers are ended below, and it must not go on by itself later.
  const { state } = await readRun(runDir)
  if (v.is(Identity, state.runner)) refuseSurvivors(runDir, (await endProcess(state.runner, { signals: [], termGraceMs: 1_000 })).survivors)
}

/** A run whose state cannot be read still has its marker: what carries it is ended, then the fault is told. */
async function endUnread(runDir: string, fault: unknown): Promise<never> {
  const runId = runIdOf(runDir)
  if (!(fault instanceof Fail) || runId === undefined) throw fault
  await askToStop(runDir)
  refuseSurvivors(runDir, (await endMarked(`${runId}/`)).survivors)
  throw new Fail({ ...fault.problem, message: `${fault.problem.message}; processes that carry the run's marker were ended` })
}

function refuseSurvivors(runDir: string, survivors: readonly Identity[]): void {
  if (survivors.length === 0) return
  throw fail('stop.survivors', `Cannot end ${survivors.length} processes of "${runDir}": ${survivors.map(each => each.pid).join(', ')}`, {
    hint: 'look at them with ps; they may belong to another user or wait for a device', facts: { survivors },
  })
}

const idOf = ({ state, runDir }: RunView): string | undefined => state.runId ?? runIdOf(runDir)

export interface Leftovers { readonly ended: number; readonly survivors: readonly Identity[] }

/** Ends every process that a run left: recorded workers that still live, and whatever carries the run's marker. */
export async function endLeftovers(view: Pick<RunView, 'workers'>, runId: string | undefined): Promise<Leftovers> {
  const recorded = view.workers.flatMap(worker => livingOf(worker))
  const first = await Promise.all(recorded.map(({ identity, worker }) => endProcess(identity, {
    signals: signalsOf(worker), ...(runId ? { marker: markerOf(runId, worker.id) } : {}),
  })))
  const strays = runId ? await endMarked(`${runId}/`) : { survivors: [] }
  const survivors = [...new Map([...first, strays].flatMap(each => each.survivors).map(each => [each.pid, each])).values()]
  return { ended: recorded.length, survivors }
}

const livingOf = (worker: WorkerEntry): { identity: Identity; worker: WorkerEntry }[] =>
  v.is(Identity, worker.process) && lifeOf(worker.process) === 'alive' && mayBeSignalled(worker.process.pid) ? [{ identity: worker.process, worker }] : []

/** What a run records as living and what was not signalled all the same. */
const unverifiableIn = ({ workers, unverifiable }: RunView): string[] => [
  ...(unverifiable ? ['the runner'] : []),
  ...workers.filter(worker => (worker.status === 'running' || worker.status === 'interrupted') && worker.process !== undefined
    && lifeOf(worker.process) !== 'dead' && livingOf(worker).length === 0).map(worker => worker.id),
]

/** Only names that Node knows as signals are sent, whatever the file says. */
const signalsOf = (worker: WorkerEntry): NodeJS.Signals[] =>
  (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const).filter(signal => worker.stopSignals?.includes(signal))
