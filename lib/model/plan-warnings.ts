/** What is allowed in a plan and still worth a word before it runs. What only one CLI is about comes from its plugin. Pure. */
import { listed } from '../base/text.ts'
import { type ProviderFacts, providerNamed } from './capabilities.ts'
import { taskOnly } from './contract.ts'
import type { PlannedWave, PlannedWorker } from './planned.ts'
import { readOnlyBy } from './routing.ts'

export interface WarningFacts {
  readonly providers: readonly ProviderFacts[]
  /** Folders of workers whose checkout holds uncommitted changes. */
  readonly dirty: ReadonlySet<string>
}

/** A task of at most this many words is short: loading a CLI's own context costs more than reading it. */
const shortTask = 50
/** Retries of rate-limited calls were measured to be silent for 40 s. */
const shortestIdle = 60

/** Every warning about a settled plan. */
export function planWarnings(plan: PlannedWave, facts: WarningFacts): string[] {
  const paired = plan.workers.flatMap(worker => {
    const provider = providerNamed(worker.provider, facts.providers)
    return provider ? [{ worker, provider }] : []
  })
  return [
    ...costWarning(plan, paired), ...smallWriters(plan.workers),
    ...byText(paired.flatMap(({ worker, provider }) => workerWarnings(worker, provider, facts).map(text => ({ id: worker.id, text })))),
  ]
}

/** Warnings about single workers, each said once for all workers that it is about. */
export function byText(warnings: readonly { readonly id: string; readonly text: string }[]): string[] {
  const ids = new Map<string, string[]>()
  for (const { id, text } of warnings) ids.set(text, [...ids.get(text) ?? [], id])
  return [...ids].map(([text, workers]) => `${listed(workers, 5)}: ${text}`)
}

type Pairs = readonly { readonly worker: PlannedWorker; readonly provider: ProviderFacts }[]

function costWarning({ budget }: PlannedWave, paired: Pairs): string[] {
  if (budget.maxReportedCostUsd === undefined) return []
  const blind = paired.filter(({ worker, provider }) => !provider.can.cost && worker.costCapUsd === undefined)
    .map(({ worker, provider }) => worker.own?.command ?? provider.id)
  const names = [...new Set(blind)]
  if (names.length === 0) return []
  const [report, them] = names.length === 1 ? ['reports', 'it'] : ['report', 'them']
  return [`maxReportedCostUsd sees only cost that is reported, and ${listed(names)} ${report} none: `
    + `limit ${them} with costCapUsd, maxReportedTokens or maxCalls`]
}

function smallWriters(workers: readonly PlannedWorker[]): string[] {
  const writers = workers.filter(({ mode }) => mode === 'write')
  const isSmall = writers.every(({ prompt }) => taskOnly(prompt).split(/\s+/).length <= shortTask)
  if (writers.length < 2 || !isSmall) return []
  return [`${writers.length} writers with short tasks: each first loads its CLI's context, so one worker, or the lead, may cost less`]
}

function workerWarnings(worker: PlannedWorker, { id, can }: ProviderFacts, { dirty }: WarningFacts): string[] {
  const { idleTimeoutSeconds: idle, mode, isolate } = worker
  const checks: [boolean, string][] = [
    [idle !== undefined && can.silent, `${id} prints nothing before its end, so idleTimeoutSeconds is ignored`],
    [idle !== undefined && idle < shortestIdle && !can.silent && !can.ownCommand,
      `idleTimeoutSeconds ${idle} may end it during a retry, which is silent for up to 40 s; set at least ${shortestIdle}`],
    [worker.model === undefined && !can.ownCommand, `runs on ${id}'s default model, which may be its most expensive; set a tier or a model`],
    [mode === 'read-only' && readOnlyBy(can, worker.resume !== undefined) === 'advisory',
      `${id} cannot be kept from writing, so read-only rests on the worker contract; the checkout is compared afterwards`],
    [mode === 'write' && can.allowCommands && worker.allowCommands.length === 0,
      `may edit files but run no commands such as tests; name them in allowCommands${isolate ? '' : ' and set isolate: true'}`],
    [worker.mcp && !can.blocksMcp, `mcp: true changes nothing on ${id}, whose MCP servers cannot be kept off`],
    [can.blocksMcp && !worker.mcp && /\bmcp\b/i.test(taskOnly(worker.prompt)),
      'the task mentions MCP, but it starts without MCP servers; set mcp: true if it needs one'],
    [mode === 'write' && !isolate && dirty.has(worker.cwd),
      'writes in a checkout with uncommitted changes, which its own will be mixed with; set isolate: true or commit first'],
  ]
  return checks.filter(([applies]) => applies).map(([, text]) => text)
}
