/** Whether a worker costs more when there are more of them. */
import type { Ground } from './ground.ts'
import { ms, ratio, type Section } from './report.ts'
import { interleaved, over, type Spent, timed } from './timing.ts'

const sizes = [10, 100, 1_000] as const
const atOnce = 8
const repetitions = 3
const script = 'cat >/dev/null; echo ok'

export async function measureGrowth({ plain, env, run }: Ground, said: (word: string) => void): Promise<Section> {
  const cases = Object.fromEntries([1, ...sizes].map(workers => {
    const words = run(plain, { workers, atOnce, script })
    return [`${workers} workers`, () => timed(words, { cwd: plain, env })]
  }))
  const rounds = await interleaved(repetitions, cases, said)
  const each = (workers: number, of: keyof Spent): number =>
    over(rounds, round => (round[`${workers} workers`]![of] - round['1 workers']![of]) / (workers - 1))
  return {
    title: 'From 10 to 1,000 workers',
    words: [`The same workers outside git, ${atOnce} at a time, ${repetitions} repetitions; the time of a wave of one is taken off first. Aim: flat.`],
    head: ['workers', 'ms', 'CPU ms', 'ms per worker', 'CPU ms per worker', 'CPU to that of 100'],
    rows: sizes.map(workers => [
      String(workers), ms(over(rounds, round => round[`${workers} workers`]!.ms)), ms(over(rounds, round => round[`${workers} workers`]!.cpuMs)),
      ms(each(workers, 'ms')), ms(each(workers, 'cpuMs')), ratio(each(workers, 'cpuMs') / each(100, 'cpuMs')),
    ]),
  }
}
