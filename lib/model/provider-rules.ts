/** Rules of one worker about the provider that would run it: what its CLI cannot do is refused before anything is spent. Pure. */
import type { ProviderFacts } from './capabilities.ts'
import type { Finding } from './finding.ts'
import { ownCommandFields, type Worker } from './plan.ts'
import { type PlanFacts, promptOf, type SoundWorker, type WorkerField, type WorkerPart } from './plan-parts.ts'
import { readOnlyBy, type Route } from './routing.ts'
import { characters } from './texts.ts'
import { anyOf } from './wording.ts'

interface Job {
  readonly worker: WorkerPart
  readonly fields: SoundWorker
  readonly provider: ProviderFacts
  readonly route: Route
  readonly facts: PlanFacts
}
type Rule = (job: Job) => readonly Finding[]

/** Each rule with the fields it reads beside those that decide about the provider. */
const rules: readonly (readonly [readonly WorkerField[], Rule])[] = [
  [['mode', 'resume'], readOnly],
  [['resume'], needs('resume', ({ can }) => can.resume, 'resume a session')],
  [['model'], needs('model', ({ can }) => can.model, 'be given a model')],
  [['effort'], needs('effort', ({ can }) => can.effort, 'be given an effort')],
  [['allowCommands', 'isolate'], allowCommands],
  [['command'], ({ worker, fields, provider }) => provider.can.ownCommand && fields.command === undefined
    ? [worker.at('command', `${worker.label} needs "command": the program that ${provider.id} runs`)] : []],
  [ownCommandFields, ownCommandOnly],
  [['task', 'taskFile', 'promptTransport', 'args'], taskSize],
]

/** What is wrong between a worker and its provider. */
export function providerFindings(worker: WorkerPart, facts: PlanFacts): Finding[] {
  const { fields, routing } = worker
  if (!routing) return []
  if (!routing.ok) {
    const { code, message, hint } = routing.fault
    return [worker.at('provider', `${worker.label}: ${message}`, hint, code)]
  }
  const job = { worker, fields, provider: routing.route.provider, route: routing.route, facts }
  return rules.flatMap(([reads, rule]) => worker.holds(...reads) ? rule(job) : [])
}

const cannot = (worker: WorkerPart, field: WorkerField, message: string, hint: string): Finding =>
  worker.at(field, message, hint, 'provider.cannot')

function needs(field: WorkerField & keyof Worker, can: (provider: ProviderFacts) => boolean, deed: string): Rule {
  return ({ worker, fields, provider }) => fields[field] === undefined || can(provider) ? []
    : [cannot(worker, field, `${worker.label}: ${provider.id} cannot ${deed}`, `leave "${field}" out, or name another provider`)]
}

function readOnly({ worker, fields, provider }: Job): Finding[] {
  const isResumed = fields.resume !== undefined
  if (fields.mode === 'write' || readOnlyBy(provider.can, isResumed) !== 'none') return []
  const what = isResumed ? 'resume a session read-only' : 'work read-only'
  return [cannot(worker, 'mode', `${worker.label}: ${provider.id} cannot ${what}`, 'set "mode": "write", or change the provider')]
}

function allowCommands({ worker, fields, provider }: Job): Finding[] {
  if (!fields.allowCommands || fields.allowCommands.length === 0) return []
  if (!provider.can.allowCommands) {
    const message = `${worker.label}: ${provider.id} cannot be allowed single commands`
    return [cannot(worker, 'allowCommands', message, 'leave "allowCommands" out')]
  }
  return fields.isolate ? [] : [worker.at('allowCommands',
    `${worker.label} may be allowed commands only as an isolated writer`, 'set "mode": "write" and "isolate": true')]
}

function ownCommandOnly({ worker, fields, provider, facts }: Job): Finding[] {
  if (provider.can.ownCommand) return []
  const others = facts.providers.filter(({ can }) => can.ownCommand).map(({ id }) => `"${id}"`)
  return ownCommandFields.filter(field => fields[field] !== undefined).map((field): Finding => ({
    ...worker.at(field, `"${field}" belongs to a provider that takes its command line from the plan, not to ${provider.id}`,
      others.length > 0 ? `leave it out, or set "provider": ${anyOf(others)}` : 'leave it out'),
    at: 'key',
  }))
}

/** The most that Windows takes as one argument, in characters (CreateProcess: 32,767 for the whole command line). */
const windowsArgument = 30_000

function taskSize({ worker, fields, provider, route, facts }: Job): Finding[] {
  const task = worker.facts?.task
  if (task === undefined) return []
  const { id } = provider
  const prompt = promptOf(task, fields.mode, route)
  const field = fields.taskFile === undefined ? 'task' : 'taskFile'
  const { promptVia, maxPrompt } = provider.can
  const isArgument = promptVia === 'argument' || (promptVia === 'plan' && (fields.promptTransport === 'argument' || (fields.args ?? []).some(arg => arg.includes('{prompt}'))))
  if (isArgument && prompt.includes('\0')) return [worker.at(field, `${worker.label}: a task in an argument cannot hold NUL`)]
  if (promptVia === 'plan' && !isArgument) return []
  const limit = isArgument && facts.platform === 'win32' ? { size: windowsArgument, unit: 'characters' as const } : maxPrompt
  const size = limit.unit === 'bytes' ? Buffer.byteLength(prompt) : characters(prompt)
  const most = `at most ${limit.size}${isArgument ? ' as an argument' : ''}`
  return size <= limit.size ? [] : [worker.at(field,
    `${worker.label}: its task has ${size} ${limit.unit} with the worker contract, ${id} takes ${most}`,
    'shorten it, or point to files instead of copying them')]
}
