/** Filters that git needs to check out files and whose programs are missing, so that a failure can name them. */
import { git, gitEnv } from '../io/git.ts'
import { which } from '../io/which.ts'

export interface MissingFilter { readonly name: string; readonly program: string }

/** Required filters (`filter.<name>.required`) of a repository whose program is not on PATH. */
export async function missingFilters(cwd: string): Promise<MissingFilter[]> {
  const keys = String.raw`^filter\..*\.(required|process|smudge|clean)$`
  const { stdout } = await git(cwd, ['config', '-z', '--get-regexp', keys], { okCodes: [0, 1] })
  const settings = new Map(stdout.toString('utf8').split('\0').filter(Boolean).map(entry => {
    const end = entry.indexOf('\n')
    return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
  }))
  const missing: MissingFilter[] = []
  for (const [key, value] of settings) {
    const name = /^filter\.(.*)\.required$/.exec(key)?.[1]
    if (name === undefined || value === 'false') continue
    const command = ['process', 'smudge', 'clean'].map(way => settings.get(`filter.${name}.${way}`)).find(Boolean) ?? ''
    const program = command.trim().split(/\s+/)[0] ?? ''
    // A quoted program is left to the shell that git gives it to.
    if (/^[^"']/.test(program) && await which(program, gitEnv(), cwd) === null) missing.push({ name, program })
  }
  return missing
}
