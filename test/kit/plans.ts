/** Providers and plans for tests of the model: what one can do, and a plan's findings in short. */
import type { Capabilities, ProviderFacts } from '../../lib/model/capabilities.ts'
import { checkShape, type Finding, readDocument } from '../../lib/model/document.ts'
import { dotted } from '../../lib/model/finding.ts'
import { Plan } from '../../lib/model/plan.ts'
import type { PlanFacts } from '../../lib/model/plan-parts.ts'
import { planFindings } from '../../lib/model/plan-rules.ts'
import { isObject } from '../../lib/model/shape.ts'
import { defaultPolicy, type Policy } from '../../lib/model/policy.ts'

const everything: Capabilities = {
  resume: true, readOnly: 'enforced', model: true, effort: true, costCap: true, tokens: true, cost: true,
  blocksSubagents: true, blocksMcp: true, allowCommands: true, ownCommand: false, silent: false,
  promptVia: 'stdin', maxPrompt: { size: 9_000_000, unit: 'bytes' },
}
const provider = (id: string, can: Partial<Capabilities>, rank?: number): ProviderFacts =>
  ({ id, aliases: [`${id}-cli`], can: { ...everything, ...can }, installed: true, ...(rank === undefined ? {} : { rank }) })

/**
 * `full` can everything; `metered` reports tokens but no cost; `bare` takes little and is only asked not to write; `eager` always
 * writes and is silent; `own` takes its command line from the plan. The order of `auto` is metered, full, bare, eager.
 */
export const providers: readonly ProviderFacts[] = [
  provider('full', {}, 2),
  provider('metered', {
    costCap: false, cost: false, allowCommands: false, maxPrompt: { size: 1_000_000, unit: 'characters' },
  }, 1),
  provider('bare', {
    resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false,
    blocksMcp: false, allowCommands: false, promptVia: 'argument', maxPrompt: { size: 120_000, unit: 'bytes' },
  }, 3),
  provider('eager', { readOnly: 'none', silent: true, allowCommands: false }, 4),
  provider('own', {
    resume: false, readOnly: 'advisory', costCap: false, cost: false, tokens: false, blocksMcp: false, allowCommands: false,
    ownCommand: true, promptVia: 'plan', maxPrompt: { size: 120_000, unit: 'bytes' },
  }),
]

/** One of them, changed. */
export function providerNamed(id: string, can: Partial<Capabilities> = {}): ProviderFacts {
  const found = providers.find(each => each.id === id)
  if (!found) throw new Error(`There is no test provider "${id}"`)
  return { ...found, can: { ...found.can, ...can } }
}

export const policyWith = (change: Partial<Policy> = {}): Policy => ({ ...defaultPolicy(providers), ...change })

export type Change = Readonly<Record<string, unknown>>

/** A valid worker; members that are undefined are left out. */
export const worker = (change: Change = {}): Change => ({ id: 'w1', provider: 'full', cwd: '.', task: 'do it', ...change })
/** A valid plan with one worker. */
export const planWith = (change: Change = {}): Change => ({ version: 1, workers: [worker()], ...change })
export const planOf = (...workers: readonly Change[]): Change => planWith({ workers })

/** Facts in which every folder exists and task files hold a task. */
export const factsFor = (plan: Change, change: Partial<PlanFacts> = {}): PlanFacts => ({
  providers, policy: policyWith(), overPolicy: false, platform: 'linux',
  workers: (Array.isArray(plan['workers']) ? plan['workers'] : []).map((each: unknown) => ({
    cwd: '/place', isFolder: true,
    task: isObject(each) && typeof each['task'] === 'string' ? each['task'] : 'from a file',
  })),
  ...change,
})

/** Everything found in a plan, shape and rules. */
export function findingsOf(plan: Change, change: Partial<PlanFacts> = {}): Finding[] {
  const shape = checkShape(Plan, readDocument(JSON.stringify(plan), 'plan.json'))
  return [...shape.findings, ...planFindings(shape, factsFor(plan, change))]
}

/** The same as `code path`, in the order found. */
export const shortly = (plan: Change, change: Partial<PlanFacts> = {}): string[] =>
  findingsOf(plan, change).map(({ code, path }) => `${code} ${dotted(path)}`)

/** The plan as a checked value, for what comes after the checks. */
export function checkedPlan(plan: Change): Plan {
  const { value } = checkShape(Plan, readDocument(JSON.stringify(plan), 'plan.json'))
  if (!value) throw new Error('The plan of this test has no valid shape')
  return value
}
