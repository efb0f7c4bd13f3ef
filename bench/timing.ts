/**
 * Times programs beside each other: in every repetition each case runs once, in an order that moves on, so that whatever else the
 * machine does meets all of them. Figures are medians, and ratios are taken within a repetition.
 */
import { spawn } from 'node:child_process'

export interface Spent {
  /** From start to end. */
  readonly ms: number
  /** User and system time of the program and all children that it waited for; exact to 10 ms on most systems. */
  readonly cpuMs: number
}

export interface Place { readonly cwd: string; readonly env: Readonly<Record<string, string>> }

/** The shell tells the times of its children; what the program prints goes nowhere. */
const timer = '"$@" </dev/null >/dev/null; code=$?; times; exit $code'

/** Runs a program to its end. @throws when it exits with anything but 0 */
export function timed(words: readonly string[], { cwd, env }: Place): Promise<Spent> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn('/bin/sh', ['-c', timer, 'timer', ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (chunk: string) => { text[name] += chunk })
    child.on('error', reject)
    child.on('close', code => {
      const ms = performance.now() - begun
      if (code === 0) resolve({ ms, cpuMs: childrenMs(text.stdout) })
      else reject(new Error(`${words.join(' ')} ended with ${code}: ${text.stderr.slice(-2_000)}`))
    })
  })
}

/** `times` prints user and system time, `0m0.01s`, of the shell and in a second line of its children. */
function childrenMs(printed: string): number {
  const [, children = ''] = printed.trim().split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0)
}

export type Cases<K extends string, T> = Readonly<Record<K, () => Promise<T>>>
export type Rounds<K extends string, T> = readonly Readonly<Record<K, T>>[]

/** Runs all cases `repetitions` times, after one round that does not count and fills caches. */
export async function interleaved<K extends string, T>(repetitions: number, cases: Cases<K, T>, said: (word: string) => void): Promise<Rounds<K, T>> {
  const names = Object.keys(cases) as K[]
  const rounds: Record<K, T>[] = []
  for (let round = 0; round <= repetitions; round++) {
    const found: Partial<Record<K, T>> = {}
    for (let index = 0; index < names.length; index++) {
      const name = names[(index + round) % names.length]!
      said(`${name} (${round} of ${repetitions})`)
      found[name] = await cases[name]()
    }
    if (round > 0) rounds.push(found as Record<K, T>)
  }
  return rounds
}

/** Of an even number the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median over all rounds of what is read from each. */
export const over = <R>(rounds: readonly R[], read: (round: R) => number): number => median(rounds.map(read))
