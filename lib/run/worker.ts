/**
 * One worker from start to outcome. A foreseen failure (no worktree, no program, a refused session) becomes a failed outcome and
 * stops nobody else; only a fault of ours or a full disk rejects.
 */
import { Fail, systemCode } from '../base/fail.ts'
import { makeFolder } from '../io/files.ts'
import { discardWorktree } from '../git/worktree.ts'
import type { Ending, Outcome, OutcomeFacts } from '../model/outcome.ts'
import type { Settled } from '../plugin/provider.ts'
import { providerOf, type WaveContext } from './context.ts'
import { type Ground, type GroundFacts, prepareGround, readGround } from './ground.ts'
import { markerOf, workerFiles } from './layout.ts'
import { openOutput } from './output.ts'
import { ofPlugin } from './plugin-calls.ts'
import { type Done, perform } from './perform.ts'
import { type ResolvedWorker, taskOf } from './resolve.ts'
import { holdSession, sessionOf } from './sessions.ts'
import { endingOf, settledFacts, warningsOf } from './settled.ts'

export interface Allowance { readonly capUsd?: number; /** By the monotonic clock: when the wave's time is over. */ readonly deadlineMs?: number }

/** An outcome with the text that goes with it; nothing of it is on disk yet. */
export interface WorkerEnd { readonly outcome: Outcome; readonly text: string; readonly started: boolean; readonly settled?: Settled }
export interface WorkerRun extends WorkerEnd {
  /** Lets go of the session that the worker held: once its outcome is on disk, so that whoever resumes next knows it. */
  release(): Promise<void>
}

/** Facts known before anything ran. */
export function firstFacts(wave: WaveContext, worker: ResolvedWorker): OutcomeFacts {
  const now = new Date(wave.host.clock.now()).toISOString()
  return { id: worker.id, provider: worker.provider, startedAt: now, finishedAt: now, durationSeconds: 0, cwd: worker.cwd, metrics: {} }
}

const notStarted = (facts: OutcomeFacts, ending: Ending): WorkerEnd => ({ outcome: { facts, ending }, text: '', started: false })
const nothing = async (): Promise<void> => undefined

/** A worker that the wave does not even try. */
export const skippedRun = (wave: WaveContext, worker: ResolvedWorker, ending: Ending): WorkerRun =>
  ({ ...notStarted(firstFacts(wave, worker), ending), release: nothing })

/** Runs one worker. */
export async function runWorker(wave: WaveContext, worker: ResolvedWorker, allowance: Allowance): Promise<WorkerRun> {
  const begun = wave.host.clock.monotonic()
  const facts = firstFacts(wave, worker)
  let release = nothing
  const finish = ({ outcome, ...run }: WorkerEnd): WorkerRun => ({ ...run, release, outcome: { ...outcome, facts: {
    ...outcome.facts,
    finishedAt: new Date(wave.host.clock.now()).toISOString(),
    durationSeconds: Math.round(wave.host.clock.monotonic() - begun) / 1000,
  } } })
  try {
    await makeFolder(workerFiles(wave.folder, worker.id).folder)
    if (!worker.launch) return finish(notStarted(facts, notInstalled(wave, worker)))
    if (worker.resume) release = await holdSession(wave.host, worker.resume)
    // What the session has used may have changed since the plan was resolved.
    const session = worker.resume ? await sessionOf(wave.host, worker.resume) : null
    return finish(await onGround(wave, session ? { ...worker, session } : worker, allowance, facts))
  } catch (error) {
    if (error instanceof Fail) return finish(notStarted(facts, startFailure(error)))
    await release()
    throw error
  }
}

async function onGround(wave: WaveContext, worker: ResolvedWorker, allowance: Allowance, facts: OutcomeFacts): Promise<WorkerEnd> {
  const ground = await prepareGround(wave, worker)
  try {
    const run = await attend(wave, worker, ground, allowance, facts)
    // Nothing was done in it, so there is nothing to look at.
    return run.started || !ground.worktree || !await isDiscarded(ground.worktree) ? run : notStarted(facts, run.outcome.ending)
  } catch (error) {
    if (ground.worktree && error instanceof Fail) await isDiscarded(ground.worktree)
    throw error
  } finally {
    if (ground.shared) wave.sharing.leave(ground.shared.root, worker.id)
  }
}

/** One that cannot be removed stays, and its outcome names it. */
const isDiscarded = (worktree: Parameters<typeof discardWorktree>[0]): Promise<boolean> => discardWorktree(worktree).then(() => true, (error: unknown) => {
  if (!(error instanceof Fail) && systemCode(error) === undefined) throw error
  return false
})

async function attend(wave: WaveContext, worker: ResolvedWorker, ground: Ground, allowance: Allowance, facts: OutcomeFacts): Promise<WorkerEnd> {
  const provider = providerOf(wave, worker)
  const files = workerFiles(wave.folder, worker.id)
  const placed: OutcomeFacts = { ...facts, cwd: ground.cwd, ...ground.base, ...warningsOf(ground.worktree?.notes) }
  if (wave.stop.aborted) return notStarted(placed, stoppedBefore)
  const secondsLeft = ((allowance.deadlineMs ?? Number.POSITIVE_INFINITY) - wave.host.clock.monotonic()) / 1000
  if (secondsLeft <= 0) return notStarted(placed, outOfTime)
  const timeoutSeconds = Math.max(1, Math.floor(Math.min(worker.timeoutSeconds, secondsLeft)))
  const { capUsd } = allowance
  const task = taskOf(worker, { folder: files.folder, cwd: ground.cwd, timeoutSeconds, ...(capUsd === undefined ? {} : { costCapUsd: capUsd }) })
  const invocation = ofPlugin(provider.id, () => provider.invoke(task, worker.cliFacts))
  const output = openOutput(provider, task, files, sign => { wave.emit({ event: 'sign', worker: worker.id, sign }) })
  // On the board before anything starts: after a crash the diff is taken from this base, and the answer is looked for.
  wave.board.worker(worker.id, { ...ground.base, ...(invocation.answerFile ? { answerFile: invocation.answerFile } : {}), ...(capUsd === undefined ? {} : { capUsd }) })
  const done = await perform(wave, worker, { invocation, task, output })
  if (done instanceof Fail) return notStarted(placed, startFailure(done))
  const left = await wave.sweeper.after({ identity: done.identity, marker: markerOf(wave.runId, worker.id) })
  // A flood is not read to its end: that could take minutes.
  const settled = await output.settle({ ...done, answerFile: invocation.answerFile }, done.outputBytes > wave.pace.maxOutputBytes ? 0 : wave.pace.maxOutputBytes)
  const seen = await readGround(wave, worker, ground).catch(unjudged)
  return {
    outcome: {
      facts: {
        ...placed, stdoutPath: files.stdout, stderrPath: files.stderr, ...(invocation.costCapped && capUsd !== undefined ? { costCapUsd: capUsd } : {}),
        ...settledFacts(settled, task), ...seen, ...warningsOf(placed.warnings, settled.warnings, seen.warnings), ...endFacts(done, left),
      },
      ending: endingOf({ ...done, timeoutSeconds, idleTimeoutSeconds: worker.idleTimeoutSeconds }, settled),
    },
    text: settled.text, started: true, settled,
  }
}

/** How the process ended and who of it was left. */
function endFacts(done: Done, left: Pick<Done, 'survivors'> & { readonly strays: Done['survivors'] }): Partial<OutcomeFacts> {
  const survivors = [...new Map([...done.survivors, ...left.survivors].map(each => [each.pid, each])).values()]
  return {
    outputBytes: done.outputBytes,
    ...(typeof done.code === 'number' ? { exitCode: done.code } : {}),
    ...(done.signal ? { signal: done.signal } : {}),
    ...(done.ended === 'self' ? {} : { endedBy: done.ended }),
    ...(left.strays.length > 0 ? { strays: [...left.strays] } : {}),
    ...(survivors.length > 0 ? { survivors } : {}),
  }
}

const outOfTime: Ending = { status: 'skipped', kind: 'budget', error: 'Not started: budget maxWallSeconds is used up' }
export const stoppedBefore: Ending = { status: 'skipped', kind: 'stopped', error: 'Stopped on request before it started' }

const notInstalled = (wave: WaveContext, worker: ResolvedWorker): Ending => ({
  status: 'failed', kind: 'not_installed', error: `Cannot start "${worker.own?.command ?? providerOf(wave, worker).executable}": it is not installed or not on PATH`,
})

function startFailure(error: Fail): Ending {
  const { code, facts } = error.problem
  const missing = code === 'run.start-failed' && facts?.['missing'] === 'program'
  return { status: 'failed', kind: missing ? 'not_installed' : 'error', error: error.message }
}

/** What a worker left behind may not be readable, and that is no reason to end the others. */
function unjudged(error: unknown): GroundFacts {
  const code = error instanceof Fail ? error.problem.code : systemCode(error)
  if (code === undefined || code === 'ENOSPC' || code === 'EDQUOT') throw error
  return { diffError: error instanceof Error ? error.message : code }
}
