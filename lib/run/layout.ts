/** Names of everything inside a run folder, each in one place, and of a run's workers among the processes. */
import { join } from 'node:path'

export const stopFile = 'STOP'
export const stateFile = 'state.json'
export const planFile = 'plan.json'
export const runnerStdout = 'runner.stdout.log'
export const runnerStderr = 'runner.stderr.log'

/** What a worker's processes carry in their environment. */
export const markerOf = (runId: string, id: string): string => `${runId}/${id}`

/** The files of one worker, as absolute paths. */
export interface WorkerFiles {
  readonly folder: string
  readonly prompt: string
  readonly stdout: string
  readonly stderr: string
  readonly outcome: string
  readonly result: string
  readonly status: string
  readonly diff: string
}

export const workerFolder = (runFolder: string, id: string): string => join(runFolder, 'workers', id)

export function workerFiles(runFolder: string, id: string): WorkerFiles {
  const folder = workerFolder(runFolder, id)
  return {
    folder,
    prompt: join(folder, 'prompt.txt'),
    stdout: join(folder, 'stdout.log'),
    stderr: join(folder, 'stderr.log'),
    outcome: join(folder, 'outcome.json'),
    result: join(folder, 'result.md'),
    status: join(folder, 'status.txt'),
    diff: join(folder, 'diff.patch'),
  }
}
