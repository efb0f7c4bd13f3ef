/** Runs one test file as a process of its own group, with closed stdin and a time limit, and sweeps what it leaves behind. */
import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './room.ts'
import { type Stray, sweepStrays } from './strays.ts'

/** How a test file ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  /** It ran past the limit and was ended. */
  readonly overtime: boolean
  readonly strays: readonly Stray[]
  readonly ms: number
}

const repository = join(import.meta.dirname, '../..')

/** Runs `file`; never rejects for what the file does. Ends it when `stop` fires. */
export async function runTestFile(file: string, place: Place, limitMs: number, stop: AbortSignal): Promise<Ended> {
  const begun = performance.now()
  await using output = await open(place.output, 'a')
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: repository, env: { ...place.env }, detached: true, stdio: ['ignore', output.fd, output.fd],
  })
  const group = child.pid
  if (group === undefined) throw new Error(`Cannot start ${process.execPath}`)
  let overtime = false
  const end = (): void => { if (child.exitCode === null && child.signalCode === null) process.kill(-group, 'SIGKILL') }
  const timer = setTimeout(() => {
    overtime = true
    end()
  }, limitMs)
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  // Not `close`: what the file left behind may hold its output open.
  const { code, signal } = await new Promise<Pick<Ended, 'code' | 'signal'>>(done => {
    child.once('exit', (code, signal) => { done({ code, signal }) })
  })
  clearTimeout(timer)
  stop.removeEventListener('abort', end)
  return { code, signal, overtime, strays: await sweepStrays(group, place.folder), ms: performance.now() - begun }
}
