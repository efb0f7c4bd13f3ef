/** A checked plan and its preview in a few lines. */
import { count, cutTo, fitting, listed, plural } from '../base/text.ts'
import type { PlanPreview, WorkerPreview } from '../run/plan-record.ts'

export interface CheckedPlan { readonly strategy: string; readonly strategyReason: string; readonly workers: number; readonly warnings: readonly string[] }

const lineWidth = 300
/** Warnings that are shown, in bytes; the rest are counted. */
const warningBytes = 3 * 1024

function warningLines(warnings: readonly string[]): string[] {
  const shown = fitting(warnings.map(warning => cutTo(`warning: ${warning}`, lineWidth)), warningBytes)
  const rest = warnings.length - shown.length
  return [...shown, ...(rest > 0 ? [`… ${plural(rest, 'more warning')}: --json`] : [])]
}

/** What `validate` prints. */
export const checkedText = (plan: CheckedPlan): string =>
  [`ok: ${plural(plan.workers, 'worker')}, strategy ${plan.strategy} (${plan.strategyReason})`, ...warningLines(plan.warnings)].join('\n')

/** Workers shown one by one, as many as fit into so many bytes. */
const shownWorkers = 16
const shownBytes = 8 * 1024

/** What `dry-run` prints. */
export function previewText(plan: PlanPreview): string {
  const limits = Object.entries(plan.budget).map(([name, value]) => `${name} ${value}`)
  const shown = fitting(plan.workers.slice(0, shownWorkers).map(worker => workerLines(worker).join('\n')), shownBytes)
  const rest = plan.workers.length - shown.length
  return [
    `${plan.title ?? 'plan'}: ${plural(plan.workers.length, 'worker')}, at most ${plan.maxConcurrent} at once, strategy ${plan.strategy} (${plan.strategyReason})`,
    `limits: ${limits.length > 0 ? listed(limits) : 'none'}; tasks about ${count(plan.totals.estimatedPromptTokens)} tokens`,
    ...shown,
    ...(rest > 0 ? [`… ${rest} more: --json or --write FILE`] : []),
    ...warningLines(plan.warnings),
  ].join('\n')
}

function workerLines(worker: WorkerPreview): string[] {
  const where = worker.isolate ? 'own worktree' : 'shared checkout'
  const model = [worker.model, worker.effort].filter(Boolean).join(' ')
  const routing = worker.routingNote ? ` (${worker.routingNote})` : ''
  return [
    `${worker.id}: ${worker.provider}${routing}, ${worker.mode} in ${where}, ${model || 'default model'} (${worker.modelNote}), ${worker.effectiveTimeoutSeconds} s`,
    `  subagents ${worker.subagents}${worker.readOnlyBy ? `; read-only ${worker.readOnlyBy}` : ''}`,
    `  ${cutTo(worker.argv.map(shellWord).join(' '), lineWidth)}`,
    ...worker.notes.map(note => cutTo(`  ${note}`, lineWidth)),
  ]
}

/** A word as it could be typed into a shell. */
const shellWord = (word: string): string => /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
