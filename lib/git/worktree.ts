/**
 * Makes the worktree of an isolated worker: `<root>/.alethe/worktrees/skill-<run>-<worker>`, detached at the commit that is
 * checked out, with the plan's seeds in it. Writes one line to the repository's `info/exclude`, and a marker into the
 * worktree's git folder.
 *
 * Everything that changes the common git folder happens under one lock for all runners; checking out the files does not.
 */
import { dirname, join, relative, resolve, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Fail, fail } from '../base/fail.ts'
import { realClock } from '../io/clock.ts'
import { appendLine, makeFolder, readTextIfThere } from '../io/files.ts'
import { commonDir, git, lineOf, ownFolder } from '../io/git.ts'
import { withLock } from '../io/lock.ts'
import { oursIn } from '../io/raw-path.ts'
import { entryAt, realPathOf, removeAll } from '../io/tree-files.ts'
import { type Checkout, gitIn } from './checkout.ts'
import { missingFilters } from './filters.ts'
import { refuseIsolation } from './isolation.ts'
import { clearStale, forget, lockReason, registrationOf, unlock, writeMarker } from './registration.ts'
import { seed } from './seed.ts'
import { writeTree } from './tree.ts'

export interface Worktree {
  /** Top folder of the checkout that it was made from. */
  readonly root: string
  readonly path: string
  /** The worktree with its git folder, as they were when it was made: an agent may change what its `.git` says. */
  readonly checkout: Checkout
  /** Where the worker starts: the sub-folder that it named, inside the worktree. */
  readonly cwd: string
  readonly baseCommit: string
  /** The tree right after seeding: a diff against it holds the worker's work and nothing else. */
  readonly baseTree: string
  /** What a lead should know: seeds that brought nothing. */
  readonly notes: readonly string[]
}

export interface WorktreeRequest {
  readonly cwd: string
  readonly runId: string
  readonly workerId: string
  readonly seedPaths: readonly string[]
}

const worktreesFolder = `${ownFolder}worktrees`
const lockWaitMs = 120_000
const lockOf = (common: string): string => join(common, 'alethe.lock')
const addAttempts = 5
const retryMs = 100

/**
 * @throws `Fail('git.refused')` where there can be no worktree or a seed is not allowed, `git.failed`, `git.timeout` or
 * `lock.busy`; nothing of it is left then
 */
export async function prepareWorktree(request: WorktreeRequest): Promise<Worktree> {
  const { root, common, baseCommit, commitTree } = await repositoryOf(request.cwd)
  const path = join(root, worktreesFolder, `skill-${request.runId}-${request.workerId}`)
  const locked = <T>(body: () => Promise<T>): Promise<T> => withLock(lockOf(common), body, { waitMs: lockWaitMs })
  const discarded = (): Promise<void> => locked(() => discard(common, path))
  await locked(() => clearPlace(root, common, path))
  // From here on, whatever is at that place is ours.
  try {
    const checkout = await persist(async () => {
      const gitDir = await locked(() => register(request, { root, common, path, commit: baseCommit }))
      await checkOut({ root: path, gitDir })
      return { root: path, gitDir }
    }, discarded)
    const notes = await seed(root, path, request.seedPaths)
    const isPlain = request.seedPaths.length === 0 && await isAsCommitted(checkout)
    const baseTree = isPlain ? commitTree : (await writeTree(checkout, { base: baseCommit, isOurs: await oursIn(path, []) })).id
    return { root, path, checkout, cwd: await startFolder(root, path, request.cwd), baseCommit, baseTree, notes }
  } catch (error) {
    // What went wrong first is what is told, also when nothing can be tidied up after it.
    await discarded().catch(() => undefined)
    throw error
  }
}

/** Removes a worktree in which nothing was done. @throws Fail or the system's error when it cannot be removed whole */
export async function discardWorktree({ path, checkout }: Pick<Worktree, 'path' | 'checkout'>): Promise<void> {
  const common = dirname(dirname(checkout.gitDir))
  await withLock(lockOf(common), () => discard(common, path), { waitMs: lockWaitMs })
}

interface Repository { readonly root: string; readonly common: string; readonly baseCommit: string; readonly commitTree: string }

/** In few questions, as each takes git as long as its answers; why there is none to work with is found out by more. */
async function repositoryOf(cwd: string): Promise<Repository> {
  try {
    const questions = ['--is-inside-work-tree', '--show-toplevel', 'HEAD^{commit}', 'HEAD^{tree}']
    const [answer, common] = await Promise.all([git(cwd, ['rev-parse', ...questions]), commonDir(cwd)])
    // The name of a folder may hold anything, also line ends.
    const [, root, baseCommit, commitTree] = /^true\n([\s\S]+)\n([0-9a-f]+)\n([0-9a-f]+)$/.exec(lineOf(answer)) ?? []
    if (root === undefined || baseCommit === undefined || commitTree === undefined) throw fail('git.failed', `Cannot read the repository around "${cwd}"`)
    return { root: resolve(root), common, baseCommit, commitTree }
  } catch (error) {
    const problem = error instanceof Fail ? await refuseIsolation(cwd) : null
    throw problem ? new Fail(problem) : error
  }
}

/** Refuses a place that is taken, and prepares the repository. Runs under the lock. */
async function clearPlace(root: string, common: string, path: string): Promise<void> {
  if (await entryAt(path) !== null) {
    const hint = `git worktree remove --force "${path}"`
    throw fail('git.refused', `Cannot make the worktree "${path}": the folder exists`, { hint })
  }
  await refuseLinkedFolders(root)
  await excludeWorktrees(root, common)
  await makeFolder(join(root, worktreesFolder))
  const stale = await registrationOf(common, path)
  if (stale) await clearStale(stale, path)
}

interface Place { readonly root: string; readonly common: string; readonly path: string; readonly commit: string }

/** Makes the worktree known to git, without its files, and returns its git folder. Runs under the lock. */
async function register({ runId, workerId }: WorktreeRequest, { root, common, path, commit }: Place): Promise<string> {
  // Locked until it is complete, so that `git worktree prune` elsewhere leaves it alone and a cut-off one is known as ours.
  const lock = ['--lock', '--reason', await lockReason()]
  const add = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', ...lock, path, commit]
  await git(root, add, { write: true, to: 'make a worktree' })
  const made = await registrationOf(common, path)
  if (!made) throw fail('git.failed', `Cannot make a worktree in "${path}": git has no record of it`)
  await writeMarker(made.gitDir, { runId, workerId, createdAt: new Date(realClock.now()).toISOString(), pid: process.pid })
  await unlock(made.gitDir)
  return made.gitDir
}

/** A repository may hold `.alethe` as a symbolic link to anywhere. */
async function refuseLinkedFolders(root: string): Promise<void> {
  for (const part of [ownFolder.slice(0, -1), worktreesFolder]) {
    const folder = join(root, part)
    const kind = (await entryAt(folder))?.kind ?? 'folder'
    if (kind !== 'folder') {
      throw fail('git.refused', `Cannot make worktrees in "${folder}": it is not a plain folder`, { hint: 'move it away' })
    }
  }
}

/** Tells git to ignore our worktrees, unless something tells it already. The line goes to the folder that all worktrees share. */
async function excludeWorktrees(root: string, common: string): Promise<void> {
  const file = join(common, 'info', 'exclude')
  const text = await readTextIfThere(file) ?? ''
  const line = `/${worktreesFolder}/`
  // Looked at before git is asked: after the first worker it is there.
  if (text.split('\n').at(-2) === line) return
  const { code } = await git(root, ['check-ignore', '--quiet', '--no-index', `${worktreesFolder}/probe`], { okCodes: [0, 1] })
  if (code === 0) return
  await makeFolder(join(common, 'info'))
  await appendLine(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`)
}

/**
 * Other git processes may hold one of git's own locks for a moment, and a `git worktree prune` that looked just before the lock
 * was written may remove what was made.
 */
async function persist<T>(attempt: () => Promise<T>, cleanUp: () => Promise<void>): Promise<T> {
  for (let left = addAttempts - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Fail) || error.problem.code !== 'git.failed' || left === 0) throw error
      await cleanUp()
      await pause(retryMs * 2 ** (addAttempts - 1 - left))
    }
  }
}

/** Fills the worktree. Its git folder is named: without its `.git`, the user's checkout around it would be reset. */
async function checkOut(worktree: Checkout): Promise<void> {
  try {
    await gitIn(worktree, ['reset', '--hard', '--quiet'], { write: true, to: 'check out the files of a worktree' })
  } catch (error) {
    const missing = error instanceof Fail ? await missingFilters(worktree.root) : []
    if (missing.length === 0) throw error
    const names = missing.map(filter => `"${filter.name}" (${filter.program})`).join(', ')
    const message = `Cannot check out the files of a worktree: the required filter ${names} is not installed`
    throw fail('git.refused', message, { hint: 'install it, or leave out "isolate"' })
  }
}

/**
 * Is a fresh checkout what the commit holds? Not where line ends or filters bring files out otherwise than they went in: then git
 * takes them for changed.
 */
async function isAsCommitted(worktree: Checkout): Promise<boolean> {
  return (await gitIn(worktree, ['diff-files', '--quiet', '--ignore-submodules=all'], { okCodes: [0, 1] })).code === 0
}

/** The same sub-folder inside the worktree; made when the commit does not hold it. */
async function startFolder(root: string, path: string, cwd: string): Promise<string> {
  let folder = path
  for (const name of relative(root, await realPathOf(cwd) ?? cwd).split(sep)) {
    folder = join(folder, name)
    const kind = (await entryAt(folder))?.kind ?? 'folder'
    if (kind !== 'folder') {
      const message = `Cannot isolate a worker in "${cwd}": in the commit "${relative(path, folder)}" is not a folder`
      throw fail('git.refused', message, { hint: 'commit the folder first' })
    }
    await makeFolder(folder)
  }
  return folder
}

/** Removes a worktree that this call has made. */
async function discard(common: string, path: string): Promise<void> {
  await removeAll(path)
  const left = await registrationOf(common, path)
  if (left?.ours) await forget(left.gitDir)
}
