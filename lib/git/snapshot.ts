/**
 * The uncommitted state of a shared checkout at one moment, to tell afterwards what changed meanwhile, whoever did it: what git's
 * status lists, with a fingerprint of each file, and the commit and branch that are checked out. Reads only, but for `treeOf`.
 */
import { Fail } from '../base/fail.ts'
import { mapLimited } from '../base/pool.ts'
import { type Fingerprint, fingerprint } from '../io/fingerprint.ts'
import { git } from '../io/git.ts'
import { oursIn, rawAt, rawPaths, shownPath } from '../io/raw-path.ts'
import { openCheckout } from './checkout.ts'
import { writeTree } from './tree.ts'

/** More entries are not judged: looking at all of them would take longer than it is worth. */
const mostEntries = 20_000
const filesAtOnce = 8

export interface SnapshotEntry extends Fingerprint {
  /** What git says of the path: its status, its submodule state and what is staged. */
  readonly code: string
}

export interface Snapshot {
  /** `(initial)` before the first commit. */
  readonly head: string
  readonly branch: string
  /** By path from the top folder. Unchanged files are not in it. */
  readonly entries: ReadonlyMap<string, SnapshotEntry>
  /** Paths that differ between the commit of the earlier snapshot and this one's. */
  readonly committed: readonly string[]
}

export interface SnapshotOptions {
  /** Absolute folders whose untracked files are ours. */
  readonly ignore?: readonly string[]
  /** An earlier snapshot of this checkout: files that were not touched since are not read again. */
  readonly earlier?: Snapshot
}

/** Null where nothing can be judged: no checkout, over 20,000 entries, or git fails. */
export async function snapshot(root: string, options: SnapshotOptions = {}): Promise<Snapshot | null> {
  try {
    const { head, branch, listed } = await status(root, await oursIn(root, options.ignore ?? []))
    if (listed.length > mostEntries) return null
    const { earlier } = options
    const entries = await mapLimited(listed, filesAtOnce, async ({ path, code }): Promise<[string, SnapshotEntry]> => {
      const name = shownPath(path)
      return [name, { ...await fingerprint(rawAt(root, path), earlier?.entries.get(name)), code }]
    })
    return { head, branch, entries: new Map(entries), committed: earlier ? await pathsBetween(root, earlier.head, head) : [] }
  } catch (error) {
    if (error instanceof Fail) return null
    throw error
  }
}

interface Status {
  readonly head: string
  readonly branch: string
  readonly listed: { readonly path: string; readonly code: string }[]
}

const statusArgs = [
  'status', '--porcelain=v2', '--branch', '--no-ahead-behind', '--untracked-files=all', '--no-renames',
  '--ignore-submodules=none', '-z',
]

/** Fields before the path in a line of `status --porcelain=v2`, by its first letter. */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 }

async function status(root: string, isOurs: (path: string) => boolean): Promise<Status> {
  const lines = rawPaths((await git(root, statusArgs, { to: 'read the state of the checkout' })).stdout)
  const header = (name: string): string => lines.find(line => line.startsWith(`# ${name} `))?.slice(name.length + 3) ?? ''
  const listed = lines.flatMap(line => {
    const fields = fieldsBefore[line.charAt(0)]
    if (fields === undefined) return []
    const words = line.split(' ')
    const path = words.slice(fields).join(' ')
    return line.startsWith('?') && isOurs(path) ? [] : [{ path, code: words.slice(0, fields).join(' ') }]
  })
  return { head: header('branch.oid'), branch: header('branch.head'), listed }
}

/** A commit before the first one is an empty tree. */
async function pathsBetween(root: string, from: string, to: string): Promise<string[]> {
  if (from === to) return []
  const known = [from, to].filter(commit => commit !== '(initial)')
  const command = known.length === 2 ? ['diff-tree', '--no-renames'] : ['ls-tree']
  return rawPaths((await git(root, [...command, '-r', '--name-only', '-z', ...known])).stdout).map(shownPath)
}

/**
 * Paths that changed between two snapshots, sorted. A moved HEAD is a change of its own, named `.git/HEAD`, with every path that
 * differs between the two commits.
 * @param after taken with `before` as its `earlier`
 */
export function changedPaths(before: Snapshot, after: Snapshot): string[] {
  const moved = before.head !== after.head || before.branch !== after.branch
  const same = (path: string): boolean => {
    const [one, other] = [before.entries.get(path), after.entries.get(path)]
    return one?.print === other?.print && one?.code === other?.code
  }
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()].filter(path => !same(path)))
  return [...new Set([...paths, ...after.committed, ...(moved ? ['.git/HEAD'] : [])])].sort()
}

/**
 * The working tree of a shared checkout as a tree object, the base for a writer's diff there; null where it cannot be told.
 * Writes objects to the repository.
 */
export async function treeOf(root: string, options: Pick<SnapshotOptions, 'ignore'> = {}): Promise<string | null> {
  try {
    return (await writeTree(await openCheckout(root), { base: 'HEAD', isOurs: await oursIn(root, options.ignore ?? []) })).id
  } catch (error) {
    if (error instanceof Fail) return null
    throw error
  }
}
