/**
 * The ground a worker stands on: its own worktree, or a checkout that it shares. What it changed there is told from the state
 * before, whatever the worker says. What cannot be judged is left out, never called false.
 */
import { listed } from '../base/text.ts'
import { captureDiff, type DiffRequest } from '../git/diff.ts'
import { changedPaths, type Snapshot, treeOf } from '../git/snapshot.ts'
import { prepareWorktree, type Worktree } from '../git/worktree.ts'
import { headCommit } from '../io/git.ts'
import type { OutcomeFacts } from '../model/outcome.ts'
import type { WaveContext } from './context.ts'
import { workerFiles } from './layout.ts'
import type { ResolvedWorker } from './resolve.ts'
import { warningsOf } from './settled.ts'

/** Most paths listed in an outcome. */
const listedPaths = 200

export interface Shared { readonly root: string; readonly before: Snapshot | null }
export type Base = Pick<OutcomeFacts, 'worktree' | 'baseTree' | 'baseCommit'>

export interface Ground {
  /** Where the worker starts. */
  readonly cwd: string
  readonly worktree?: Worktree
  readonly shared?: Shared
  /** What its diff is taken against; nothing where no diff is taken. */
  readonly base: Base
}

/** Makes the worktree, or takes the snapshot of a shared checkout. */
export async function prepareGround(wave: WaveContext, worker: ResolvedWorker): Promise<Ground> {
  if (worker.isolate) {
    const worktree = await prepareWorktree({ cwd: worker.cwd, runId: wave.runId, workerId: worker.id, seedPaths: worker.seedPaths })
    const { path, baseTree, baseCommit } = worktree
    return { cwd: worktree.cwd, worktree, base: { worktree: path, baseTree, baseCommit } }
  }
  const root = worker.inGit ? await wave.snapshots.rootOf(worker.cwd) : null
  if (root === null) return { cwd: worker.cwd, base: {} }
  wave.sharing.enter(root, worker.id, worker.mode)
  try {
    const before = await wave.snapshots.now(root)
    const baseCommit = worker.mode === 'write' ? await headCommit(root) : null
    const baseTree = baseCommit === null ? null : await treeOf(root, { ignore: [wave.folder] })
    return { cwd: worker.cwd, shared: { root, before }, base: baseTree === null || baseCommit === null ? {} : { baseTree, baseCommit } }
  } catch (error) {
    wave.sharing.leave(root, worker.id)
    throw error
  }
}

export type GroundFacts = Base & Pick<OutcomeFacts,
  'diffPath' | 'diffError' | 'diffStats' | 'commits' | 'notKept' | 'readOnlyViolation' | 'touchedFiles' | 'dirtyBefore' | 'sharedCheckoutWith' | 'warnings'>

/** Looks at what the worker left, after its last process has ended. */
export async function readGround(wave: WaveContext, worker: ResolvedWorker, { worktree, shared, base }: Ground): Promise<GroundFacts> {
  if (worktree) return { ...base, ...await diffFacts(wave.folder, worker.id, { root: worktree.path, checkout: worktree.checkout, ...base }) }
  return shared ? { ...base, ...await readShared(wave, worker, shared, base) } : {}
}

async function readShared(wave: WaveContext, worker: ResolvedWorker, { root, before }: Shared, base: Base): Promise<GroundFacts> {
  const { touchedFiles: inDiff, ...diff } = await diffFacts(wave.folder, worker.id, { root, ...base })
  const found = before ? await wave.snapshots.now(root, before) : null
  // Only now: whoever starts while this is looked at may be seen in it.
  const beside = wave.sharing.leave(root, worker.id)
  const writers = beside.filter(other => other.mode === 'write').map(other => other.id).sort()
  const after = writers.length > 0 ? null : found
  const touched = before && after ? changedPaths(before, after) : writers.length > 0 ? null : inDiff
  const mixed = diff.diffPath && writers.length > 0 ? [`its diff may hold changes of ${listed(writers)}, who wrote in the same checkout`] : []
  return {
    ...diff,
    ...warningsOf(diff.warnings, mixed),
    ...(beside.length > 0 ? { sharedCheckoutWith: beside.map(other => other.id).sort() } : {}),
    ...(touched ? { touchedFiles: touched.slice(0, listedPaths) } : {}),
    ...(touched && worker.mode === 'read-only' ? { readOnlyViolation: touched.length > 0 } : {}),
    ...(before && touched && worker.mode === 'write' ? { dirtyBefore: touched.filter(path => before.entries.has(path)).slice(0, listedPaths) } : {}),
  }
}

/** The patch against a base, its figures, and what it cannot hold; nothing without a base. Writes into the worker's folder. */
export async function diffFacts(runFolder: string, id: string, { root, checkout, baseTree, baseCommit }: Pick<DiffRequest, 'root' | 'checkout'> & Base): Promise<GroundFacts> {
  if (!baseTree || !baseCommit) return {}
  const files = workerFiles(runFolder, id)
  const report = await captureDiff({ root, ...(checkout ? { checkout } : {}), baseTree, baseCommit, out: files.diff, statusOut: files.status, exclude: [runFolder] })
  return {
    ...(report.patch ? { diffPath: report.patch } : {}),
    ...(report.error ? { diffError: report.error } : {}),
    ...(report.error === null ? { diffStats: report.stats, touchedFiles: report.files.map(({ path }) => path) } : {}),
    ...(report.commits.length > 0 ? { commits: [...report.commits] } : {}),
    ...(report.notKept.length > 0 ? { notKept: [...report.notKept] } : {}),
    ...warningsOf(report.headMoved === null ? [] : [report.headMoved]),
  }
}
