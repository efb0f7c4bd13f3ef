/**
 * Brings uncommitted work into a fresh worktree: for each path named by a plan, what is changed, deleted, renamed or
 * untracked (and not ignored) in the checkout. Files are copied byte for byte, so no filter, line end or whitespace setting
 * can change or refuse them. Symbolic links are refused: what they lead to may be outside the repository.
 */
import { fail } from '../base/fail.ts'
import { listed } from '../base/text.ts'
import { git } from '../io/git.ts'
import { oursIn, rawAt, rawInput, rawPath, rawPaths, shownPath } from '../io/raw-path.ts'
import { copyPlain, entryAt, isReadable, makePlainFolder, removeAll } from '../io/tree-files.ts'
import { safeSeedPath } from '../model/seed-path.ts'

/**
 * Both folders have the same commit checked out. Returns notes for people: named paths that brought nothing, and why.
 * @param root top folder of the checkout
 * @throws `Fail('git.refused')` for a path that is not plain, or is or leads through a symbolic link
 */
export async function seed(root: string, worktree: string, seedPaths: readonly string[]): Promise<string[]> {
  if (seedPaths.length === 0) return []
  const named = seedPaths.map(text => {
    const path = safeSeedPath(text)
    if (path === null) throw refusal(text, 'it is not a plain path inside the repository')
    return path
  })
  for (const path of named) await refuseLinks(root, rawPath(path))
  const changes = await changesIn(root, named)
  const copied = new Set<string>()
  for (const path of changes.present) {
    await refuseLinks(root, path)
    if ((await entryAt(rawAt(root, path)))?.kind !== 'file') continue
    if (!await isReadable(rawAt(root, path))) throw refusal(shownPath(path), 'it cannot be read')
    copied.add(path)
  }
  // First everything that goes, so that a folder can take the place of a file and the other way round.
  for (const path of changes.all) await removePlain(worktree, path)
  for (const path of copied) await bring(root, worktree, path)
  return notesOf(root, named, changes)
}

const hint = 'name plain files or folders of the repository in "seedPaths"'
const refusal = (path: string, why: string): Error =>
  fail('git.refused', `Cannot bring "${path}" into the worktree: ${why}`, { hint })

interface Changes {
  /** All paths that differ from the commit. */
  readonly all: string[]
  /** Those of them that are there now. */
  readonly present: string[]
  /** Repositories inside the checkout: git does not look into them. */
  readonly nested: string[]
}

async function changesIn(root: string, named: readonly string[]): Promise<Changes> {
  const paths = ['--', ...named]
  const [tracked, others] = await Promise.all([
    git(root, ['diff-index', '--raw', '--no-renames', '--ignore-submodules=all', '-z', 'HEAD', ...paths]),
    git(root, ['ls-files', '--others', '--exclude-standard', '-z', ...paths]),
  ])
  const isOurs = await oursIn(root, [])
  const untracked = rawPaths(others.stdout).filter(path => !isOurs(path))
  const present = new Set(untracked.filter(path => !path.endsWith('/')))
  const all = new Set(present)
  const fields = rawPaths(tracked.stdout)
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const path = fields[index + 1] ?? ''
    all.add(path)
    // Taken out of the index but still there and not ignored, it is among the untracked ones.
    if (!(fields[index] ?? '').endsWith(' D')) present.add(path)
  }
  return { all: [...all], present: [...present], nested: untracked.filter(path => path.endsWith('/')) }
}

/** Looks at each part of the path, in the checkout. */
async function refuseLinks(root: string, path: string): Promise<void> {
  const names = path.split('/')
  for (let length = 1; length <= names.length; length++) {
    const part = names.slice(0, length).join('/')
    const entry = await entryAt(rawAt(root, part))
    if (entry === null) return
    const subject = length === names.length ? 'it' : `"${shownPath(part)}"`
    if (entry.kind === 'link') throw refusal(shownPath(path), `${subject} is a symbolic link`)
    if (entry.kind === 'other') throw refusal(shownPath(path), 'it is neither a file nor a folder')
  }
}

/** Removes a path in the worktree, unless that leads through a link: then the link itself is among the changes. */
async function removePlain(worktree: string, path: string): Promise<void> {
  const names = path.split('/')
  for (let length = 1; length < names.length; length++) {
    if ((await entryAt(rawAt(worktree, names.slice(0, length).join('/'))))?.kind !== 'folder') return
  }
  await removeAll(rawAt(worktree, path))
}

async function bring(root: string, worktree: string, path: string): Promise<void> {
  const names = path.split('/')
  for (let length = 1; length < names.length; length++) {
    await makePlainFolder(rawAt(worktree, names.slice(0, length).join('/')))
  }
  await copyPlain(rawAt(root, path), rawAt(worktree, path))
}

async function notesOf(root: string, named: readonly string[], changes: Changes): Promise<string[]> {
  const missing: string[] = []
  for (const path of named) {
    const prefix = path === '.' ? '' : rawPath(path)
    const brings = changes.all.some(each => prefix === '' || each === prefix || each.startsWith(`${prefix}/`))
    if (!brings && await entryAt(rawAt(root, rawPath(path))) === null) missing.push(path)
  }
  const input = rawInput(named.filter(path => path !== '.').map(rawPath))
  const ignored = await git(root, ['check-ignore', '-z', '--stdin'], { input, okCodes: [0, 1] })
  const note = (text: string, paths: readonly string[]): string[] => paths.length > 0 ? [`${text}: ${listed(paths)}`] : []
  return [
    ...note('seed paths that do not exist', missing),
    ...note('seed paths that git ignores were not brought', rawPaths(ignored.stdout).map(shownPath)),
    ...note('nested repositories were not brought', changes.nested.map(shownPath)),
  ]
}
