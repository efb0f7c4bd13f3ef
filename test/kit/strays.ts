/**
 * Finds processes that outlived their test file: members of its process group and, where there is a /proc, those whose
 * environment or working folder names the file's private folder (a child may have made its own group or dropped its
 * environment). Finding and ending happen without a pause between them, so that no pid is used after it could have changed hands.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** `pid` is negative for a whole group, as for `kill`. */
export interface Stray { readonly pid: number; readonly name: string }

/** What a test ended just now may still be on its way out. */
const graceMs = 1000
const pollMs = 50

/** Text of a /proc entry, '' for one that is gone or another user's. */
function peek(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

function strayAt(pid: string, group: number, folder: string): Stray[] {
  const stat = peek(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!state || state === 'Z' || state === 'X') return []
  const belongs = Number(processGroup) === group
    || peek(() => readFileSync(`/proc/${pid}/environ`, 'latin1')).includes(`${folder}/`)
    || `${peek(() => readlinkSync(`/proc/${pid}/cwd`))}/`.startsWith(`${folder}/`)
  if (!belongs) return []
  const words = peek(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0').join(' ').trim()
  return [{ pid: Number(pid), name: words.slice(0, 120) || stat.slice(stat.indexOf('('), stat.lastIndexOf(')') + 1) }]
}

/** What is left of a group and a folder now; zombies are dead. */
export function findStrays(group: number, folder: string): Stray[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid).flatMap(pid => strayAt(pid, group, folder))
  }
  try {
    process.kill(-group, 0)
    return [{ pid: -group, name: 'a process of its group' }]
  } catch {
    return []
  }
}

function endStrays(group: number, folder: string): void {
  for (const { pid } of findStrays(group, folder)) {
    try {
      if (Math.abs(pid) > 1) process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** Waits until nothing is left, at most `ms`. */
async function gone(group: number, folder: string, ms: number): Promise<boolean> {
  for (let waited = 0; waited <= ms; waited += pollMs) {
    if (findStrays(group, folder).length === 0) return true
    await sleep(pollMs)
  }
  return false
}

/** Ends what is left after a short grace and tells what that was. */
export async function sweepStrays(group: number, folder: string): Promise<Stray[]> {
  if (await gone(group, folder, graceMs)) return []
  const strays = findStrays(group, folder)
  for (let round = 0; round < 20; round++) {
    endStrays(group, folder)
    if (await gone(group, folder, 0)) break
  }
  return strays
}
