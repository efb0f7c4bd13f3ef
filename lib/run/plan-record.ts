/** The resolved plan for `dry-run` and `plan.json`: everything that will be executed but the tasks' texts. */
import { join } from 'node:path'
import * as v from 'valibot'
import { type Mask, maskDeep } from '../base/mask.ts'
import { readJson } from '../io/files.ts'
import type { Capabilities, Provider } from '../plugin/provider.ts'
import { providerOf } from './context.ts'
import { planFile } from './layout.ts'
import { previewOf, type Resolved, type ResolvedWorker, type Shown } from './resolve.ts'

/** One worker as `dry-run` shows it. */
export interface WorkerPreview extends RecordedWorker, Shown {
  readonly installed: boolean
  /** Its own time-out or the budget's wall time, whichever is shorter. */
  readonly effectiveTimeoutSeconds: number
  readonly promptChars: number
  readonly subagents: string
  /** Who keeps a read-only worker from writing. */
  readonly readOnlyBy?: Capabilities['readOnly']
  readonly telemetry: { readonly tokens: boolean; readonly cost: boolean }
}

export interface PlanPreview extends Omit<Resolved, 'workers' | 'policy'> {
  readonly dryRun: boolean
  readonly workers: readonly WorkerPreview[]
  readonly totals: { readonly workers: number; readonly estimatedPromptTokens: number }
  readonly estimates: string
}

function workerPreview(worker: ResolvedWorker, provider: Provider, maxWallSeconds: number | undefined, mask: Mask): WorkerPreview {
  const { prompt, cliFacts: _facts, launch, ...rest } = worker
  const { can } = provider
  return {
    ...rest, ...(rest.own ? { own: maskDeep(rest.own, mask) } : {}), ...previewOf(worker, provider, mask),
    installed: launch !== null,
    effectiveTimeoutSeconds: Math.min(worker.timeoutSeconds, maxWallSeconds ?? worker.timeoutSeconds),
    promptChars: prompt.length,
    subagents: can.blocksSubagents ? 'blocked by the CLI' : 'refused by the worker contract',
    ...(worker.mode === 'read-only' ? { readOnlyBy: (worker.resume ? can.readOnlyOnResume : undefined) ?? can.readOnly } : {}),
    telemetry: { tokens: can.tokens, cost: can.cost },
  }
}

/** The whole plan, without secrets. `dryRun` tells previews from records of runs. */
export function planRecord(resolved: Resolved, providers: ReadonlyMap<string, Provider>, mask: Mask, dryRun = false): PlanPreview {
  const { workers, policy: _policy, ...plan } = resolved
  return {
    dryRun,
    ...plan, warnings: maskDeep(plan.warnings, mask),
    workers: workers.map(worker => workerPreview(worker, providerOf({ providers }, worker), resolved.budget.maxWallSeconds, mask)),
    totals: { workers: workers.length, estimatedPromptTokens: workers.reduce((sum, worker) => sum + worker.estimatedPromptTokens, 0) },
    estimates: 'characters / 4 of the tasks alone; what a CLI adds (its own prompt, files it reads, tools) comes on top and cannot be told before',
  }
}

/** A worker as `plan.json` of a run has it: without the task's text and without what only its start needs. */
export type RecordedWorker = Omit<ResolvedWorker, 'prompt' | 'launch' | 'cliFacts'>

const PlanRecord = v.looseObject({ workers: v.array(v.custom<RecordedWorker>(value => typeof value === 'object' && value !== null && 'id' in value)) })

/** The workers of a run by id, as they were planned; none when `plan.json` cannot be read. */
export async function readPlannedWorkers(runDir: string): Promise<ReadonlyMap<string, RecordedWorker>> {
  const plan = await readJson(join(runDir, planFile), PlanRecord).catch(() => ({ workers: [] }))
  return new Map(plan.workers.map(worker => [worker.id, worker]))
}
