/** Where the user's policy is. Apart from what is in it, as commands that only look at runs ask for the place alone. Pure. */
import { posix, win32 } from 'node:path'

/** The machine as far as it decides where the policy is. */
export interface PolicyPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

/**
 * The policy file: the one that a command line names, else ALETHE_ORCHESTRATE_POLICY, else `alethe/orchestrate.json` in XDG_CONFIG_HOME (default `~/.config`), on Windows
 * `Alethe\alethe-orchestrate.json` in APPDATA. Relative paths are relative to the current folder.
 */
export function policyPath({ env, home, cwd, platform }: PolicyPlace, onCommandLine?: string): string {
  const { join, resolve } = platform === 'win32' ? win32 : posix
  if (onCommandLine) return resolve(cwd, onCommandLine)
  const named = env['ALETHE_ORCHESTRATE_POLICY']
  if (named) return resolve(cwd, expandHome(named, home, platform))
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Alethe', 'alethe-orchestrate.json')
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'alethe', 'orchestrate.json')
}

/** A leading `~` as the home folder. */
export const expandHome = (path: string, home: string, platform: NodeJS.Platform): string =>
  (platform === 'win32' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/).test(path) ? `${home}${path.slice(1)}` : path
