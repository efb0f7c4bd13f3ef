/** The limits of a wave as plans and policies write them; the ledger keeps account of them. */
import * as v from 'valibot'
import { broken, type Finding, type Path } from './finding.ts'

const about = <const S extends v.GenericSchema>(schema: S, text: string) => v.exactOptional(v.pipe(schema, v.description(text)))
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const countTo = (most: number) => v.pipe(count, v.maxValue(most))

/** JSON can write numbers that become infinite, and those cannot be stored again. */
export const Dollars = v.pipe(v.number(), v.gtValue(0), v.maxValue(1_000_000))

export const unknownCosts = ['refuse', 'allow'] as const

export const Budget = v.strictObject({
  maxCalls: about(countTo(10_000), 'Most workers started'),
  maxWallSeconds: about(countTo(86_400), 'Seconds after which no worker starts and running ones are ended'),
  maxEstimatedPromptTokens: about(count, 'Most tokens of all tasks, estimated as characters / 4; checked before anything starts'),
  maxReportedTokens: about(count, 'Most tokens that the CLIs report, without cache reads'),
  maxTotalTokens: about(count, 'Most tokens that the CLIs report, cache reads included'),
  maxReportedCostUsd: about(Dollars, 'Most US dollars'),
  unknownCost: about(v.picklist(unknownCosts), 'Workers whose cost is unknown under maxReportedCostUsd (default refuse)'),
})
export type Budget = v.InferOutput<typeof Budget>

/** Names of the limits that are numbers. */
export const limits = [
  'maxCalls', 'maxWallSeconds', 'maxEstimatedPromptTokens', 'maxReportedTokens', 'maxTotalTokens', 'maxReportedCostUsd',
] as const

/** Where a plan's budget asks for more than the policy allows: each place names both. */
export function overPolicy(plan: Budget, policy: Budget, path: Path): Finding[] {
  const hint = 'lower it, or pass --over-policy when the user agrees'
  const above = (name: keyof Budget, wanted: string | number, allowed: string | number): Finding =>
    broken([...path, name], `The plan's ${name} ${wanted} is above the policy's ${allowed}`, hint, 'budget.over-policy')
  const higher = limits.flatMap(name => {
    const [wanted, allowed] = [plan[name], policy[name]]
    return wanted === undefined || allowed === undefined || wanted <= allowed ? [] : [above(name, wanted, allowed)]
  })
  const loosens = plan.unknownCost === 'allow' && policy.unknownCost === 'refuse'
  return loosens ? [...higher, above('unknownCost', '"allow"', '"refuse"')] : higher
}
