/**
 * The ground a worker stands on: its own worktree, or a checkout that it shares. What it changed there is told from the state
 * before, whatever the worker says. What cannot be judged is left out, never called false.
 */
import { headCommit } from '../io/git.ts'
import type { OutcomeFacts } from '../model/outcome.ts'
import type { WaveContext } from './context.ts'
import { captureDiff, type DiffRequest } from '../git/diff.ts'
import { workerFiles } from './layout.ts'
import type { ResolvedWorker } from './resolve.ts'
import { changedPaths, type Snapshot, treeOf } from '../git/snapshot.ts'
import { prepareWorktree, type Worktree } from '../git/worktree.ts'

/** Most paths listed in an outcome. */
const listedPaths = 200

export interface Shared { readonly root: string; readonly before: Snapshot | null; readonly baseTree: string | null; readonly baseCommit: string | null }

export interface Ground {
  /** Where the worker starts. */
  readonly cwd: string
  readonly worktree?: Worktree
  readonly shared?: Shared
}

/** Makes the worktree, or takes the snapshot of a shared checkout. */
export async function prepareGround(wave: WaveContext, worker: ResolvedWorker): Promise<Ground> {
  if (worker.isolate) {
    const worktree = await prepareWorktree({ cwd: worker.cwd, runId: wave.runId, workerId: worker.id, seedPaths: worker.seedPaths })
    return { cwd: worktree.cwd, worktree }
  }
  const root = worker.inGit ? await wave.snapshots.rootOf(worker.cwd) : null
  if (root === null) return { cwd: worker.cwd }
  wave.sharing.enter(root, worker.id, worker.mode)
  const before = await wave.snapshots.now(root)
  const baseCommit = worker.mode === 'write' ? await headCommit(root) : null
  const baseTree = baseCommit === null ? null : await treeOf(root, { ignore: [wave.folder] })
  return { cwd: worker.cwd, shared: { root, before, baseTree, baseCommit } }
}

export type GroundFacts = Pick<OutcomeFacts,
  'worktree' | 'baseTree' | 'baseCommit' | 'diffPath' | 'diffError' | 'diffStats' | 'commits' | 'notKept' | 'readOnlyViolation' | 'touchedFiles' | 'dirtyBefore' | 'sharedCheckoutWith'>

/** Looks at what the worker left, after its last process has ended. */
export async function readGround(wave: WaveContext, worker: ResolvedWorker, ground: Ground): Promise<GroundFacts> {
  if (ground.worktree) {
    const { path, checkout, baseTree, baseCommit } = ground.worktree
    return { worktree: path, baseTree, baseCommit, ...await diffFacts(wave, worker, { root: path, checkout, baseTree, baseCommit }) }
  }
  return ground.shared ? readShared(wave, worker, ground.shared) : {}
}

async function readShared(wave: WaveContext, worker: ResolvedWorker, { root, before, baseTree, baseCommit }: Shared): Promise<GroundFacts> {
  const diff = baseTree === null || baseCommit === null ? {} : { baseTree, baseCommit, ...await diffFacts(wave, worker, { root, baseTree, baseCommit }) }
  const found = before ? await wave.snapshots.now(root, before) : null
  // Only now: whoever starts while this is looked at may be seen in it.
  const beside = wave.sharing.leave(root, worker.id)
  const writerBeside = beside.some(other => other.mode === 'write')
  const after = writerBeside ? null : found
  const touched = before && after ? changedPaths(before, after) : null
  return {
    ...diff,
    ...(beside.length > 0 ? { sharedCheckoutWith: beside.map(other => other.id).sort() } : {}),
    ...(touched ? { touchedFiles: touched.slice(0, listedPaths) } : {}),
    ...(touched && worker.mode === 'read-only' ? { readOnlyViolation: touched.length > 0 } : {}),
    ...(before && touched && worker.mode === 'write' ? { dirtyBefore: touched.filter(path => before.entries.has(path)).slice(0, listedPaths) } : {}),
  }
}

type Base = Pick<DiffRequest, 'root' | 'checkout' | 'baseTree' | 'baseCommit'>

async function diffFacts(wave: WaveContext, worker: ResolvedWorker, base: Base): Promise<GroundFacts> {
  const files = workerFiles(wave.folder, worker.id)
  const report = await captureDiff({ ...base, out: files.diff, statusOut: files.status, exclude: [wave.folder] })
  return {
    ...(report.patch ? { diffPath: report.patch } : {}),
    ...(report.error ? { diffError: report.error } : {}),
    ...(report.error === null ? { diffStats: report.stats } : {}),
    ...(report.commits.length > 0 ? { commits: [...report.commits] } : {}),
    ...(report.notKept.length > 0 ? { notKept: [...report.notKept] } : {}),
  }
}
