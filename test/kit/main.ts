/**
 * Runs the tests: `npm test [-- WORDS…]` runs every `*.test.ts` below `test/`, or those whose path holds one of WORDS. Each
 * file has its own process, private folders and a time limit (`test-file.ts`) and is judged by what it reported, not by its
 * exit code alone (`verdict.ts`). The last line is always `N passed, N failed, N skipped`.
 * `--root DIR` takes another folder than `test/`, `--limit SECONDS` another time limit for each file.
 */
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findTests } from './find-tests.ts'
import { makeRoom, type Room } from './room.ts'
import { closingLine, failureText, skippedText, slowestText } from './summary.ts'
import { runTestFile } from './test-file.ts'
import { judge, readReport, type Verdict } from './verdict.ts'

const defaultLimitSeconds = 180
/** A failing file's output is shown up to this many characters. */
const outputLimit = 1_000_000

interface Job { readonly root: string; readonly room: Room; readonly limitSeconds: number; readonly stop: AbortSignal }

function readOptions(): { readonly root: string; readonly words: readonly string[]; readonly limitSeconds: number } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { root: { type: 'string' }, limit: { type: 'string' } } })
  const limitSeconds = Number(values.limit ?? defaultLimitSeconds)
  if (!(limitSeconds > 0)) throw new Error(`--limit takes a number of seconds, got "${values.limit}"`)
  return { root: resolve(values.root ?? join(import.meta.dirname, '..')), words: positionals, limitSeconds }
}

async function runOne(file: string, { root, room, limitSeconds, stop }: Job): Promise<Verdict> {
  const place = await room.place()
  const ended = await runTestFile(join(root, file), place, limitSeconds * 1000, stop)
  const verdict = judge(file, await readReport(place.report), ended, limitSeconds)
  if (verdict.failed > 0) {
    const output = await readFile(place.output, 'utf8')
    return { ...verdict, output: output.length > outputLimit ? `${output.slice(0, outputLimit)}\n(${output.length} characters in all)` : output }
  }
  await place.clear()
  return verdict
}

/** Runs the files, as many at a time as there are cores, and prints one character for each. */
async function runAll(files: readonly string[], job: Job): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const waiting = [...files]
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined && !job.stop.aborted; file = waiting.shift()) {
      const verdict = await runOne(file, job)
      verdicts.push(verdict)
      process.stdout.write(verdict.failed > 0 ? 'F' : verdict.skips.length > 0 ? 's' : '.')
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane))
  if (files.length > 0) process.stdout.write('\n')
  return verdicts.sort((one, other) => one.file < other.file ? -1 : 1)
}

async function main(): Promise<void> {
  // A failure until the end is reached: a promise that never settles is not a success.
  process.exitCode = 1
  const { root, words, limitSeconds } = readOptions()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { stop.abort() })
  const files = await findTests(root, words)
  await using room = await makeRoom()
  const verdicts = await runAll(files, { root, room, limitSeconds, stop: stop.signal })
  if (files.length === 0) console.log(words.length > 0 ? `No test file has a path with ${words.join(' or ')}` : `No test file below ${root}`)
  for (const verdict of verdicts) if (verdict.failed > 0) console.log(failureText(verdict))
  for (const text of [skippedText(verdicts), slowestText(verdicts)]) if (text) console.log(text)
  if (stop.signal.aborted) console.log(`Interrupted: ${files.length - verdicts.length} of ${files.length} files did not run`)
  console.log(closingLine(verdicts))
  const good = verdicts.some(verdict => verdict.passed + verdict.skips.length > 0) && verdicts.every(verdict => verdict.failed === 0)
  process.exitCode = stop.signal.aborted ? 130 : good ? 0 : 1
}

await main()
