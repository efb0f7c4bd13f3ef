/**
 * From files to a checked plan: reads the plan, the policy and task files, looks at the workers' folders, and refuses with every
 * problem at once. `validate`, `dry-run` and `run` share it. Writes nothing, starts nothing.
 */
import { dirname, resolve } from 'node:path'
import { Fail } from '../base/fail.ts'
import { isFolder, readText } from '../io/files.ts'
import { isDirty } from '../io/git.ts'
import type { Host } from '../io/host.ts'
import type { ProviderFacts } from '../model/capabilities.ts'
import { checkShape, documentLimit, readDocument, refuse, type Shape } from '../model/document.ts'
import { quoted } from '../model/finding.ts'
import { Plan } from '../model/plan.ts'
import type { PlanFacts, WorkerFacts } from '../model/plan-parts.ts'
import { planFindings } from '../model/plan-rules.ts'
import { planWarnings } from '../model/plan-warnings.ts'
import { type PlannedWave, settlePlan } from '../model/planned.ts'
import { expandHome } from '../model/policy-place.ts'
import { isObject, soundFields } from '../model/shape.ts'
import { strategyNamed, unknownStrategy } from '../model/strategy.ts'
import { loadPolicy } from './policy.ts'

export type { PlannedWorker } from '../model/planned.ts'

/** A plan that nothing speaks against. */
export interface LoadedPlan extends PlannedWave {
  /** What is allowed and still worth a word; advice of plugins comes later. */
  readonly warnings: readonly string[]
  readonly planPath: string
  readonly policyPath: string
}

export interface LoadOptions {
  /** Absolute. */
  readonly planPath: string
  /** Absolute; without a file there the defaults hold. */
  readonly policyPath: string
  /** Wins over the plan's. */
  readonly strategy?: string
  /** Let the plan's budget exceed the policy's. */
  readonly overPolicy?: boolean
  readonly providers: readonly ProviderFacts[]
  readonly host: Pick<Host, 'home' | 'platform'>
}

/** @throws Fail with everything that is wrong with the policy, or else with the plan */
export async function loadPlan(options: LoadOptions): Promise<LoadedPlan> {
  const { planPath, policyPath, providers, host } = options
  const strategy = options.strategy === undefined ? undefined : strategyNamed(options.strategy)
  if (options.strategy !== undefined && !strategy) {
    throw unknownStrategy(options.strategy)
  }
  const policy = await loadPolicy(policyPath, providers)
  const document = readDocument(await readText(planPath, { maxBytes: documentLimit }), planPath)
  const shape = checkShape(Plan, document)
  const facts: PlanFacts = {
    providers, policy, overPolicy: options.overPolicy ?? false, platform: host.platform,
    workers: await workerFacts(shape, dirname(planPath), host), ...(strategy ? { strategy } : {}),
  }
  refuse(document, [...shape.findings, ...planFindings(shape, facts)])
  if (!shape.value) throw new Error('A plan without findings has its shape')
  const plan = settlePlan(shape.value, facts)
  return { ...plan, warnings: planWarnings(plan, { providers, dirty: await dirtyFolders(plan) }), planPath, policyPath }
}

/** What the machine says about each worker; one file or folder after the other, each looked at once. */
async function workerFacts(shape: Shape<unknown>, folder: string, host: LoadOptions['host']): Promise<WorkerFacts[]> {
  const raw = isObject(shape.input) && Array.isArray(shape.input['workers']) ? shape.input['workers'] : []
  const folders = new Map<string, boolean>()
  const files = new Map<string, TaskText>()
  const all: WorkerFacts[] = []
  for (const [index, worker] of raw.entries()) {
    const { cwd, task, taskFile } = soundFields(shape, worker, ['workers', index])
    const path = resolve(folder, typeof cwd === 'string' ? expandHome(cwd, host.home, host.platform) : '.')
    const isThere = folders.get(path) ?? await isFolder(path)
    folders.set(path, isThere)
    const file = typeof taskFile === 'string' && task === undefined ? resolve(folder, taskFile) : undefined
    const text = file === undefined ? typeof task === 'string' ? { task } : {} : files.get(file) ?? await taskText(file)
    if (file !== undefined) files.set(file, text)
    all.push({ cwd: path, isFolder: isThere, ...text })
  }
  return all
}

type TaskText = Pick<WorkerFacts, 'task' | 'taskFault'>

async function taskText(path: string): Promise<TaskText> {
  try {
    const text = await readText(path, { maxBytes: documentLimit })
    // The decoder puts this mark where bytes are not UTF-8.
    if (text.includes('\uFFFD')) return { taskFault: `The task file ${quoted(path)} is not UTF-8` }
    return text.trim() === '' ? { taskFault: `The task file ${quoted(path)} is empty` } : { task: text }
  } catch (error) {
    if (!(error instanceof Fail)) throw error
    return { taskFault: error.message }
  }
}

/** Folders in which a writer would work beside uncommitted changes; a git that cannot tell is no reason to refuse a plan. */
async function dirtyFolders(plan: PlannedWave): Promise<Set<string>> {
  const shared = new Set(plan.workers.filter(({ mode, isolate }) => mode === 'write' && !isolate).map(({ cwd }) => cwd))
  const dirty = new Set<string>()
  for (const cwd of shared) {
    const isKnownDirty = await isDirty(cwd).catch((error: unknown) => {
      if (error instanceof Fail) return false
      throw error
    })
    if (isKnownDirty) dirty.add(cwd)
  }
  return dirty
}
