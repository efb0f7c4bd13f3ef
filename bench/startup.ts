/** How long each command takes to say what it is for, beside Node alone and Node with the loader. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ground, nodeWords, rootFolder } from './ground.ts'
import { ms, ratio, type Section } from './report.ts'
import { type Cases, interleaved, over, type Spent, timed } from './timing.ts'

const repetitions = 9
const bare = '`node -e 0`'
const loader = '`node --import tsx -e 0`'

/** Commands that people type. */
function commandFiles(): string[] {
  const folder = join(rootFolder, 'commands')
  return readdirSync(folder).filter(name => name.endsWith('.ts')).sort()
    .map(name => join(folder, name)).filter(file => !readFileSync(file, 'utf8').includes('hidden: true'))
}

export async function measureStartup({ plain, env }: Ground, said: (word: string) => void): Promise<Section> {
  const place = { cwd: plain, env }
  const cases: Cases<string, Spent> = {
    [bare]: () => timed([process.execPath, '-e', '0'], place),
    [loader]: () => timed([...nodeWords, '-e', '0'], place),
    ...Object.fromEntries(commandFiles().map(file => [
      `\`${file.split('/').at(-1)} --help\``, () => timed([...nodeWords, file, '--help'], place),
    ])),
  }
  const rounds = await interleaved(repetitions, cases, said)
  const to = (name: string, other: string): string => ratio(over(rounds, round => round[name]!.ms / round[other]!.ms))
  return {
    title: 'Start-up',
    words: [`Each command's \`--help\` from a checkout, all in one run, ${repetitions} repetitions.`],
    head: ['', 'ms', `to ${bare}`, `to ${loader}`, 'CPU ms'],
    rows: Object.keys(cases).map(name => [name, ms(over(rounds, round => round[name]!.ms)), to(name, bare), to(name, loader), ms(over(rounds, round => round[name]!.cpuMs))]),
  }
}
