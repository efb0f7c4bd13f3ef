/**
 * Reads a run as it is: what `state.json` says, corrected by whether its runner still lives. A damaged run is a `Fail` that
 * names its file; it hides no other run.
 */
import { join } from 'node:path'
import { readJson } from '../io/files.ts'
import { lifeOf } from '../io/process/identity.ts'
import { State, type WorkerEntry } from '../model/state.ts'
import { stateFile } from './layout.ts'

export interface RunView {
  readonly runDir: string
  readonly state: State
  /** Workers in the plan's order; those that a dead runner left are `interrupted`. */
  readonly workers: readonly WorkerEntry[]
  /** The runner is gone and the state was never closed. */
  readonly abandoned: boolean
  /** The runner's record does not say when it started, so it cannot be told from a stranger with its pid. */
  readonly unverifiable: boolean
}

export async function readRun(runDir: string): Promise<RunView> {
  const state = await readJson(join(runDir, stateFile), State)
  const life = state.status === 'running' ? lifeOf(state.runner ?? { pid: state['runnerPid'] }) : 'alive'
  const workers = Object.values(state.workers)
  if (life !== 'dead') return { runDir, state, workers, abandoned: false, unverifiable: life === 'unverifiable' }
  return {
    runDir, state: { ...state, status: 'interrupted' }, abandoned: true, unverifiable: false,
    workers: workers.map(worker => worker.status === 'running' || worker.status === 'queued' ? { ...worker, status: 'interrupted' } : worker),
  }
}
