/**
 * Repositories that an agent made inside its working tree. Git itself keeps at most a link to them; their files are listed
 * here so that they go into the tree like any others. Their own history is not kept, and their own configuration is never read.
 */
import { join } from 'node:path'
import { Fail } from '../base/fail.ts'
import { rawInput, rawPaths, shownPath } from '../io/raw-path.ts'
import { gitIn } from './checkout.ts'
import type { Scratch } from './scratch-index.ts'

/** Most files taken from nested repositories. */
const mostFiles = 20_000

export interface Nested { readonly files: string[]; readonly notKept: string[] }

/** @param folders as git lists them, with a slash at the end */
export async function nestedFiles(scratch: Scratch, folders: readonly string[]): Promise<Nested> {
  const files: string[] = []
  const notKept: string[] = []
  const queue = [...folders]
  for (const folder of queue) {
    const inside = await contentOf(scratch, folder)
    if (inside === null || files.length + inside.length > mostFiles) {
      const why = inside === null ? 'that cannot be read' : `with too many files: ${inside.length}`
      notKept.push(`${shownPath(folder)} (a nested repository ${why})`)
      continue
    }
    queue.push(...inside.filter(path => path.endsWith('/')))
    files.push(...inside.filter(path => !path.endsWith('/')))
    notKept.push(`${shownPath(folder)} (a nested repository: its files are kept, its commits are not)`)
  }
  return { files, notKept }
}

/** What git may keep of a nested repository; null when it cannot be read. */
async function contentOf(scratch: Scratch, folder: string): Promise<string[] | null> {
  try {
    return await unignored(scratch, (await othersIn(scratch, folder)).map(path => folder + path))
  } catch (error) {
    if (error instanceof Fail) return null
    throw error
  }
}

/** Everything in a folder but its `.git`, seen as the top of a working tree of ours with an empty index. */
async function othersIn({ checkout, env }: Scratch, folder: string): Promise<string[]> {
  const inside = { ...checkout, root: join(checkout.root, shownPath(folder)) }
  const none = { GIT_INDEX_FILE: `${env.GIT_INDEX_FILE}.none` }
  const { stdout } = await gitIn(inside, ['ls-files', '--others', '--exclude-standard', '-z'], { env: none })
  return rawPaths(stdout)
}

/** Drops what the repository around ignores. */
async function unignored({ checkout, env }: Scratch, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const input = rawInput(paths)
  const { stdout } = await gitIn(checkout, ['check-ignore', '--no-index', '-z', '--stdin'], { env, input, okCodes: [0, 1] })
  const ignored = new Set(rawPaths(stdout))
  return paths.filter(path => !ignored.has(path))
}
