/**
 * A plan as people and agents write it: one schema, from which the types and `schemas/plan.schema.json` come. Only shape; what
 * fields may be combined is in plan-rules.ts. A field that is null counts as left out.
 */
import * as v from 'valibot'
import { Budget, Dollars } from './budget.ts'
import { noteLimits } from './names.ts'
import { mostWorkers, strategies, strategyAliases } from './strategy.ts'
import { ArgText, CommandText, IdText, NameText, Text } from './texts.ts'
import { tiers } from './tiers.ts'

export const planVersion = 1
export const defaultTimeoutSeconds = 1_800

export const modes = ['read-only', 'write'] as const
export type Mode = typeof modes[number]

const maybe = <const S extends v.GenericSchema>(schema: S, text: string) => v.exactOptional(v.pipe(schema, v.description(text)))
const must = <const S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text))
const seconds = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(86_400))
const workerCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostWorkers))
const strategyWords = `${Object.keys(strategies).join(', ')}; also ${Object.keys(strategyAliases).join(', ')}`

export const Worker = v.strictObject({
  id: must(IdText, 'Names the worker and its folder; unique in the plan whatever the case'),
  why: maybe(Text, `Why this worker and this provider, at most ${noteLimits.workerWhy} characters`),
  provider: must(Text, 'A provider id or alias, or "auto" for the first fitting one of the policy\'s order'),
  mode: maybe(v.picklist(modes), 'read-only (default) or write'),
  cwd: must(Text, 'An existing folder to work in, absolute, from ~, or relative to the plan\'s folder'),
  task: maybe(Text, 'What to do: goal, definition of done, owned paths, rules, checks. The worker contract is added'),
  taskFile: maybe(Text, 'A UTF-8 file with the task instead, relative to the plan\'s folder'),
  timeoutSeconds: maybe(seconds(1), 'Seconds after which the worker is ended (default: defaultTimeoutSeconds)'),
  idleTimeoutSeconds: maybe(seconds(5), 'Seconds without output after which the worker is ended (default: never)'),
  isolate: maybe(v.boolean(), 'Work in a git worktree of its own; for mode write only'),
  seedPaths: maybe(v.array(Text), 'Uncommitted paths that an isolated worker starts with, relative to its repository'),
  model: maybe(NameText, 'The model, as the CLI names it; else the tier decides'),
  effort: maybe(NameText, 'The effort, as the CLI names it; else the tier decides'),
  tier: maybe(v.picklist(tiers), 'The tier whose model is taken (default standard; cheap under strategy economy)'),
  resume: maybe(NameText, 'The session to go on with, from an earlier outcome of the same provider and folder'),
  mcp: maybe(v.boolean(), 'Let the CLI start its configured MCP servers (default false)'),
  allowCommands: maybe(v.array(CommandText), 'Commands that an isolated writer may run, such as "npm test"'),
  costCapUsd: maybe(Dollars, 'Most US dollars for this worker, enforced where the CLI can; else what is reserved for it'),
  command: maybe(ArgText, 'The program, for a provider that takes its command line from the plan'),
  args: maybe(v.array(ArgText), 'Its arguments; {cwd}, {prompt} and {result} are replaced'),
  promptTransport: maybe(v.picklist(['stdin', 'argument']), 'How the program gets the task (default stdin)'),
  outputFormat: maybe(v.picklist(['text', 'json', 'jsonl']), 'What the program prints (default text)'),
  allowUnsafe: maybe(v.boolean(), 'Allow flags that turn a program\'s own safety off; only when the user asked for it'),
})
export type Worker = v.InferOutput<typeof Worker>

export const Plan = v.strictObject({
  $schema: maybe(Text, 'Where editors find this schema'),
  version: must(v.literal(planVersion), 'The format'),
  title: maybe(Text, `What the wave is, at most ${noteLimits.title} characters`),
  why: maybe(Text, `Why it is run, at most ${noteLimits.why} characters`),
  playbook: maybe(NameText, 'The playbook that the wave belongs to'),
  phase: maybe(NameText, 'The phase of that playbook'),
  strategy: maybe(Text, `Limits on workers and how many run at once (default: the policy's): ${strategyWords}`),
  preset: maybe(Text, 'The old name of strategy'),
  maxConcurrent: maybe(workerCount, 'Most workers at once; strategy and policy may lower it'),
  defaultTimeoutSeconds: maybe(seconds(1), `timeoutSeconds of workers without one (default ${defaultTimeoutSeconds})`),
  budget: maybe(Budget, 'Limits of the wave; may only lower the policy\'s'),
  workers: must(v.pipe(v.array(Worker), v.minLength(1), v.maxLength(mostWorkers)), 'The workers, started in this order'),
})
export type Plan = v.InferOutput<typeof Plan>

/** Fields that only a provider that takes its command line from the plan has. */
export const ownCommandFields =
  ['command', 'args', 'promptTransport', 'outputFormat', 'allowUnsafe'] as const satisfies readonly (keyof Worker)[]
