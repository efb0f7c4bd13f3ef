/** A provider's verdict and the way a process ended, in the form of an outcome. Pure. */
import type { Ending, OutcomeFacts } from '../model/outcome.ts'
import { parseHandoff } from '../model/handoff.ts'
import type { ExitFacts, Settled, Task } from '../plugin/provider.ts'

/** What a provider told. */
export function settledFacts(settled: Settled, task: Pick<Task, 'cwd'>): Partial<OutcomeFacts> & Pick<OutcomeFacts, 'metrics'> {
  const { usage, sessionUsage, costUsd, costByModel, turns } = settled
  const lists = { permissionDenials: settled.denials, billedModels: settled.billedModels }
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

/** Warnings from several sides as one list; none is no list. */
export function warningsOf(...lists: readonly (readonly string[] | undefined)[]): Pick<OutcomeFacts, 'warnings'> {
  const warnings = lists.flatMap(list => list ?? [])
  return warnings.length > 0 ? { warnings } : {}
}

export interface EndedWorker {
  readonly ended: ExitFacts['ended']
  readonly outputBytes: number
  readonly timeoutSeconds: number
  readonly idleTimeoutSeconds?: number | undefined
}

/** Why a worker ended: by the runner's hand first, else by its own verdict. */
export function endingOf({ ended, outputBytes, timeoutSeconds, idleTimeoutSeconds }: EndedWorker, { verdict }: Settled): Ending {
  switch (ended) {
    case 'timeout': return { status: 'timed_out', kind: 'timed_out', error: `Ran past its time-out of ${timeoutSeconds} s` }
    case 'stalled': return { status: 'timed_out', kind: 'stalled', error: `Printed nothing for ${idleTimeoutSeconds} s` }
    case 'stopped': return { status: 'stopped', error: 'Stopped on request' }
    case 'overflow': return { status: 'failed', kind: 'invalid_output', error: `Printed more than it may: ${outputBytes} bytes` }
    case 'self':
    case 'lingered': return verdict.ok ? { status: 'succeeded' } : failedBy(verdict)
  }
}

/** A verdict that is not good, as an ending. */
export function failedBy({ kind, error, resetsAt, resetHint }: Exclude<Settled['verdict'], { ok: true }>): Ending {
  return { status: 'failed', kind, error, ...(resetsAt ? { resetsAt } : {}), ...(resetHint ? { resetHint } : {}) }
}
