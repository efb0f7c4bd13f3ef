/**
 * Stays with one process until it is gone: hands its lines on, ends it for the first good reason (time-out, silence, a stop,
 * too much output, lingering after its answer) and says which.
 */
import { endProcess } from '../io/process/ending.ts'
import { sizeOf } from '../io/files.ts'
import type { Identity } from '../io/process/identity.ts'
import type { Child } from '../io/process/start.ts'
import type { ExitFacts } from '../plugin/provider.ts'
import type { Pace } from './context.ts'
import type { Output } from './output.ts'
import type { Ticker } from './ticker.ts'

export interface Supervision {
  readonly child: Child
  readonly output: Pick<Output, 'poll' | 'answered'>
  readonly stdoutPath: string
  readonly stderrPath: string
  readonly pace: Pace
  readonly timeoutMs: number
  readonly idleMs?: number
  readonly signals: readonly NodeJS.Signals[]
  readonly marker: string
  readonly ticker: Ticker
  readonly stop: AbortSignal
  readonly monotonic: () => number
  /** Told every few seconds how much there is and for how long there was nothing new. */
  readonly progress?: (outputBytes: number, idleMs: number) => void
}

export interface Supervised {
  readonly code: number | null
  readonly signal: string | null
  readonly ended: ExitFacts['ended']
  readonly survivors: readonly Identity[]
  readonly outputBytes: number
}

/** Most read from one log at one look, so that one loud worker does not hold up the others. */
const readPerLook = 2 * 1024 * 1024
/** How often the progress is told: each time the state is written. */
const tellEveryMs = 5_000
/** A process that survived KILL is not waited for longer than this. */
const lastWaitMs = 2_000

type Reason = Exclude<ExitFacts['ended'], 'self'>

/** Resolves when the process is gone (or survived everything); rejects only for a fault of ours, such as a full disk. */
export async function supervise(work: Supervision): Promise<Supervised> {
  const { child, pace } = work
  let decide: (reason: Reason) => void = () => undefined
  // The first reason wins: a promise resolves once.
  const decided = new Promise<Reason>(resolve => { decide = resolve })
  // The answer may stand in the log since the last look: then a stop takes nothing away.
  const onStop = (): void => {
    const stopped = (): void => { decide(work.output.answered() ? 'lingered' : 'stopped') }
    work.output.poll(readPerLook).then(stopped, stopped)
  }
  const leave = work.ticker.add(createLook(work, decide))
  work.stop.addEventListener('abort', onStop)
  if (work.stop.aborted) onStop()
  try {
    const reason = await Promise.race([child.exited.then(() => undefined), decided])
    const { survivors } = reason ? await endProcess(child.identity, {
      signals: work.signals, marker: work.marker, signalGraceMs: pace.signalGraceMs, termGraceMs: pace.termGraceMs,
    }) : { survivors: [] }
    const exit = await exitOf(child)
    return { ...exit, ended: reason ?? 'self', survivors, outputBytes: await outputOf(work) }
  } finally {
    leave()
    work.stop.removeEventListener('abort', onStop)
  }
}

const outputOf = async ({ stdoutPath, stderrPath }: Supervision): Promise<number> => await sizeOf(stdoutPath) + await sizeOf(stderrPath)

/** One look at a running process: reads what it printed and decides when it must end. */
function createLook(work: Supervision, decide: (reason: Reason) => void): () => Promise<void> {
  const { pace, monotonic } = work
  const begun = monotonic()
  let [changed, told, bytes] = [begun, begun, 0]
  let answeredAt: number | undefined
  return async () => {
    const size = await outputOf(work)
    await work.output.poll(readPerLook)
    // A flood fills a disk faster than it can be read. One that comes after the answer takes nothing away from it.
    if (size > pace.maxOutputBytes) decide(work.output.answered() ? 'lingered' : 'overflow')
    const now = monotonic()
    if (size !== bytes) changed = now
    bytes = size
    if (work.output.answered()) answeredAt ??= now
    if (now - told >= tellEveryMs) {
      told = now
      work.progress?.(bytes, now - changed)
    }
    if (answeredAt !== undefined) {
      if (now - answeredAt >= pace.lingerMs) decide('lingered')
    } else if (now - begun >= work.timeoutMs) decide('timeout')
    else if (work.idleMs !== undefined && now - changed >= work.idleMs) decide('stalled')
  }
}

async function exitOf(child: Child): Promise<{ code: number | null; signal: string | null }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<{ code: null; signal: null }>(resolve => { timer = setTimeout(() => { resolve({ code: null, signal: null }) }, lastWaitMs) })
  const exit = await Promise.race([child.exited, late])
  clearTimeout(timer)
  return exit
}
