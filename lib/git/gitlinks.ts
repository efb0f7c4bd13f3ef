/**
 * Submodules and flags in a copied index. Submodules stay as they were in the base, since a patch cannot carry their commits; a
 * repository that was added as a link counts as plain files; flags that hide changes from git are cleared.
 */
import { mapLimited } from '../base/pool.ts'
import { git } from '../io/git.ts'
import { rawAt, rawPaths, shownPath } from '../io/raw-path.ts'
import { entryAt } from '../io/tree-files.ts'
import { type Checkout, gitIn } from './checkout.ts'
import { type Scratch, updateIndex } from './scratch-index.ts'

const filesAtOnce = 16

interface IndexEntry { readonly tag: string; readonly mode: string; readonly id: string; readonly path: string }

/** `ls-files -v --stage`: `H 100644 <id> 0\t<path>`; a small tag is a file assumed unchanged, S one outside a sparse checkout. */
async function indexEntries({ checkout, env }: Scratch): Promise<IndexEntry[]> {
  const { stdout } = await gitIn(checkout, ['ls-files', '-v', '--stage', '-z'], { env })
  return rawPaths(stdout).map(line => {
    const tab = line.indexOf('\t')
    const [tag = '', mode = '', id = ''] = line.slice(0, tab).split(' ')
    return { tag, mode, id, path: line.slice(tab + 1) }
  })
}

/** Returns the submodules whose changes are not kept. */
export async function settleIndex(scratch: Scratch, base: string): Promise<string[]> {
  const entries = await indexEntries(scratch)
  await clearFlags(scratch, entries)
  const links = entries.filter(entry => entry.mode === '160000')
  if (links.length === 0) return []
  const known = await linksOf(scratch.checkout, base)
  await updateIndex(scratch, ['--force-remove', '--stdin'], links.filter(link => !known.has(link.path)).map(link => link.path))
  const moved = links.filter(link => known.has(link.path) && known.get(link.path) !== link.id)
  await updateIndex(scratch, ['--index-info'], moved.map(link => `160000 ${known.get(link.path)}\t${link.path}`))
  const notKept = new Set(moved.map(link => link.path))
  for (const { path } of links) {
    if (known.has(path) && await isTouched(scratch.checkout, path, known.get(path))) notKept.add(path)
  }
  return [...notKept].map(path => `${shownPath(path)} (a submodule: its changes stay in its own repository)`)
}

async function clearFlags(scratch: Scratch, entries: readonly IndexEntry[]): Promise<void> {
  const skipped = entries.filter(entry => entry.tag.toUpperCase() === 'S').map(entry => entry.path)
  const assumed = entries.filter(entry => entry.tag !== entry.tag.toUpperCase()).map(entry => entry.path)
  await updateIndex(scratch, ['--no-assume-unchanged', '--stdin'], assumed)
  if (skipped.length === 0) return
  // Outside a sparse checkout files are missing because they were never there; one that is there all the same counts.
  const { stdout } = await gitIn(scratch.checkout, ['config', '--type=bool', 'core.sparseCheckout'], { okCodes: [0, 1] })
  const sparse = stdout.toString('utf8').trim() === 'true'
  const there = await mapLimited(skipped, filesAtOnce, path => entryAt(rawAt(scratch.checkout.root, path)))
  await updateIndex(scratch, ['--no-skip-worktree', '--stdin'], skipped.filter((_, index) => !sparse || there[index] !== null))
}

/** Paths and commits of the submodules in a tree. */
async function linksOf(checkout: Checkout, tree: string): Promise<Map<string, string>> {
  const { stdout } = await gitIn(checkout, ['ls-tree', '-r', '--full-tree', '-z', tree])
  return new Map(rawPaths(stdout).filter(line => line.startsWith('160000 ')).map(line => {
    const tab = line.indexOf('\t')
    return [line.slice(tab + 1), line.slice(0, tab).split(' ')[2] ?? '']
  }))
}

/** Has a submodule another commit, uncommitted changes, or a state git cannot read? False for one that is not checked out. */
async function isTouched({ root }: Checkout, path: string, commit: string | undefined): Promise<boolean> {
  const folder = rawAt(root, path).toString('utf8')
  if (await entryAt(`${folder}/.git`) === null) return false
  const args = ['status', '--porcelain=v2', '--branch', '--untracked-files=normal', '-z']
  const { stdout, code } = await git(folder, args, { okCodes: [0, 128] })
  const lines = rawPaths(stdout)
  return code !== 0 || !lines.includes(`# branch.oid ${commit}`) || lines.some(line => !line.startsWith('# '))
}
