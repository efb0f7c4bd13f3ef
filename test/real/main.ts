/**
 * Runs the tests with real CLIs: `npm run test:real [-- WORDS…]`, those whose path holds one of WORDS. Installs the CLIs where they
 * are missing (install.ts), then runs each `*.real.ts` of this folder in a process and a private folder of its own, two at a time.
 * Prints a line for each test; the last line is always `N passed, N failed, N skipped`, and the exit code is 1 unless all is well.
 * The only addresses that tests know are loopback servers of their own.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRoom, type Room } from '../kit/room.ts'
import { findStrays } from '../kit/strays.ts'
import { closingLine, failureText, slowestText } from '../kit/summary.ts'
import { runTestFile } from '../kit/test-file.ts'
import { type Entry, judge, readReport, type Verdict } from '../kit/verdict.ts'
import { cacheFolder, cannotTest, installAll } from './install.ts'

const lanes = 2
/** Starts eight workers itself, so nothing runs beside it. */
const alone = ['eight.real.ts']
/** The longest file takes about two minutes on two cores. */
const limitSeconds = 600

const say = (line: string): void => { process.stdout.write(`${line}\n`) }

/** A line for each test. */
function lineOf({ passed, failed, skipped, reason }: Entry, file: string): string[] {
  const name = file.replace('.real.ts', '')
  if (passed !== undefined) return [`ok    ${name}: ${passed}`]
  if (failed !== undefined) return [`FAIL  ${name}: ${failed}`]
  return skipped === undefined ? [] : [`skip  ${name}: ${skipped} (${reason})`]
}

async function runOne(file: string, room: Room, stop: AbortSignal): Promise<Verdict> {
  const place = await room.place()
  const env = { ...place.env, ALETHE_REAL_CACHE: cacheFolder() }
  const ended = await runTestFile(join(import.meta.dirname, file), { ...place, env }, limitSeconds * 1000, stop)
  const entries = await readReport(place.report)
  for (const line of entries.flatMap(entry => lineOf(entry, file))) say(line)
  const verdict = judge(file, entries, ended, limitSeconds)
  const output = verdict.failed > 0 ? { output: await readFile(place.output, 'utf8') } : {}
  await place.clear()
  return { ...verdict, ...output }
}

async function runAll(files: readonly string[], room: Room, stop: AbortSignal): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const group of [files.filter(file => !alone.includes(file)), files.filter(file => alone.includes(file))]) {
    const waiting = [...group]
    const lane = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined && !stop.aborted; file = waiting.shift()) verdicts.push(await runOne(file, room, stop))
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
  return verdicts
}

/** What is left of the whole run that no single test can know of. */
const leftOver = (room: Room): string[] => process.platform === 'linux' ? findStrays(-1, room.path).map(({ pid, name }) => `process ${pid}: ${name}`) : []

async function main(): Promise<void> {
  // A failure until the end is reached.
  process.exitCode = 1
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { stop.abort() })
  const words = process.argv.slice(2)
  const files = (await readdir(import.meta.dirname)).filter(file => file.endsWith('.real.ts') && (words.length === 0 || words.some(word => file.includes(word)))).sort()
  if (files.length === 0) say(`No test file has a name with ${words.join(' or ')}`)
  const reason = cannotTest()
  if (reason !== undefined) say(`These tests need the real CLIs: ${reason}`)
  else await installAll(say)
  // Outside the system's temporary folder, which sandboxes treat in a way of their own.
  process.env['TMPDIR'] = join(cacheFolder(), 'runs')
  await mkdir(process.env['TMPDIR'], { recursive: true })
  await using room = await makeRoom()
  const verdicts = await runAll(files, room, stop.signal)
  const left = leftOver(room)
  for (const verdict of verdicts) if (verdict.failed > 0) say(failureText(verdict))
  if (left.length > 0) say(`left behind: ${left.join('; ')}`)
  if (stop.signal.aborted) say(`Interrupted: ${files.length - verdicts.length} of ${files.length} files did not run`)
  say(slowestText(verdicts))
  say('Each test also fails when its proxy is asked for any address (a program that ignores the proxy variables would not be seen) or a process is left.')
  say(closingLine(verdicts))
  const good = left.length === 0 && verdicts.some(verdict => verdict.passed + verdict.skips.length > 0) && verdicts.every(verdict => verdict.failed === 0)
  process.exitCode = stop.signal.aborted ? 130 : good ? 0 : 1
}

await main().catch((error: unknown) => {
  say(error instanceof Error ? error.stack ?? error.message : String(error))
  say('0 passed, 1 failed, 0 skipped')
})
