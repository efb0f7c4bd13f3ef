/** The parts of a plan whose shape holds, for rules: a rule runs where every field that it reads holds, and nowhere else. */
import * as v from 'valibot'
import { Budget } from './budget.ts'
import type { ProviderFacts } from './capabilities.ts'
import { withContract } from './contract.ts'
import { broken, type Finding, quoted } from './finding.ts'
import { Plan, Worker } from './plan.ts'
import type { Policy } from './policy.ts'
import { isProviderName, type Route, routeOf, type Routing } from './routing.ts'
import { type Shape, soundFields, isObject } from './shape.ts'
import type { Strategy } from './strategy.ts'
import { IdText, Text } from './texts.ts'

/** What the machine says about one worker, in the order of the plan. */
export interface WorkerFacts {
  /** Its folder, absolute. */
  readonly cwd: string
  readonly isFolder: boolean
  /** The task, from the plan or its file. */
  readonly task?: string
  /** Why its task file cannot be used. */
  readonly taskFault?: string
}

/** Everything outside the plan that its rules look at. */
export interface PlanFacts {
  readonly providers: readonly ProviderFacts[]
  readonly policy: Policy
  /** The strategy of the command line, which wins over the plan's. */
  readonly strategy?: Strategy
  /** Let the plan's budget exceed the policy's. */
  readonly overPolicy: boolean
  readonly platform: NodeJS.Platform
  readonly workers: readonly WorkerFacts[]
}

/** Fields that hold; what does not is missing like what was left out, so rules ask `holds` first. */
const SoundWorker = v.strictObject({
  ...Worker.entries, id: v.exactOptional(IdText), provider: v.exactOptional(Text), cwd: v.exactOptional(Text),
})
export type SoundWorker = v.InferOutput<typeof SoundWorker>
export type WorkerField = keyof SoundWorker

const { workers: _, version: __, ...planEntries } = Plan.entries
const SoundPlan = v.strictObject(planEntries)
export type SoundPlan = v.InferOutput<typeof SoundPlan>
export type PlanField = keyof SoundPlan

/** One worker as its rules see it. */
export interface WorkerPart {
  readonly index: number
  readonly fields: SoundWorker
  readonly facts: WorkerFacts | undefined
  /** How messages call it. */
  readonly label: string
  holds(...fields: readonly WorkerField[]): boolean
  /** A finding at one of its fields. */
  at(field: WorkerField, message: string, hint?: string, code?: Finding['code']): Finding
  /** Undefined where a field that decides about the provider does not hold. */
  readonly routing: Routing | undefined
}

export interface PlanParts {
  readonly fields: SoundPlan
  holds(...fields: readonly PlanField[]): boolean
  /** Limits of the plan that hold. */
  readonly budget: Budget
  readonly workers: readonly WorkerPart[]
  /** Every entry of `workers` is there and an object. */
  readonly whole: boolean
}

/** Takes the sound parts of a checked document. */
export function planParts(shape: Shape<unknown>, facts: PlanFacts): PlanParts {
  const top = soundFields(shape, shape.input, [])
  const { workers: _workers, version: _version, ...own } = top
  const raw = isObject(shape.input) ? shape.input : {}
  const list = Array.isArray(raw['workers']) ? raw['workers'] : []
  const workers = list.flatMap((worker, index) => isObject(worker) ? [workerPart(shape, worker, index, facts)] : [])
  return {
    fields: v.parse(SoundPlan, own), workers, whole: list.length > 0 && workers.length === list.length,
    holds: (...fields) => isObject(shape.input) && fields.every(field => !shape.broken([field])),
    budget: v.parse(Budget, soundFields(shape, raw['budget'], ['budget'])),
  }
}

function workerPart(shape: Shape<unknown>, raw: unknown, index: number, facts: PlanFacts): WorkerPart {
  const path = ['workers', index]
  const fields = v.parse(SoundWorker, soundFields(shape, raw, path))
  const holds = (...names: readonly WorkerField[]): boolean => names.every(name => !shape.broken([...path, name]))
  return {
    index, fields, holds, facts: facts.workers[index],
    label: fields.id === undefined ? `workers.${index}` : `Worker ${quoted(fields.id)}`,
    at: (field, message, hint, code) => broken([...path, field], message, hint, code),
    routing: routingOf(fields, holds('mode', 'model', 'effort', 'resume'), facts),
  }
}

/** A name that nobody has needs no other field to be refused. */
function routingOf(fields: SoundWorker, isWhole: boolean, { providers, policy }: PlanFacts): Routing | undefined {
  const { provider } = fields
  if (provider === undefined || (!isWhole && isProviderName(provider, providers))) return undefined
  return routeOf({ ...fields, provider, mode: fields.mode ?? 'read-only' }, policy, providers)
}

/** The prompt that a worker gets from a provider. */
export const promptOf = (task: string, mode: Worker['mode'], { provider }: Route): string =>
  withContract(task, { readOnly: (mode ?? 'read-only') === 'read-only', exact: provider.can.ownCommand })
