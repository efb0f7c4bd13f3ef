/**
 * A place to measure in that is gone afterwards: a home of its own, a policy that allows large waves, a plain folder, a git
 * checkout, and plans whose workers are shell lines.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loaderArgs } from '../test/kit/command.ts'
import { gitAt, makeRepo, writeFiles } from '../test/kit/repo.ts'

export const rootFolder = fileURLToPath(new URL('../', import.meta.url))
/** Words that start Node as a checkout of the product does. */
export const nodeWords: readonly string[] = [process.execPath, ...loaderArgs]
/** Files in the checkout that workers share. */
export const filesInCheckout = 200

export interface WavePlan {
  readonly workers: number
  readonly atOnce: number
  /** What each worker's shell runs. */
  readonly script: string
  /** Fields that each worker has besides. */
  readonly more?: Readonly<Record<string, unknown>>
}

export interface Ground extends AsyncDisposable {
  readonly path: string
  /** A folder outside git. */
  readonly plain: string
  readonly checkout: string
  /** The whole environment of what is measured. */
  readonly env: Readonly<Record<string, string>>
  /** Writes a plan and returns the words that run it. */
  run(cwd: string, plan: WavePlan): readonly string[]
}

export async function makeGround(): Promise<Ground> {
  const repo = await makeRepo(Object.fromEntries(
    Array.from({ length: filesInCheckout }, (_, index) => [`part-${index % 10}/file-${index}.txt`, `line of file ${index}\n`.repeat(50)])))
  const path = repo.outside
  const [plain, home] = [join(path, 'plain'), join(path, 'home')]
  for (const folder of [plain, home]) mkdirSync(folder)
  const policy = join(path, 'policy.json')
  writeFiles(path, { 'policy.json': JSON.stringify({ version: 1, maxWorkers: 1_000, maxConcurrent: 64 }) })
  let plans = 0
  return {
    path, plain, checkout: repo.path,
    env: {
      PATH: process.env['PATH'] ?? '', HOME: home, SHELL: '/bin/sh', ALETHE_ORCHESTRATE_HOME: join(home, 'runs'),
      GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'] ?? '', GIT_CONFIG_NOSYSTEM: '1',
    },
    run: (cwd, { workers, atOnce, script, more }) => {
      const file = join(path, `plan-${plans++}.json`)
      writeFileSync(file, JSON.stringify({
        version: 1, strategy: 'parallel', maxConcurrent: atOnce,
        workers: Array.from({ length: workers }, (_, index) => ({
          id: `w${index}`, provider: 'custom', cwd, task: 'Nothing to do', command: '/bin/sh', args: ['-c', script], ...more,
        })),
      }))
      return [...nodeWords, join(rootFolder, 'commands', 'run.ts'), file, '--policy', policy]
    },
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  }
}

/** Removes what isolated workers left in a checkout, which would make each later wave dearer. */
export function clearWorktrees(checkout: string): void {
  writeFiles(checkout, { '.alethe': null })
  gitAt(checkout, 'worktree', 'prune')
}
