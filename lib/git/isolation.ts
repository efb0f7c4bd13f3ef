/** Can a worker have a worktree of the repository around a folder? Looked at before anything is started; nothing is changed. */
import type { Problem } from '../base/fail.ts'
import { isFolder } from '../io/files.ts'
import { git, gitRoot, headCommit, lineOf } from '../io/git.ts'

/** Why not, with what to do; null when it can. */
export async function refuseIsolation(cwd: string): Promise<Problem | null> {
  const refused = (why: string, hint: string): Problem =>
    ({ code: 'git.refused', message: `Cannot isolate a worker in "${cwd}": ${why}`, hint })
  if (!await isFolder(cwd)) return refused('the folder does not exist', 'name an existing folder as "cwd"')
  const root = await gitRoot(cwd)
  if (root === null) return refused(...await whyNoRoot(cwd))
  if (await headCommit(root) === null) {
    return refused('the repository has no commit yet', `git -C "${root}" commit --allow-empty -m "Start", or leave out "isolate"`)
  }
  return null
}

/** The parts of the refusal where git finds no working tree. Told by what git answers to other questions, not by its messages. */
async function whyNoRoot(cwd: string): Promise<[string, string]> {
  const says = async (...args: string[]): Promise<string> => lineOf(await git(cwd, args, { okCodes: [0, 1, 128] }))
  const isTrue = async (question: string): Promise<boolean> => await says('rev-parse', question) === 'true'
  if (await isTrue('--is-bare-repository')) return ['the repository is bare', `git clone "${cwd}" and work in the clone`]
  if (await isTrue('--is-inside-git-dir')) return ['the folder is inside ".git"', 'set "cwd" to the checkout']
  const files = await says('config', 'core.worktree')
  if (files !== '') return [`its repository has its files in "${files}"`, 'set "cwd" to a folder in there']
  // Only this setting makes a difference for a repository of another user.
  const owned = await says('-c', 'safe.directory=*', 'rev-parse', '--show-toplevel')
  if (owned !== '') {
    return [`the repository "${owned}" belongs to another user`, `git config --global --add safe.directory "${owned}"`]
  }
  return ['it is not in a git repository', `git init "${cwd}" and commit, or leave out "isolate"`]
}
