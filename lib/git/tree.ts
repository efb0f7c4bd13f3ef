/**
 * Writes a working tree as a tree object of git: tracked files as they are now, committed or not, and untracked ones that are not
 * ignored, also those inside nested repositories. The checkout's index is neither read under lock nor written. Objects go to the
 * repository, as with `git add`.
 */
import { mapLimited } from '../base/pool.ts'
import { bytes } from '../base/text.ts'
import { rawAt, rawPaths, shownPath } from '../io/raw-path.ts'
import { entryAt, isReadable } from '../io/tree-files.ts'
import { type Checkout, gitIn } from './checkout.ts'
import { settleIndex } from './gitlinks.ts'
import { nestedFiles } from './nested.ts'
import { type Scratch, updateIndex, withIndexCopy } from './scratch-index.ts'

export interface TreeOptions {
  /** The tree or commit whose submodules stay as they are. */
  readonly base: string
  /** Tells untracked paths that are ours. */
  readonly isOurs: (path: string) => boolean
}

export interface WrittenTree {
  readonly id: string
  /** What the tree does not hold, and why; for people. */
  readonly notKept: readonly string[]
}

/** A larger file is left out of trees: patches over 1 GiB cannot be applied (git 2.39). */
const largestFile = 256 * 1024 * 1024
const filesAtOnce = 16

/** @throws `Fail('git.failed')` when git cannot read or write the repository */
export function writeTree(checkout: Checkout, { base, isOurs }: TreeOptions): Promise<WrittenTree> {
  return withIndexCopy(checkout, async scratch => {
    const submodules = await settleIndex(scratch, base)
    const { gone, changed } = await changedFiles(scratch)
    await updateIndex(scratch, ['--force-remove', '--stdin'], gone)
    const others = (await untracked(scratch)).filter(path => !isOurs(path))
    const nested = await nestedFiles(scratch, others.filter(path => path.endsWith('/')))
    const plain = others.filter(path => !path.endsWith('/'))
    const { fit, notKept } = await sift(checkout, [...changed, ...plain, ...nested.files])
    await updateIndex(scratch, ['--add', '--replace', '--stdin'], fit)
    const { stdout } = await gitIn(checkout, ['write-tree'], { env: scratch.env, write: true })
    return { id: stdout.toString('utf8').trim(), notKept: [...submodules, ...nested.notKept, ...notKept] }
  })
}

const untracked = async ({ checkout, env }: Scratch): Promise<string[]> =>
  rawPaths((await gitIn(checkout, ['ls-files', '--others', '--exclude-standard', '-z'], { env })).stdout)

/** Tracked files that differ from the index. A file that became a repository counts as gone: its content is untracked then. */
async function changedFiles({ checkout, env }: Scratch): Promise<{ readonly gone: string[]; readonly changed: string[] }> {
  const { stdout } = await gitIn(checkout, ['diff-files', '--raw', '--no-renames', '--ignore-submodules=all', '-z'], { env })
  const fields = rawPaths(stdout)
  const gone = new Set<string>()
  const changed = new Set<string>()
  // `:<mode> <mode> <id> <id> <status>`, then the path; a conflict has a line for each side.
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, newMode, , , status] = (fields[index] ?? '').split(' ')
    const path = fields[index + 1] ?? ''
    if (status === 'D' || newMode === '160000') gone.add(path)
    else changed.add(path)
  }
  return { gone: [...gone], changed: [...changed].filter(path => !gone.has(path)) }
}

/** Sorts out what git would stumble over: files that are gone by now, cannot be read or are too large. */
async function sift({ root }: Checkout, paths: readonly string[]): Promise<{ readonly fit: string[]; readonly notKept: string[] }> {
  const found = await mapLimited(paths, filesAtOnce, async path => {
    const entry = await entryAt(rawAt(root, path))
    if (entry?.kind === 'other') return { path, fits: false, why: 'it cannot be read' }
    if (entry?.kind !== 'file') return { path, fits: entry !== null }
    if (entry.bytes > largestFile) return { path, fits: false, why: `${bytes(entry.bytes)}, over ${bytes(largestFile)}` }
    return await isReadable(rawAt(root, path)) ? { path, fits: true } : { path, fits: false, why: 'it cannot be read' }
  })
  return {
    fit: found.filter(each => each.fits).map(each => each.path),
    notKept: found.flatMap(each => each.why ? [`${shownPath(each.path)} (${each.why})`] : []),
  }
}
