/** Starts waves: here, or by a runner of its own, in one order of checks: the mark of a worker, the plan, the folder, then the start. */
import { fail } from '../base/fail.ts'
import type { Host } from '../io/host.ts'
import { readStdin } from '../io/stdin.ts'
import { parseJson } from '../io/files.ts'
import type { WaveEvent } from './context.ts'
import type { Started } from './open.ts'
import { preparePlan, refuseInsideWorker, setUp } from './setup.ts'
import type { WaveResult } from './wave.ts'

export interface Launcher {
  readonly host: Host
  /** Real path of the running command. */
  readonly entry: string
  readonly signal: AbortSignal
  readonly emit: (event: WaveEvent) => void
}

export interface LaunchOptions {
  readonly detach: boolean
  readonly runDir?: string
  readonly policy?: string
  readonly strategy?: string
  readonly overPolicy: boolean
  readonly plugin?: readonly string[]
}

/** Runs a plan's wave, or hands it to a detached runner. @throws Fail before anything was started; also the signal's reason */
export async function launchWave(launcher: Launcher, planPath: string, options: LaunchOptions): Promise<WaveResult | Started> {
  const { host, entry, signal } = launcher
  refuseInsideWorker(host)
  const setup = await setUp(host, entry, options.plugin)
  const resolved = await preparePlan(host, setup, planPath, options)
  // Told to end while the plan was looked at: nothing has begun, so nothing begins.
  signal.throwIfAborted()
  const [{ beginHere, detach, openRun }, { runWave }] = await waves()
  const run = await openRun(host, resolved, setup.providers, { runDir: options.runDir, plugins: options.plugin })
  if (options.detach) return detach(host, entry, { resolved, run, plugins: [...options.plugin ?? []] })
  return runWave(resolved, await beginHere(host, resolved, run), { ...launcher, run, providers: setup.providers })
}

/** Loaded when a plan was found to be good: this is most of our code. */
const waves = () => Promise.all([import('./open.ts'), import('./wave.ts')])

/** What a detached runner does: waits for the handover on stdin and runs it. */
export async function runHandedOver(launcher: Launcher): Promise<WaveResult> {
  refuseInsideWorker(launcher.host)
  const [{ Handover }, { runWave }] = await waves()
  const handover = parseJson(Handover, await readStdin())
  if (!handover) throw fail('run.start-failed', 'Cannot run: no plan was handed over, so whoever started this runner is gone', { hint: 'run PLAN --detach' })
  const { resolved, run, state, plugins } = handover
  const { providers } = await setUp(launcher.host, launcher.entry, plugins)
  return runWave(resolved, state, { ...launcher, run, providers })
}
