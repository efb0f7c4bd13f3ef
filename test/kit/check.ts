/**
 * The only file that knows the test library (uvu). A suite here refuses to be empty, turns thrown non-Errors into
 * Errors, limits each test, and reports what it registered to the file named by ALETHE_TEST_REPORT, because uvu alone
 * exits 0 for a file without tests and for a test that throws a non-Error. No hooks: set up with `await using` inside.
 */
import { appendFileSync } from 'node:fs'
import { suite as uvu } from 'uvu'

export * as assert from 'uvu/assert'

type Body = () => void | Promise<void>
/** Registers a test; `skip` registers one that is counted but not run, with its reason. */
export interface Register { (title: string, body: Body, limitMs?: number): void; skip(title: string, reason: string): void }

const report = (entry: object): void => {
  const file = process.env['ALETHE_TEST_REPORT']
  if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

async function limited(title: string, body: Body, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => { reject(new Error(`Test "${title}" ran past ${limitMs} ms`)) }, limitMs)
  })
  try {
    await Promise.race([body(), late])
  } catch (error) {
    throw error instanceof Error ? error : new Error(`Test threw ${JSON.stringify(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Defines and runs one suite. Titles are sentences that start with the thing tested. */
export function suite(name: string, define: (test: Register) => void, limitMs = 10_000): void {
  const inner = uvu(name)
  let count = 0
  const test: Register = Object.assign(
    (title: string, body: Body, limit = limitMs) => {
      count++
      report({ suite: name, registered: title })
      inner(title, async () => {
        await limited(title, body, limit).catch((error: unknown) => {
          report({ suite: name, failed: title })
          throw error
        })
        report({ suite: name, passed: title })
      })
    },
    {
      skip: (title: string, reason: string) => {
        count++
        report({ suite: name, registered: title })
        report({ suite: name, skipped: title, reason })
      },
    },
  )
  define(test)
  if (count === 0) throw new Error(`Suite "${name}" registers no test`)
  inner.run()
}

/** Runs `body` and returns what it throws or rejects with; fails when it does not. */
export async function thrown(body: () => unknown): Promise<unknown> {
  try {
    await body()
  } catch (error) {
    return error
  }
  throw new Error('Expected a throw, got none')
}
