/**
 * A working tree and the git folder that belongs to it. Both are found once and named in every call: an agent may delete or
 * replace `.git` in its worktree, and git would then silently take the repository around it.
 */
import { join, resolve } from 'node:path'
import { fail } from '../base/fail.ts'
import { commonDir, git, type GitAnswer, type GitOptions, gitRoot } from '../io/git.ts'
import { realPathOf } from '../io/tree-files.ts'
import { registrationOf } from './registration.ts'

export interface Checkout {
  /** Top folder, as a real path. */
  readonly root: string
  /** The git folder of this working tree (of a linked worktree its own). */
  readonly gitDir: string
}

/**
 * The checkout whose top folder is `root`.
 * @throws `Fail('git.failed')` when its git folder is gone or is another's and cannot be found again
 */
export async function openCheckout(root: string): Promise<Checkout> {
  const real = await realPathOf(root)
  if (real === null) throw fail('git.failed', `Cannot read the changes in "${root}": the folder does not exist`)
  // A folder registered as our worktree stays that, whatever its `.git` says now.
  const around = await gitRoot(join(real, '..'))
  const registered = around === null ? null : await registrationOf(await commonDir(around), real)
  if (registered?.ours) return { root: real, gitDir: registered.gitDir }
  if (await gitRoot(real) !== real) {
    throw fail('git.failed', `Cannot read the changes in "${root}": it is not the top folder of a checkout`)
  }
  const { stdout } = await git(real, ['rev-parse', '--absolute-git-dir'])
  return { root: real, gitDir: resolve(stdout.toString('utf8').trimEnd()) }
}

/** Runs git on a checkout. */
export const gitIn = ({ root, gitDir }: Checkout, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> =>
  git(root, args, { ...options, env: { GIT_DIR: gitDir, GIT_WORK_TREE: root, ...options.env } })
