/**
 * What a worker left: everything that differs between the tree it started from and its working tree now, committed or not, as
 * one patch that `git apply` takes, with figures, commits and what the patch cannot hold. The user's diff settings do not
 * matter: trees are compared by plumbing. Writes the patch and `status.txt`.
 */
import { join } from 'node:path'
import { Fail } from '../base/fail.ts'
import { readTextIfThere, writeWhole } from '../io/files.ts'
import { lineOf } from '../io/git.ts'
import { oursIn, rawPaths, shownPath } from '../io/raw-path.ts'
import { realPathOf } from '../io/tree-files.ts'
import { type Checkout, gitIn, openCheckout } from './checkout.ts'
import { writeTree } from './tree.ts'

/** Most files and commits listed. */
const mostListed = 200

export interface DiffRequest {
  /** Top folder of the worktree or checkout. */
  readonly root: string
  /** The same with its git folder, where that is known; else it is looked for. */
  readonly checkout?: Checkout
  readonly baseTree: string
  readonly baseCommit: string
  /** Where the patch goes. */
  readonly out: string
  /** Where git's status goes. */
  readonly statusOut: string
  /** Absolute folders whose untracked files are ours. */
  readonly exclude?: readonly string[]
}

export interface ChangedFile {
  readonly path: string
  /** Lines; null for a binary file. */
  readonly added: number | null
  readonly deleted: number | null
  readonly kind: 'added' | 'deleted' | 'modified' | 'renamed' | 'type changed'
  /** The former path of a renamed file. */
  readonly from?: string
}

export type DiffStats = { files: number; added: number; deleted: number }
export type Commit = { id: string; subject: string }

export interface DiffReport {
  /** Path of the patch; null when nothing changed. */
  readonly patch: string | null
  /** The first 200; `stats` counts all. */
  readonly files: readonly ChangedFile[]
  readonly stats: DiffStats
  /** Commits that HEAD reaches now and the base did not, newest first, at most 200. */
  readonly commits: readonly Commit[]
  /** A sentence when HEAD is not where it was. */
  readonly headMoved: string | null
  /** Changes that the patch does not hold, and why. */
  readonly notKept: readonly string[]
  /** Why there is no patch, or what could not be read; null when all is well. */
  readonly error: string | null
}

const nothing: DiffReport = {
  patch: null, files: [], stats: { files: 0, added: 0, deleted: 0 }, commits: [], headMoved: null, notKept: [], error: null,
}

/** Never rejects for a fault of git or of the repository: that is `error`, with whatever else could be found out. */
export async function captureDiff(request: DiffRequest): Promise<DiffReport> {
  const faults: string[] = []
  const attempt = async <T>(part: Promise<T>): Promise<T | null> => {
    try {
      return await part
    } catch (error) {
      if (!(error instanceof Fail)) throw error
      faults.push(error.message)
      return null
    }
  }
  // The folder may be gone or be another by now: then it is said what is wrong with it.
  const known = request.checkout && await realPathOf(request.root) === request.checkout.root ? request.checkout : null
  const checkout = known ?? await attempt(openCheckout(request.root))
  const changed = checkout && await attempt(changes(checkout, request))
  const moved = checkout && await attempt(history(checkout, request.baseCommit))
  if (checkout) await writeStatus(checkout, request.statusOut)
  return { ...nothing, ...changed, ...moved, error: faults.length > 0 ? faults.join('; ') : null }
}

/** Options of every comparison: settings and attributes of the user must not reach the patch. */
const plain = [
  '-r', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--find-renames', '-l1000',
  '--ignore-submodules=none', '--submodule=short',
]
const patchOnly = ['--patch', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '--unified=3']

async function changes(checkout: Checkout, { baseTree, out, exclude }: DiffRequest): Promise<Partial<DiffReport>> {
  const { id, notKept } = await writeTree(checkout, { base: baseTree, isOurs: await oursIn(checkout.root, exclude ?? []) })
  if (id === baseTree) return { notKept }
  // Comparing trees needs no index, yet git stumbles over a broken one.
  const env = { GIT_INDEX_FILE: `${out}.no-index` }
  const { stdout } = await gitIn(checkout, ['diff-tree', ...plain, '--raw', '--numstat', '-z', baseTree, id], { env })
  const files = changedFiles(rawPaths(stdout))
  if (files.length === 0) return { notKept }
  // Made first, so that git finds a file that is the user's alone. A patch may be large: git writes it, it is never held here.
  await writeWhole(out, '')
  await gitIn(checkout, ['diff-tree', ...plain, ...patchOnly, `--output=${out}`, baseTree, id], { env })
  const sum = (of: 'added' | 'deleted'): number => files.reduce((total, file) => total + (file[of] ?? 0), 0)
  const stats = { files: files.length, added: sum('added'), deleted: sum('deleted') }
  return { patch: out, files: files.slice(0, mostListed), stats, notKept }
}

const kinds: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'deleted', R: 'renamed', T: 'type changed' }

/**
 * Reads `--raw --numstat -z`: for each file `:<modes> <ids> <status>` and its path (two for a rename), then for each file
 * `<added>\t<deleted>\t<path>`, with an empty path and then both paths for a rename.
 */
function changedFiles(fields: readonly string[]): ChangedFile[] {
  const queue = [...fields].reverse()
  const next = (): string => queue.pop() ?? ''
  const found: Pick<ChangedFile, 'path' | 'kind' | 'from'>[] = []
  while (queue.at(-1)?.startsWith(':')) {
    const status = next().split(' ').at(-1)?.charAt(0) ?? ''
    const from = status === 'R' ? shownPath(next()) : undefined
    found.push({ path: shownPath(next()), kind: kinds[status] ?? 'modified', ...(from === undefined ? {} : { from }) })
  }
  return found.map(file => {
    const [added = '', deleted = '', path] = next().split('\t')
    if (path === '') queue.length -= 2
    return { ...file, added: added === '-' ? null : Number(added), deleted: deleted === '-' ? null : Number(deleted) }
  })
}

async function history(checkout: Checkout, baseCommit: string): Promise<Partial<DiffReport>> {
  const ask = async (...args: string[]): Promise<string> => lineOf(await gitIn(checkout, args, { okCodes: [0, 1] }))
  // Most workers leave HEAD where it was, detached: then git need not be asked.
  const stored = await readTextIfThere(join(checkout.gitDir, 'HEAD')).catch(() => null)
  if (stored?.trim() === baseCommit) return {}
  const head = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head === '') return { headMoved: 'HEAD is on a branch without commits' }
  if (head === baseCommit) return {}
  const branch = await ask('symbolic-ref', '--quiet', '--short', 'HEAD')
  const form = ['--no-commit-header', '--format=%H %s%x00', '--encoding=UTF-8', `--max-count=${mostListed}`]
  const { stdout } = await gitIn(checkout, ['rev-list', ...form, head, `^${baseCommit}`])
  const commits = stdout.toString('utf8').split('\0').map(line => line.trim()).filter(Boolean).map(line => {
    const end = line.indexOf(' ')
    return end < 0 ? { id: line, subject: '' } : { id: line.slice(0, end), subject: line.slice(end + 1) }
  })
  const where = branch === '' ? '' : ` on branch "${branch}"`
  return { commits, headMoved: `HEAD moved from ${baseCommit.slice(0, 12)} to ${head.slice(0, 12)}${where}` }
}

/** A status that cannot be told is no fault of the diff: the file says why. */
async function writeStatus(checkout: Checkout, path: string): Promise<void> {
  try {
    const { stdout } = await gitIn(checkout, ['status', '--porcelain=v1', '--untracked-files=normal', '--no-renames'])
    await writeWhole(path, stdout)
  } catch (error) {
    if (!(error instanceof Fail)) throw error
    await writeWhole(path, `${error.message}\n`)
  }
}
