/** Whose a folder is. */
import { stat } from 'node:fs/promises'

/** True when the folder is the user's own (or root's, for root) and nobody else may write to it. Always true on Windows. */
export async function isOwn(path: string): Promise<boolean> {
  const uid = process.getuid?.()
  if (uid === undefined) return true
  const facts = await stat(path)
  return facts.uid === uid && (facts.mode & 0o022) === 0
}
