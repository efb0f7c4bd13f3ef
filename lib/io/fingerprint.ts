/**
 * Fingerprints of files, to tell later whether they changed: the content of files up to 8 MiB, size and time of larger ones,
 * the target of a link. Reads only.
 */
import { createHash } from 'node:crypto'
import { lstat, readFile, readlink } from 'node:fs/promises'

const wholeBytes = 8 * 1024 * 1024
/** Coarse clocks of file systems tick every two seconds: a younger file could change and keep its times. */
const settledMs = 2_000

export interface Fingerprint {
  readonly print: string
  /** Size, times and number of a file that had come to rest; the same stamp means the same content. */
  readonly stamp?: string
}

/**
 * Never rejects: what cannot be read has a fingerprint of its own.
 * @param known an earlier one, kept when its stamp still holds
 */
export async function fingerprint(path: Buffer, known?: Fingerprint): Promise<Fingerprint> {
  try {
    const facts = await lstat(path, { bigint: true })
    if (facts.isSymbolicLink()) return { print: `link:${(await readlink(path, 'buffer')).toString('hex')}` }
    if (facts.isDirectory()) return { print: 'folder' }
    if (!facts.isFile()) return { print: 'other' }
    const mode = (facts.mode & 0o111n) === 0n ? 'file' : 'program'
    if (facts.size > wholeBytes) return { print: `${mode}:${facts.size}:${facts.mtimeNs}` }
    const stamp = [facts.mode, facts.size, facts.mtimeNs, facts.ctimeNs, facts.ino].join(':')
    if (known?.stamp === stamp) return known
    const print = `${mode}:${createHash('sha256').update(await readFile(path)).digest('hex')}`
    const youngest = Math.max(Number(facts.mtimeMs), Number(facts.ctimeMs))
    return Date.now() - youngest > settledMs ? { print, stamp } : { print }
  } catch {
    // Gone or unreadable: both are states of their own, and the path is known to git's status.
    return { print: 'unreadable' }
  }
}
