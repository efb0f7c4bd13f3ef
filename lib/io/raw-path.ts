/**
 * Paths as git tells them: bytes, which need not be UTF-8 and may hold line ends. They are kept as strings with one character per
 * byte (Latin-1), so that they compare and go back to git exactly; `shownPath` is the form for people and records.
 */
import { isAbsolute, relative, sep } from 'node:path'
import { ownFolder } from './git.ts'
import { realPathOf } from './tree-files.ts'

/** Splits what a git command printed under `-z`. */
export const rawPaths = (stdout: Buffer): string[] => stdout.toString('latin1').split('\0').filter(Boolean)

/** The input of a git command that reads paths under `-z`. */
export const rawInput = (paths: readonly string[]): Buffer => Buffer.from(paths.map(path => `${path}\0`).join(''), 'latin1')

/** Where a path is on disk. */
export const rawAt = (root: string, path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])

/** The path as text; bytes that are no UTF-8 show as replacement characters. */
export const shownPath = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')

/** The form of a path from elsewhere. */
export const rawPath = (text: string): string => Buffer.from(text).toString('latin1')

/**
 * Tells which untracked paths of a working tree are ours: those in its `.alethe` folder and in the given absolute folders (also a
 * folder that git reports as a whole, such as a repository of ours). Folders outside `root` hold nothing of it.
 */
export async function oursIn(root: string, folders: readonly string[]): Promise<(path: string) => boolean> {
  const real = await Promise.all(folders.map(async folder => relative(root, await realPathOf(folder) ?? folder)))
  const inside = real.filter(path => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
  const prefixes = [ownFolder, ...inside.map(path => `${rawPath(path.split(sep).join('/'))}/`)]
  return path => prefixes.some(prefix => path.startsWith(prefix))
}
