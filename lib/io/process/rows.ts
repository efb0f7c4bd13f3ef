/**
 * Processes as the system shows them, one by its id or all in one pass. Linux: `/proc/PID/stat`, read synchronously because one
 * read takes some 10 microseconds; other Unix systems: `ps`, which tells groups and states that ps-list leaves out; Windows:
 * ps-list, which knows neither start times nor groups.
 */
import { execFile, execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from '../../base/fail.ts'

export interface Row {
  readonly pid: number
  readonly ppid: number
  /** Process group and session; 0 where the system does not tell. */
  readonly pgid: number
  readonly session: number
  /** Linux: clock ticks since boot; `ps`: a date in UTC, exact to the second; '' where the system does not tell. */
  readonly startTime: string
  /** Has ended and only waits for its parent to notice. */
  readonly zombie: boolean
}

const largestPid = 2 ** 31 - 1

/** Could this be the id of a process that is not the first one? Stored and foreign values are of any type. */
export const isPid = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 1 && value <= largestPid

/** Files of /proc tell no size. One buffer serves all of them: `readFileSync` makes one of 64 KiB for each, which took most of its time. */
let buffer = Buffer.allocUnsafe(64 * 1024)

function readWhole(path: string): string {
  const fd = openSync(path, 'r')
  try {
    for (let length = 0; ;) {
      const bytes = readSync(fd, buffer, length, buffer.length - length, null)
      if (bytes === 0) return buffer.toString('latin1', 0, length)
      length += bytes
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length)
    }
  } finally {
    closeSync(fd)
  }
}

/** Text of a file of one process; null when the process is gone or not ours to see. */
export function readOf(pid: number, name: 'stat' | 'environ'): string | null {
  try {
    return readWhole(`/proc/${pid}/${name}`)
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

/** PF_KTHREAD of linux/sched.h, in the flags of a process. */
const kernelThread = 0x0020_0000

/**
 * Reads `/proc/PID/stat` (proc(5)): the name in parentheses may hold anything, so the fields are counted after the last `)`.
 * A first thread that ended while others go on is shown as a zombie too, but its process lives. Threads of the kernel are no
 * processes to us: they are nobody's children, run no program, and are most of the table of a quiet machine.
 */
export function parseStat(pid: number, text: string): Row | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20)
  const [state, ppid, pgid, session] = fields
  const threads = Number(fields[17])
  const startTime = fields[19]
  if (state === undefined || startTime === undefined || (Number(fields[6]) & kernelThread) !== 0) return null
  const zombie = state === 'X' || state === 'x' || (state === 'Z' && threads <= 1)
  return { pid, ppid: Number(ppid), pgid: Number(pgid), session: Number(session), startTime, zombie }
}

const statRow = (pid: number): Row | null => {
  const text = readOf(pid, 'stat')
  return text === null ? null : parseStat(pid, text)
}

const psFields = 'pid=,ppid=,pgid=,stat=,lstart='
const psOptions = { env: { LC_ALL: 'C', TZ: 'UTC' }, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 10_000 } as const

function parsePs(line: string): Row[] {
  const [, pid, ppid, pgid, state, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)/.exec(line) ?? []
  if (state === undefined || startTime === undefined) return []
  return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), session: 0, startTime, zombie: state.startsWith('Z') }]
}

function psRow(pid: number): Row | null {
  try {
    const args = ['-o', psFields, '-p', String(pid)]
    return parsePs(execFileSync('/bin/ps', args, { ...psOptions, stdio: ['ignore', 'pipe', 'ignore'] }))[0] ?? null
  } catch (error) {
    // `ps` exits 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return null
    throw error
  }
}

const bare = (pid: number, ppid: number): Row => ({ pid, ppid, pgid: 0, session: 0, startTime: '', zombie: false })

/** Asks Windows whether a process is there: signal 0 is never delivered. */
function probedRow(pid: number): Row | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return null
  }
  return bare(pid, 0)
}

/** One process, or null when there is none with that id. */
export function rowOf(pid: number, platform: NodeJS.Platform = process.platform): Row | null {
  if (platform === 'linux') return statRow(pid)
  return platform === 'win32' ? probedRow(pid) : psRow(pid)
}

/** Every process that can be seen. */
export async function allRows(platform: NodeJS.Platform = process.platform): Promise<Row[]> {
  if (platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger).flatMap(pid => statRow(pid) ?? [])
  if (platform === 'win32') {
    const { default: psList } = await import('ps-list')
    return (await psList()).map(({ pid, ppid }) => bare(pid, ppid))
  }
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axo', psFields], psOptions)
  return stdout.split('\n').flatMap(parsePs)
}
