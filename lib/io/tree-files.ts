/**
 * Files of a working tree, whose names and kinds anyone may have chosen: nothing here follows a symbolic link. Paths may be
 * bytes.
 */
import { constants } from 'node:fs'
import { access, chmod, copyFile, lstat, mkdir, mkdtemp, realpath, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../base/fail.ts'

type Path = string | Buffer

export interface Entry { readonly kind: 'file' | 'folder' | 'link' | 'other'; readonly bytes: number }

/** What is at a path; null for nothing. In a folder that may not be entered there may be anything. */
export async function entryAt(path: Path): Promise<Entry | null> {
  try {
    const facts = await lstat(path)
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : 'other'
    return { kind, bytes: facts.size }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'EACCES') return { kind: 'other', bytes: 0 }
    throw error
  }
}

export const isReadable = (path: Path): Promise<boolean> => access(path, constants.R_OK).then(() => true, () => false)

/** The path without symbolic links; null when there is nothing. */
export async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

/** Removes whatever is at a path. */
export const removeAll = (path: Path): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** Removes a folder that is empty; one that is not, or is not there, stays as it is. */
export const removeIfEmpty = (path: string): Promise<void> => rmdir(path).catch(() => undefined)

/** Makes one folder; what is there in its place and is no folder goes. */
export async function makePlainFolder(path: Path): Promise<void> {
  const there = await entryAt(path)
  if (there?.kind === 'folder') return
  if (there) await removeAll(path)
  await mkdir(path)
}

/** Copies a file with its bytes and mode to a path where nothing is. */
export async function copyPlain(from: Path, to: Path): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await chmod(to, (await lstat(from)).mode & 0o777)
}

/**
 * Copies an index of git, if there is one. Git rehashes files that are as new as the index, so the copy may be older than the
 * original but not newer.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(from)
    await copyFile(from, to)
    // Times are set in whole microseconds: two less is older in any case.
    const seconds = mtimeMs / 1000 - 2e-6
    await utimes(to, seconds, seconds)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Runs `body` with a private folder that is gone afterwards. */
export async function withScratch<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'alethe-git-'))
  try {
    return await body(folder)
  } finally {
    await removeAll(folder)
  }
}
