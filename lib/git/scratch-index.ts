/** A private copy of a checkout's index, on which plumbing commands work while the checkout's own index stays as it is. */
import { join } from 'node:path'
import { rawInput } from '../io/raw-path.ts'
import { copyIndex, withScratch } from '../io/tree-files.ts'
import { type Checkout, gitIn } from './checkout.ts'

export interface Scratch {
  readonly checkout: Checkout
  readonly env: { readonly GIT_INDEX_FILE: string }
}

/** Runs `body` with a copy of the index; locks of the original do not matter. */
export function withIndexCopy<T>(checkout: Checkout, body: (scratch: Scratch) => Promise<T>): Promise<T> {
  return withScratch(async folder => {
    const scratch: Scratch = { checkout, env: { GIT_INDEX_FILE: join(folder, 'index') } }
    const copied = await copyIndex(join(checkout.gitDir, 'index'), scratch.env.GIT_INDEX_FILE)
    // One that is gone or broken is made anew: without any, ignored files that are tracked would be lost.
    const anew = async (): Promise<T> => {
      await gitIn(checkout, ['read-tree', 'HEAD'], { env: scratch.env, write: true })
      return body(scratch)
    }
    if (!copied) return anew()
    try {
      return await body(scratch)
    } catch (error) {
      if (await isSound(scratch)) throw error
      return anew()
    }
  })
}

/** This question makes git read the index. */
async function isSound({ checkout, env }: Scratch): Promise<boolean> {
  return (await gitIn(checkout, ['rev-parse', '--shared-index-path'], { env, okCodes: [0, 128] })).code === 0
}

/** Feeds paths, or what else it reads, to `git update-index`. */
export async function updateIndex({ checkout, env }: Scratch, flags: readonly string[], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await gitIn(checkout, ['update-index', '-z', ...flags], { env, write: true, input: rawInput(paths) })
}
