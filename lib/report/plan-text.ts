/** A checked plan and its preview in a few lines. */
import { count, cutTo, listed, plural } from '../base/text.ts'
import type { PlanPreview, WorkerPreview } from '../run/plan-record.ts'

export interface CheckedPlan { readonly strategy: string; readonly strategyReason: string; readonly workers: number; readonly warnings: readonly string[] }

const warningLines = (warnings: readonly string[]): string[] => warnings.map(warning => `warning: ${warning}`)

/** What `validate` prints. */
export const checkedText = (plan: CheckedPlan): string =>
  [`ok: ${plural(plan.workers, 'worker')}, strategy ${plan.strategy} (${plan.strategyReason})`, ...warningLines(plan.warnings)].join('\n')

/** Workers shown one by one. */
const shownWorkers = 16
const argvWidth = 300

/** What `dry-run` prints. */
export function previewText(plan: PlanPreview): string {
  const limits = Object.entries(plan.budget).map(([name, value]) => `${name} ${value}`)
  const rest = plan.workers.length - shownWorkers
  return [
    `${plan.title ?? 'plan'}: ${plural(plan.workers.length, 'worker')}, at most ${plan.maxConcurrent} at once, strategy ${plan.strategy} (${plan.strategyReason})`,
    `limits: ${limits.length > 0 ? listed(limits) : 'none'}; tasks about ${count(plan.totals.estimatedPromptTokens)} tokens`,
    ...plan.workers.slice(0, shownWorkers).flatMap(workerLines),
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
    `  ${cutTo(worker.argv.map(shellWord).join(' '), argvWidth)}`,
    ...worker.notes.map(note => `  ${note}`),
  ]
}

/** A word as it could be typed into a shell. */
const shellWord = (word: string): string => /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
