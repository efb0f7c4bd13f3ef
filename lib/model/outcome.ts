/**
 * How one worker ended. In memory a union on `status`; on disk (`workers/<id>/outcome.json`) a flat record without null
 * fields, in the form that earlier waves have. `toRecord` and `fromRecord` are the only ways between them.
 */
import * as v from 'valibot'
import { type FailureKind, isFailureKind } from './failure.ts'
import { verdicts, workerStatuses } from './handoff.ts'
import { QuotaReading } from './quota.ts'
import { Usage } from './usage.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const texts = v.array(v.string())
const maybe = <const S extends v.GenericSchema>(schema: S) => v.exactOptional(schema)

const Commit = v.looseObject({ id: v.string(), subject: v.string() })
const StrayProcess = v.object({ pid: v.number(), startTime: v.string() })

/** Everything an outcome may hold besides its ending. A field that could not be judged is absent. */
const factFields = {
  id: v.string(),
  provider: v.string(),
  startedAt: v.string(),
  finishedAt: v.string(),
  durationSeconds: v.pipe(v.number(), v.minValue(0)),
  cwd: v.string(),
  exitCode: maybe(v.number()),
  signal: maybe(v.string()),
  /** The runner had to end the process: why. */
  endedBy: maybe(v.string()),
  worktree: maybe(v.string()),
  resultPath: maybe(v.string()),
  stdoutPath: maybe(v.string()),
  stderrPath: maybe(v.string()),
  outputBytes: maybe(count),
  /** The tree and commit that the work started from. */
  baseTree: maybe(v.string()),
  baseCommit: maybe(v.string()),
  diffPath: maybe(v.string()),
  diffError: maybe(v.string()),
  /** Files changed, lines added and deleted in the patch. */
  diffStats: maybe(v.looseObject({ files: count, added: count, deleted: count })),
  commits: maybe(v.array(Commit)),
  /** Changes that the patch does not hold. */
  notKept: maybe(texts),
  sessionId: maybe(v.string()),
  /** A session belongs to the folder it ran in. */
  sessionCwd: maybe(v.string()),
  metrics: v.looseObject({
    usage: maybe(Usage),
    totalCostUsd: maybe(v.number()),
    costByModel: maybe(v.record(v.string(), v.number())),
    turns: maybe(count),
    /** The whole thread's tokens, for CLIs that count per thread. */
    sessionUsage: maybe(Usage),
  }),
  costCapUsd: maybe(v.number()),
  workerStatus: maybe(v.picklist(workerStatuses)),
  workerSummary: maybe(v.string()),
  verdict: maybe(v.picklist(verdicts)),
  permissionDenials: maybe(texts),
  billedModels: maybe(texts),
  readOnlyViolation: maybe(v.boolean()),
  touchedFiles: maybe(texts),
  dirtyBefore: maybe(texts),
  sharedCheckoutWith: maybe(texts),
  /** Processes the worker left behind: ended by the runner, or (survivors) still alive. */
  strays: maybe(v.array(StrayProcess)),
  survivors: maybe(v.array(StrayProcess)),
  warnings: maybe(texts),
  quota: maybe(QuotaReading),
} as const

const Facts = v.looseObject(factFields)
export type OutcomeFacts = v.InferOutput<typeof Facts>

export type Ending =
  | { readonly status: 'succeeded' }
  | { readonly status: 'failed'; readonly kind: FailureKind; readonly error: string; readonly resetsAt?: string; readonly resetHint?: string }
  | { readonly status: 'timed_out'; readonly kind: 'timed_out' | 'stalled'; readonly error: string }
  | { readonly status: 'stopped' | 'interrupted'; readonly error: string }
  | { readonly status: 'skipped'; readonly kind: 'stopped' | 'budget' | 'quota_low'; readonly error: string }

export interface Outcome { readonly facts: OutcomeFacts; readonly ending: Ending }

/** The flat record on disk. */
export const OutcomeRecord = v.looseObject({
  ...factFields,
  status: v.picklist(['succeeded', 'failed', 'timed_out', 'stopped', 'skipped', 'interrupted']),
  timedOut: maybe(v.boolean()),
  error: maybe(v.string()),
  failureKind: maybe(v.string()),
  resetHint: maybe(v.string()),
  resetsAt: maybe(v.string()),
})
export type OutcomeRecord = v.InferOutput<typeof OutcomeRecord>

/** The kind that goes with an ending; none for success. */
export function kindOf(ending: Ending): FailureKind | undefined {
  switch (ending.status) {
    case 'succeeded': return undefined
    case 'stopped': return 'stopped'
    case 'interrupted': return 'interrupted'
    case 'failed':
    case 'timed_out':
    case 'skipped': return ending.kind
  }
}

export function toRecord({ facts, ending }: Outcome): OutcomeRecord {
  const kind = kindOf(ending)
  return {
    ...facts,
    status: ending.status,
    timedOut: ending.status === 'timed_out',
    ...(ending.status === 'succeeded' ? {} : { error: ending.error }),
    ...(kind ? { failureKind: kind } : {}),
    ...(ending.status === 'failed' && ending.resetsAt ? { resetsAt: ending.resetsAt } : {}),
    ...(ending.status === 'failed' && ending.resetHint ? { resetHint: ending.resetHint } : {}),
  }
}

export function fromRecord(record: OutcomeRecord): Outcome {
  const { status, timedOut: _timedOut, error = '', failureKind, resetHint, resetsAt, ...facts } = record
  return { facts, ending: endingOf(status, error, failureKind, resetsAt, resetHint) }
}

function endingOf(status: OutcomeRecord['status'], error: string, kind = 'error', resetsAt?: string, resetHint?: string): Ending {
  switch (status) {
    case 'succeeded': return { status }
    case 'stopped':
    case 'interrupted': return { status, error }
    case 'timed_out': return { status, kind: kind === 'stalled' ? kind : 'timed_out', error }
    case 'skipped': return { status, kind: kind === 'budget' || kind === 'quota_low' ? kind : 'stopped', error }
    case 'failed': return {
      status, kind: isFailureKind(kind) ? kind : 'error', error, ...(resetsAt ? { resetsAt } : {}), ...(resetHint ? { resetHint } : {}),
    }
  }
}
