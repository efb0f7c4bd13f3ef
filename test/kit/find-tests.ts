/** Finds the test files of a folder. */
import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'

/** Real CLIs have their own runner, and fixtures may hold tests of invented projects. */
const elsewhere = ['real/', 'fixtures/']

/** Paths below `root` (with `/`), sorted, of `*.test.ts` files that contain one of `words`; all of them without words. */
export async function findTests(root: string, words: readonly string[]): Promise<string[]> {
  const files = (await readdir(root, { recursive: true })).map(file => file.split(sep).join('/'))
  return files
    .filter(file => file.endsWith('.test.ts') && !elsewhere.some(folder => file.startsWith(folder)))
    .filter(file => words.length === 0 || words.some(word => file.includes(word)))
    .sort()
}
