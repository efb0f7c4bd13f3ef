/**
 * Judges a test file by what its tests reported and how its process ended. An exit code of 0 proves nothing: the file may
 * have registered no test, left before its tests were over or left processes behind.
 */
import { readFile } from 'node:fs/promises'
import type { Ended } from './test-file.ts'

/** One line of a report, as `check.ts` writes it. */
export interface Entry {
  readonly suite: string
  readonly registered?: string
  readonly passed?: string
  readonly failed?: string
  readonly skipped?: string
  readonly reason?: string
}

export interface Verdict {
  readonly file: string
  readonly passed: number
  /** Failed tests; 1 for a file that failed without a failed test. */
  readonly failed: number
  readonly skips: readonly { readonly title: string; readonly reason: string }[]
  /** What is wrong with the file, beyond failed tests. */
  readonly faults: readonly string[]
  readonly ms: number
  /** What a failed file printed. */
  readonly output?: string
}

/** Reads a report; none for a file that reported nothing. A line cut by the end of its process is left out. */
export async function readReport(path: string): Promise<Entry[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1).map(line => JSON.parse(line) as Entry)
}

/** Titles that were registered and of which nothing was heard again. */
function unsettled(entries: readonly Entry[]): string[] {
  const open: string[] = []
  for (const { suite, registered, passed, failed, skipped } of entries) {
    if (registered !== undefined) open.push(`${suite}: ${registered}`)
    const settled = open.indexOf(`${suite}: ${passed ?? failed ?? skipped}`)
    if (settled >= 0) open.splice(settled, 1)
  }
  return open
}

/** The one reason why the process did not end as it should, if there is one. */
function endingFault(registered: number, bad: number, { code, signal, overtime }: Ended, limitSeconds: number): string[] {
  const how = signal ? `by ${signal}` : `with code ${code}`
  if (overtime) return [`ran past ${limitSeconds} s and was ended`]
  if (registered === 0) return [code === 0 ? 'registers no test' : `does not load: it ended ${how} before it registered a test`]
  if (code !== 0 && bad === 0) return [`ended ${how} although no test failed`]
  return []
}

export function judge(file: string, entries: readonly Entry[], ended: Ended, limitSeconds: number): Verdict {
  const registered = entries.filter(entry => entry.registered !== undefined).length
  const open = unsettled(entries)
  const bad = entries.filter(entry => entry.failed !== undefined).length + open.length
  const faults = [
    ...endingFault(registered, bad, ended, limitSeconds),
    ...(open.length > 0 ? [`${open.length} of ${registered} tests never settled: ${open.map(title => `"${title}"`).join(', ')}`] : []),
    ...(ended.strays.length > 0 ? [`left processes behind: ${ended.strays.map(({ pid, name }) => `${pid} (${name})`).join(', ')}`] : []),
  ]
  return {
    file, faults, ms: ended.ms,
    passed: entries.filter(entry => entry.passed !== undefined).length,
    failed: bad === 0 && faults.length > 0 ? 1 : bad,
    skips: entries.flatMap(entry => entry.skipped === undefined ? [] : [{ title: entry.skipped, reason: entry.reason ?? '' }]),
  }
}
