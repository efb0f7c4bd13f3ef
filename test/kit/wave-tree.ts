/** A worktree with what a worker did in it, and the proof that its patch carries exactly that. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { captureDiff, type DiffReport } from '../../lib/git/diff.ts'
import { prepareWorktree, type Worktree } from '../../lib/git/worktree.ts'
import { gitAt, type Repo } from './repo.ts'

export interface Work extends Worktree {
  /** Runs git inside the worktree. */
  git(...args: readonly string[]): string
  /** @param more the checkout as it was made, as the runner has it; without it the checkout is looked for, as after a crash */
  capture(more?: Pick<Worktree, 'checkout'>): Promise<DiffReport>
}

let number = 0

/** Makes a worktree of a repository; patches and status go beside the repository. */
export async function makeWork(repo: Repo, seedPaths: readonly string[] = [], cwd = repo.path): Promise<Work> {
  const name = `w${++number}`
  const made = await prepareWorktree({ cwd, runId: 'r', workerId: name, seedPaths })
  return {
    ...made,
    git: (...args) => gitAt(made.path, ...args),
    capture: more => captureDiff({
      ...(more ? { checkout: more.checkout } : {}),
      root: made.path, baseTree: made.baseTree, baseCommit: made.baseCommit,
      out: join(repo.outside, `${name}.patch`), statusOut: join(repo.outside, `${name}.status`),
    }),
  }
}

/** Every file below a folder but those of git: path, whether it is a program, and content. */
export const contentOf = (folder: string): Record<string, string> => Object.fromEntries(entriesOf(folder, ''))

function entriesOf(folder: string, below: string): [string, string][] {
  return readdirSync(join(folder, below)).filter(name => name !== '.git' && name !== '.alethe').flatMap(name => {
    const path = below === '' ? name : `${below}/${name}`
    const facts = lstatSync(join(folder, path))
    if (facts.isDirectory()) return entriesOf(folder, path)
    if (facts.isSymbolicLink()) return [[path, `-> ${readlinkSync(join(folder, path))}`]]
    return [[path, `${(facts.mode & 0o100) === 0 ? '' : 'x '}${readFileSync(join(folder, path)).toString('base64')}`]]
  })
}

/**
 * Applies a patch (of any whitespace) where there is nothing but the tree that it is for, and returns what is there then.
 * @param settings of that other repository, as for `git -c`
 * @throws when git refuses it
 */
export function applied(repo: Repo, baseTree: string, patch: string | null, settings: readonly string[] = []): Record<string, string> {
  const path = join(repo.outside, `clean${++number}`)
  repo.git('tag', `base${number}`, repo.git('commit-tree', baseTree, '-m', 'base'))
  gitAt(repo.outside, 'init', '-q', path)
  for (const setting of settings) gitAt(path, 'config', ...setting.split('='))
  gitAt(path, 'fetch', '-q', '--no-tags', repo.path, `refs/tags/base${number}`)
  gitAt(path, 'checkout', '-q', '--detach', 'FETCH_HEAD')
  if (patch !== null) {
    gitAt(path, 'apply', '--check', '--binary', '--whitespace=nowarn', patch)
    gitAt(path, 'apply', '--binary', '--whitespace=nowarn', patch)
  }
  return contentOf(path)
}
