/** What the runner costs for each worker of a wave whose workers do nothing, beside programs that only start them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { clearWorktrees, filesInCheckout, type Ground } from './ground.ts'
import { versionOf } from './machine.ts'
import { ms, ratio, type Section } from './report.ts'
import { type Cases, interleaved, over, type Rounds, type Spent, timed } from './timing.ts'

const workers = 200
const writers = 40
const atOnce = 8
const repetitions = 7
const script = 'cat >/dev/null; echo ok'
const aims = { toParallel: 1.2, overXargsMs: 5 }

type Name = 'alethe' | 'alethe, 1 worker' | 'xargs' | 'parallel' | 'checkout' | 'writers'
type Found = Rounds<Name, Spent>

const numbers = Array.from({ length: workers }, (_, index) => String(index))

/** Both are given the worker in their own cheapest way: one shell each, nothing on its stdin. */
const others = {
  xargs: ['sh', '-c', `printf '%s\\n' "$@" | xargs -P ${atOnce} -n 1 sh -c '${script}'`, 'sh', ...numbers],
  parallel: (folder: string) => ['parallel', '--will-cite', `-j${atOnce}`, '-N0', '--results', folder, script, ':::', ...numbers],
}

function casesOf(ground: Ground, withParallel: boolean): Cases<Name, Spent> {
  const { plain, checkout, env } = ground
  const inPlain = ground.run(plain, { workers, atOnce, script })
  const one = ground.run(plain, { workers: 1, atOnce, script })
  const inCheckout = ground.run(checkout, { workers, atOnce, script })
  const isolated = ground.run(checkout, { workers: writers, atOnce, script, more: { mode: 'write', isolate: true } })
  return {
    'xargs': () => timed(others.xargs, { cwd: plain, env }),
    'alethe': () => timed(inPlain, { cwd: plain, env }),
    'parallel': withParallel ? () => inParallel(ground) : () => Promise.resolve({ ms: Number.NaN, cpuMs: Number.NaN }),
    'alethe, 1 worker': () => timed(one, { cwd: plain, env }),
    'checkout': () => timed(inCheckout, { cwd: checkout, env }),
    'writers': () => timed(isolated, { cwd: checkout, env }).finally(() => { clearWorktrees(checkout) }),
  }
}

async function inParallel({ path, plain, env }: Ground): Promise<Spent> {
  const folder = mkdtempSync(join(path, 'results-'))
  try {
    return await timed(others.parallel(folder), { cwd: plain, env })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function measureWave(ground: Ground, said: (word: string) => void): Promise<Section> {
  const withParallel = versionOf('parallel') !== null
  const found = await interleaved(repetitions, casesOf(ground, withParallel), said)
  const row = (label: string, name: Name, count: number): string[] => [
    label, ms(over(found, round => round[name].ms)), ms(over(found, round => round[name].cpuMs)),
    ms(over(found, round => (round[name].ms - round.xargs.ms * count / workers) / count)),
    withParallel && count === workers ? ratio(over(found, round => round[name].ms / round.parallel.ms)) : '-',
  ]
  return {
    title: 'A wave of workers that do nothing',
    words: [`Each worker is \`sh -c '${script}'\`; ${workers} of them, ${atOnce} at a time, from starting the command to its end: ${repetitions} repetitions.`],
    head: ['', 'ms', 'CPU ms', 'ms per worker above xargs', 'to parallel'],
    rows: [
      row(`\`xargs -P ${atOnce}\`, keeps nothing`, 'xargs', workers),
      ...withParallel ? [row(`\`parallel -j${atOnce} --results\``, 'parallel', workers)] : [],
      row('Alethe, outside git', 'alethe', workers),
      row(`Alethe, readers sharing a checkout of ${filesInCheckout} files`, 'checkout', workers),
      row(`Alethe, ${writers} writers in worktrees of their own`, 'writers', writers),
      row('Alethe, one worker', 'alethe, 1 worker', 1),
    ],
    notes: [verdict(found, withParallel)],
  }
}

function verdict(found: Found, withParallel: boolean): string {
  const above = over(found, round => (round.alethe.ms - round.xargs.ms) / workers)
  const fixed = over(found, round => round['alethe, 1 worker'].ms - round.xargs.ms / workers) / workers
  const toParallel = withParallel
    ? `${ratio(over(found, round => round.alethe.ms / round.parallel.ms))} times GNU parallel (aim: at most ${aims.toParallel})`
    : 'not compared with GNU parallel, which is not installed here (`apt-get install parallel`)'
  return `Outside git: ${toParallel}, ${ms(above)} ms per worker above xargs (aim: at most ${aims.overXargsMs}). `
    + `Of these, ${ms(fixed)} ms are one worker's wave spread over ${workers}: starting Node, loading the code, checking the plan. `
    + `The rest, ${ms(above - fixed)} ms, is what each further worker costs.`
}
