/** Small programs for tests of processes: started in a private folder, and ended with all they told of when the test is over. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Identity, identify, lifeOf } from '../../lib/io/process/identity.ts'
import { type Child, start, type Work } from '../../lib/io/process/start.ts'
import { markerName } from '../../lib/io/process/table.ts'
import { tempFolder } from './temp.ts'

export interface Started extends Child {
  /** What it printed so far. */
  said(): Promise<string>
  /** Waits until it printed `count` lines that begin with `word` and a blank, and identifies the processes that they name. */
  named(word: string, count: number): Promise<Identity[]>
}

export interface Programs extends AsyncDisposable {
  readonly path: string
  readonly runId: string
  /** The marker of everything started here. */
  readonly marker: string
  start(file: string, args?: readonly string[], more?: Partial<Work>): Promise<Started>
  /** Starts a program of the fixtures folder. */
  fixture(name: string, ...args: readonly string[]): Promise<Started>
}

export const fixturePath = (name: string): string => fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))

/** The words that start a program of the fixtures folder. */
export const fixtureWords = (name: string): [string, string] =>
  [name.endsWith('.sh') ? '/bin/sh' : process.execPath, fixturePath(name)]

/** The arguments with which Node runs a fixture that imports our code. */
export const fixtureInTs = (name: string): string[] => ['--import', import.meta.resolve('tsx'), fixturePath(name)]

/** Waits for a condition, looking often; throws when it does not come. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 8_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!await holds()) {
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain: ${what}`)
    await sleep(10)
  }
}

export const isGone = (identity: Identity): boolean => lifeOf(identity) === 'dead'

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

export async function programs(): Promise<Programs> {
  const temp = await tempFolder('programs')
  const runId = `test-${randomBytes(6).toString('hex')}`
  const marker = `${runId}/w1`
  const met: Identity[] = []
  const begin: Programs['start'] = async (file, args = [], more = {}) => {
    const stdout = join(temp.path, `${met.length}-${randomBytes(4).toString('hex')}.out`)
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', [markerName]: marker }
    const child = await start({ file, args, cwd: temp.path, env, stdin: null, stdout, stderr: `${stdout}.err`, ...more })
    met.push(child.identity)
    const said = (): Promise<string> => readFile(more.stdout ?? stdout, 'utf8')
    const named = async (word: string, count: number): Promise<Identity[]> => {
      const line = new RegExp(`^${word} (\\d+)\\n`, 'gm')
      const ids = async (): Promise<number[]> => [...(await said()).matchAll(line)].map(([, id]) => Number(id))
      await until(`${count} lines of "${word}"`, async () => (await ids()).length >= count)
      const found = (await Promise.all((await ids()).map(identify))).filter(identity => identity !== null)
      met.push(...found)
      return found
    }
    return { ...child, said, named }
  }
  return {
    path: temp.path, runId, marker, start: begin,
    fixture: (name, ...args) => {
      const [file, path] = fixtureWords(name)
      return begin(file, [path, ...args])
    },
    async [Symbol.asyncDispose]() {
      // Each was identified while it was ours, so an id that was used again is left alone.
      for (const identity of met) if (!isGone(identity)) kill(identity.pid)
      await temp[Symbol.asyncDispose]()
    },
  }
}
