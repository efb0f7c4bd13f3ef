/**
 * One worker from start to outcome. A foreseen failure (no worktree, no program, a refused session) becomes a failed outcome and
 * stops nobody else; only a fault of ours or a full disk rejects.
 */
import { join } from 'node:path'
import { Fail, fail, systemCode } from '../base/fail.ts'
import { exists, makeFolder, tailOf, writeWhole } from '../io/files.ts'
import { workerEnv } from '../io/env.ts'
import { Follower } from '../io/follow.ts'
import { start } from '../io/process/start.ts'
import { unsafeForCmd } from '../io/which.ts'
import type { Ending, Outcome, OutcomeFacts } from '../model/outcome.ts'
import { parseHandoff } from '../model/handoff.ts'
import type { ExitFacts, Invocation, LiveSign, Reader, Settled, Task } from '../plugin/provider.ts'
import { providerOf, type WaveContext } from './context.ts'
import { type Ground, type GroundFacts, prepareGround, readGround } from './ground.ts'
import { markerOf, workerFiles } from './layout.ts'
import { faultOf, ofPlugin, settledBy } from './plugin-calls.ts'
import { type ResolvedWorker, taskOf } from './resolve.ts'
import { holdSession, sessionOf } from './sessions.ts'
import { supervise, type Supervised } from './supervise.ts'

/** How much of stderr a provider sees, and how long an answer file may be, in bytes. */
const stderrTail = 64 * 1024
const answerLimit = 4 * 1024 * 1024

export interface Allowance { readonly capUsd?: number; /** By the monotonic clock: when the wave's time is over. */ readonly deadlineMs?: number }

/** An outcome with the text that goes with it; nothing of it is on disk yet. */
export interface WorkerRun { readonly outcome: Outcome; readonly text: string; readonly started: boolean; readonly settled?: Settled }

/** Facts known before anything ran. */
export function firstFacts(wave: WaveContext, worker: ResolvedWorker): OutcomeFacts {
  const now = new Date(wave.host.clock.now()).toISOString()
  return { id: worker.id, provider: worker.provider, startedAt: now, finishedAt: now, durationSeconds: 0, cwd: worker.cwd, metrics: {} }
}

/** Runs one worker. */
export async function runWorker(wave: WaveContext, worker: ResolvedWorker, allowance: Allowance): Promise<WorkerRun> {
  const begun = wave.host.clock.monotonic()
  const facts = firstFacts(wave, worker)
  const finish = (run: WorkerRun): WorkerRun => ({ ...run, outcome: { ...run.outcome, facts: {
    ...run.outcome.facts,
    finishedAt: new Date(wave.host.clock.now()).toISOString(),
    durationSeconds: Math.round(wave.host.clock.monotonic() - begun) / 1000,
  } } })
  try {
    await makeFolder(workerFiles(wave.folder, worker.id).folder)
    if (!worker.launch) return finish({ outcome: { facts, ending: notInstalled(wave, worker) }, text: '', started: false })
    const release = worker.resume ? await holdSession(wave.host, worker.resume) : undefined
    try {
      // What the session has used may have changed since the plan was resolved.
      const session = worker.resume ? await sessionOf(wave.host, worker.resume) : null
      return finish(await onGround(wave, session ? { ...worker, session } : worker, allowance, facts))
    } finally {
      await release?.()
    }
  } catch (error) {
    if (!(error instanceof Fail)) throw error
    return finish({ outcome: { facts, ending: startFailure(error) }, text: '', started: false })
  }
}

async function onGround(wave: WaveContext, worker: ResolvedWorker, allowance: Allowance, facts: OutcomeFacts): Promise<WorkerRun> {
  const ground = await prepareGround(wave, worker)
  try {
    const { path: worktree, baseTree, baseCommit } = ground.worktree ?? {}
    const base = { ...(worktree ? { worktree } : {}), ...(baseTree ? { baseTree } : {}), ...(baseCommit ? { baseCommit } : {}) }
    // On the board before anything starts: after a crash the diff is taken from here.
    wave.board.worker(worker.id, base)
    const notes = ground.worktree?.notes ?? []
    const placed = { ...facts, cwd: ground.cwd, ...base, ...(notes.length > 0 ? { warnings: [...notes] } : {}) }
    if (wave.stop.aborted) return { outcome: { facts: placed, ending: stoppedBefore }, text: '', started: false }
    return await attend(wave, worker, ground, allowance, placed)
  } finally {
    if (ground.shared) wave.sharing.leave(ground.shared.root, worker.id)
  }
}

const outOfTime: Ending = { status: 'skipped', kind: 'budget', error: 'Not started: budget maxWallSeconds is used up' }

const notInstalled = (wave: WaveContext, worker: ResolvedWorker): Ending => ({
  status: 'failed', kind: 'not_installed', error: `Cannot start "${worker.own?.command ?? providerOf(wave, worker).executable}": it is not installed or not on PATH`,
})

/** What a worker left behind may not be readable, and that is no reason to end the others. */
function unjudged(error: unknown): GroundFacts {
  const code = error instanceof Fail ? error.problem.code : systemCode(error)
  if (code === undefined || code === 'ENOSPC' || code === 'EDQUOT') throw error
  return { diffError: error instanceof Error ? error.message : code }
}

export const stoppedBefore: Ending = { status: 'skipped', kind: 'stopped', error: 'Stopped on request before it started' }

async function attend(wave: WaveContext, worker: ResolvedWorker, ground: Ground, allowance: Allowance, facts: OutcomeFacts): Promise<WorkerRun> {
  const provider = providerOf(wave, worker)
  const files = workerFiles(wave.folder, worker.id)
  const secondsLeft = ((allowance.deadlineMs ?? Number.POSITIVE_INFINITY) - wave.host.clock.monotonic()) / 1000
  if (secondsLeft <= 0) return { outcome: { facts, ending: outOfTime }, text: '', started: false }
  const timeoutSeconds = Math.max(1, Math.floor(Math.min(worker.timeoutSeconds, secondsLeft)))
  const task = taskOf(worker, { folder: files.folder, cwd: ground.cwd, timeoutSeconds, ...(allowance.capUsd === undefined ? {} : { costCapUsd: allowance.capUsd }) })
  const invocation = ofPlugin(provider.id, () => provider.invoke(task, worker.cliFacts))
  const logged: OutcomeFacts = {
    ...facts, stdoutPath: files.stdout, stderrPath: files.stderr,
    ...(invocation.costCapped && allowance.capUsd !== undefined ? { costCapUsd: allowance.capUsd } : {}),
  }
  const stream = followOutput(wave, worker, ofPlugin(provider.id, () => provider.read(task)), files.stdout)
  const done = await launch(wave, worker, invocation, task, worker.launch ?? [], stream)
  const lookAtGround = (): Promise<GroundFacts> => readGround(wave, worker, ground).catch(unjudged)
  if (done instanceof Fail) return { outcome: { facts: { ...logged, ...await lookAtGround() }, ending: startFailure(done) }, text: '', started: false }
  const left = await wave.sweeper.after({ identity: done.identity, marker: markerOf(wave.runId, worker.id) })
  // What was ended for flooding is not read to its end: that could take minutes.
  await stream.follower.finish(done.ended === 'overflow' ? 0 : wave.pace.maxOutputBytes)
  const exit = await exitFacts(done, files.stderr, invocation, task, stream.cut())
  const settled = stream.fault() ?? settledBy(provider.id, () => stream.reader.settle(exit))
  const survivors = [...new Map([...done.survivors, ...left.survivors].map(each => [each.pid, each])).values()]
  const outcome: Outcome = {
    facts: {
      ...logged, ...settledFacts(settled, task), ...await lookAtGround(), outputBytes: done.outputBytes,
      ...(typeof done.code === 'number' ? { exitCode: done.code } : {}),
      ...(done.signal ? { signal: done.signal } : {}),
      ...(done.ended === 'self' ? {} : { endedBy: done.ended }),
      ...(left.strays.length > 0 ? { strays: [...left.strays] } : {}),
      ...(survivors.length > 0 ? { survivors } : {}),
    },
    ending: endingOf(done, settled, worker, timeoutSeconds),
  }
  return { outcome, text: settled.text, started: true, settled }
}

interface Stream { readonly follower: Follower; readonly reader: Reader; readonly answered: () => boolean; readonly cut: () => number | undefined; readonly fault: () => Settled | undefined }

function followOutput(wave: WaveContext, worker: ResolvedWorker, reader: Reader, path: string): Stream {
  let answered = false
  let longest: number | undefined
  let fault: Settled | undefined
  const see = (sign: LiveSign | null): void => {
    if (!sign) return
    if (sign.sign === 'result') answered = true
    wave.emit({ event: 'sign', worker: worker.id, sign })
  }
  const follower = new Follower(path, {
    line: line => {
      if (fault) return
      try {
        see(reader.line(line))
      } catch (error) {
        // A plugin's fault is its worker's alone.
        fault = faultOf(worker.provider, error)
      }
    },
    cut: length => { longest = Math.max(longest ?? 0, length) },
  })
  return { follower, reader, answered: () => answered, cut: () => longest, fault: () => fault }
}

type Done = Supervised & { readonly identity: Awaited<ReturnType<typeof start>>['identity'] }

/** Writes what the process reads, starts it and stays until it is gone. A failure to start is returned. */
async function launch(wave: WaveContext, worker: ResolvedWorker, invocation: Invocation, task: Task, words: readonly string[], stream: Stream): Promise<Done | Fail> {
  const files = workerFiles(wave.folder, worker.id)
  const [file = '', ...before] = words
  await writeWhole(files.prompt, invocation.stdin === '' ? task.prompt : invocation.stdin)
  for (const name of invocation.folders ?? []) await makeFolder(join(task.folder, name))
  for (const [name, content] of Object.entries(invocation.files ?? {})) await writeWhole(join(task.folder, name), content)
  const env = workerEnv(wave.env, markerOf(wave.runId, worker.id), {
    ...(invocation.env ? { set: invocation.env } : {}), ...(invocation.envDefaults ? { defaults: invocation.envDefaults } : {}),
  })
  if (wave.host.platform === 'win32' && unsafeForCmd(file, invocation.args)) {
    return fail('run.start-failed', `Cannot start "${file}": it is a batch file, and cmd.exe would rewrite its arguments`, { hint: 'name the real program, or hand the task over by stdin' })
  }
  try {
    const child = await start({
      file, args: [...before, ...invocation.args], cwd: task.cwd, env,
      stdin: invocation.stdin === '' ? null : files.prompt, stdout: files.stdout, stderr: files.stderr,
    })
    const provider = providerOf(wave, worker)
    const startedAt = new Date(wave.host.clock.now()).toISOString()
    wave.board.worker(worker.id, { status: 'running', startedAt, cwd: task.cwd, pid: child.identity.pid, process: child.identity, stopSignals: [...provider.stop] })
    wave.emit({ event: 'started', worker: worker.id, provider: worker.provider })
    const supervised = await supervise({
      child, stdout: stream.follower, stdoutPath: files.stdout, stderrPath: files.stderr, signals: provider.stop, marker: markerOf(wave.runId, worker.id),
      ticker: wave.ticker, stop: wave.stop, monotonic: () => wave.host.clock.monotonic(), answered: stream.answered, pace: wave.pace,
      timeoutMs: task.timeoutSeconds * 1000,
      ...(worker.idleTimeoutSeconds === undefined || provider.can.silent ? {} : { idleMs: worker.idleTimeoutSeconds * 1000 }),
      progress: (outputBytes, idleMs) => { wave.board.worker(worker.id, { outputBytes, idleSeconds: Math.round(idleMs / 1000) }) },
    })
    return { ...supervised, identity: child.identity }
  } catch (error) {
    await stream.follower.close()
    if (error instanceof Fail && error.problem.code === 'run.start-failed') return error
    throw error
  }
}

async function exitFacts(done: Done, stderr: string, invocation: Invocation, task: Task, cutLine: number | undefined): Promise<ExitFacts> {
  const path = invocation.answerFile ? join(task.folder, invocation.answerFile) : undefined
  const answer = path && await exists(path) ? await tailOf(path, answerLimit) : undefined
  return {
    code: done.code, signal: done.signal, ended: done.ended, stderrTail: await tailOf(stderr, stderrTail),
    ...(answer === undefined ? {} : { answer }), ...(cutLine === undefined ? {} : { cutLine }),
  }
}

/** What a provider told, in the form of an outcome. */
export function settledFacts(settled: Settled, task: Task): Partial<OutcomeFacts> {
  const { usage, sessionUsage, costUsd, costByModel, turns } = settled
  const lists = { permissionDenials: settled.denials, billedModels: settled.billedModels, warnings: settled.warnings }
  return {
    metrics: {
      ...(usage ? { usage } : {}), ...(sessionUsage ? { sessionUsage } : {}),
      ...(costUsd === undefined ? {} : { totalCostUsd: costUsd }), ...(costByModel ? { costByModel: { ...costByModel } } : {}),
      ...(turns === undefined ? {} : { turns }),
    },
    ...(settled.session ? { sessionId: settled.session, sessionCwd: task.cwd } : {}),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list && list.length > 0)),
    ...(settled.quota ? { quota: settled.quota } : {}),
    ...parseHandoff(settled.text),
  }
}

function startFailure(error: Fail): Ending {
  const { code, facts } = error.problem
  const missing = code === 'run.start-failed' && facts?.['missing'] === 'program'
  return { status: 'failed', kind: missing ? 'not_installed' : 'error', error: error.message }
}

function endingOf(done: Done, settled: Settled, worker: ResolvedWorker, timeoutSeconds: number): Ending {
  switch (done.ended) {
    case 'timeout': return { status: 'timed_out', kind: 'timed_out', error: `Ran past its time-out of ${timeoutSeconds} s` }
    case 'stalled': return { status: 'timed_out', kind: 'stalled', error: `Printed nothing for ${worker.idleTimeoutSeconds} s` }
    case 'stopped': return { status: 'stopped', error: 'Stopped on request' }
    case 'overflow': return { status: 'failed', kind: 'error', error: `Printed more than it may: ${done.outputBytes} bytes` }
    case 'self':
    case 'lingered': {
      const { verdict } = settled
      if (verdict.ok) return { status: 'succeeded' }
      const { kind, error, resetsAt, resetHint } = verdict
      return { status: 'failed', kind, error, ...(resetsAt ? { resetsAt } : {}), ...(resetHint ? { resetHint } : {}) }
    }
  }
}
