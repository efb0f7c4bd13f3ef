/**
 * From a checked plan to what will be executed: the program of each worker, what its CLI can do, and the exact invocation.
 * `dry-run` prints this value and `run` executes it; a detached runner is handed it whole, so nothing is decided twice.
 */
import { fail } from '../base/fail.ts'
import { maskDeep, type Mask } from '../base/mask.ts'
import { listed } from '../base/text.ts'
import { capture } from '../io/process/capture.ts'
import { readTextIfThere } from '../io/files.ts'
import { gitRoot } from '../io/git.ts'
import type { Host } from '../io/host.ts'
import { launchWords, which } from '../io/which.ts'
import { byText } from '../model/plan-warnings.ts'
import type { Cli, Invocation, Provider, Task } from '../plugin/provider.ts'
import { workerFolder } from './layout.ts'
import type { LoadedPlan, PlannedWorker } from './load-plan.ts'
import { answerOf, ofPlugin } from './plugin-calls.ts'
import { sessionOf, type SessionRecord } from './sessions.ts'

/** A worker ready to start. Plain data: it survives a trip through JSON. */
export interface ResolvedWorker extends PlannedWorker {
  /** The words that start the program; null when it is not installed. */
  readonly launch: readonly string[] | null
  /** What `inspect` found the CLI able to do. */
  readonly cliFacts: unknown
  readonly inGit: boolean
  /** The installed CLI ends by itself at a cost in USD when it is told one. */
  readonly capsCost: boolean
  /** The session to resume, as earlier outcomes know it. */
  readonly session?: SessionRecord
}

export interface Resolved extends Omit<LoadedPlan, 'workers' | 'warnings'> {
  readonly workers: readonly ResolvedWorker[]
  readonly warnings: readonly string[]
}

/** Questions to a CLI, in milliseconds. */
const askLimitMs = 30_000
/** Largest settings file of a CLI that is read. */
const settingsLimit = 1024 * 1024

/** Looks up programs and asks each CLI once what it can do. Spends nothing. */
export async function resolvePlan(host: Host, env: Readonly<Record<string, string>>, plan: LoadedPlan, providers: ReadonlyMap<string, Provider>): Promise<Resolved> {
  const asked = new Map<string, Promise<unknown>>()
  const roots = new Map<string, Promise<string | null>>()
  const workers = await Promise.all(plan.workers.map(async (worker): Promise<ResolvedWorker> => {
    const provider = providers.get(worker.provider)
    if (!provider) throw new Error(`There is no provider "${worker.provider}"`)
    const file = await which(worker.own?.command ?? provider.executable, env, worker.cwd, host.platform)
    const launch = file ? await launchWords(file, host.platform) : null
    const root = remember(roots, worker.cwd, () => gitRoot(worker.cwd))
    const session = worker.resume ? await sessionOf(host, worker.resume) : null
    const resolved = {
      ...worker, launch, inGit: await root !== null, ...(session ? { session } : {}),
      cliFacts: await remember(asked, [provider.id, ...launch ?? []].join('\0'), () => factsOf(host, env, provider, launch)),
    }
    return { ...resolved, capsCost: provider.can.costCap && isCapped(resolved, provider) }
  }))
  refuseUnknownCost(plan, workers)
  const [missing, advice] = [missingPrograms(workers, providers), workers.flatMap(worker => adviceFor(worker, providers))]
  return { ...plan, workers, warnings: [...byText(missing), ...plan.warnings, ...byText(advice)] }
}

async function remember<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = known.get(key)
  if (there) return there
  const made = make()
  known.set(key, made)
  return made
}

const factsOf = async (host: Host, env: Readonly<Record<string, string>>, provider: Provider, launch: readonly string[] | null): Promise<unknown> =>
  launch && provider.inspect ? answerOf(provider.id, async () => provider.inspect?.(cliOf(host, env, launch))) : provider.assumed

/** Any cap shows whether the installed CLI has the option. */
const isCapped = (worker: TaskSource, provider: Provider): boolean =>
  ofPlugin(provider.id, () => provider.invoke({ ...previewTask(worker), costCapUsd: 1 }, worker.cliFacts)).costCapped === true

/** The plan's rules believe what a provider can do; only the installed CLI tells whether it has the option. */
function refuseUnknownCost({ budget }: LoadedPlan, workers: readonly ResolvedWorker[]): void {
  if (budget.maxReportedCostUsd === undefined || budget.unknownCost === 'allow') return
  const uncapped = workers.filter(({ launch, capsCost, costCapUsd }) => launch !== null && !capsCost && costCapUsd === undefined)
  const [first] = uncapped
  if (!first) return
  const names = listed(uncapped.map(({ id }) => id))
  throw fail('budget.unknown-cost', `Cannot hold maxReportedCostUsd ${budget.maxReportedCostUsd} for ${names}: the installed ${first.provider} has no option that ends it at a cost`, {
    hint: 'update that CLI, give these workers "costCapUsd", or set "unknownCost": "allow" in the budget',
  })
}

/** A CLI that may be asked things; answers are never stored, as some print keys. */
export function cliOf(host: Host, env: Readonly<Record<string, string>>, launch: readonly string[]): Cli {
  return {
    env, home: host.home,
    ask: (args, timeoutMs = askLimitMs) => {
      const [file = '', ...more] = launch
      return capture([file, ...more, ...args], { cwd: host.home, env, timeoutMs })
    },
    readText: path => readTextIfThere(path, { maxBytes: settingsLimit }).catch(() => null),
  }
}

interface Advice { readonly id: string; readonly text: string }

const missingPrograms = (workers: readonly ResolvedWorker[], providers: ReadonlyMap<string, Provider>): Advice[] =>
  workers.filter(worker => !worker.launch)
    .map(({ id, own, provider }) => ({ id, text: `"${own?.command ?? providers.get(provider)?.executable}" is not installed, so this will fail` }))

const adviceFor = (worker: ResolvedWorker, providers: ReadonlyMap<string, Provider>): Advice[] =>
  (ofPlugin(worker.provider, () => providers.get(worker.provider)?.advise?.(previewTask(worker))) ?? []).map(text => ({ id: worker.id, text }))

/** What only a running wave knows about a worker. */
export interface Placement { readonly folder: string; readonly cwd: string; readonly timeoutSeconds: number; readonly costCapUsd?: number }

/** What a task is made of. */
export type TaskSource = Omit<ResolvedWorker, 'launch' | 'capsCost'>

/** The task as the provider gets it. */
export function taskOf(worker: TaskSource, place: Placement): Task {
  const { session } = worker
  return {
    id: worker.id, prompt: worker.prompt, mode: worker.mode, cwd: place.cwd, folder: place.folder, isolated: worker.isolate, inGit: worker.inGit,
    mcp: worker.mcp, timeoutSeconds: place.timeoutSeconds, allowCommands: worker.allowCommands,
    ...(worker.model ? { model: worker.model } : {}),
    ...(worker.effort ? { effort: worker.effort } : {}),
    ...(place.costCapUsd === undefined ? {} : { costCapUsd: place.costCapUsd }),
    ...(worker.own ? { own: worker.own } : {}),
    ...(worker.resume ? { resume: {
      session: worker.resume,
      ...(session?.usage ? { usage: session.usage } : {}),
      ...(session?.costUsd === undefined ? {} : { costUsd: session.costUsd }),
    } } : {}),
  }
}

/** Before a run folder exists, places in an invocation are shown by name. */
const previewTask = (worker: TaskSource): Task => taskOf(worker, {
  folder: workerFolder('{run}', worker.id), cwd: worker.isolate ? '{worktree}' : worker.cwd, timeoutSeconds: worker.timeoutSeconds,
  ...(worker.costCapUsd === undefined ? {} : { costCapUsd: worker.costCapUsd }),
})

export interface Shown {
  readonly argv: readonly string[]
  readonly notes: readonly string[]
  readonly env: readonly string[]
}

/** The command line for people and records: the task stands as `{task}`, secrets as names. */
export function shownInvocation(worker: ResolvedWorker, invocation: Invocation, mask: Mask): Shown {
  const hidden = new Set(invocation.promptArgs ?? [])
  const args = invocation.args.map((arg, index) => hidden.has(index) ? arg.replace(worker.prompt, '{task}') : arg)
  return maskDeep({
    argv: [...worker.launch ?? [invocation.file], ...args],
    notes: invocation.notes ?? [],
    env: [...Object.keys(invocation.env ?? {}), ...Object.keys(invocation.envDefaults ?? {})].sort(),
  }, mask)
}

export const previewOf = (worker: ResolvedWorker, provider: Provider, mask: Mask): Shown =>
  shownInvocation(worker, ofPlugin(provider.id, () => provider.invoke(previewTask(worker), worker.cliFacts)), mask)

