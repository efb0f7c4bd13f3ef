/**
 * Facts of the machine as commands get them: environment, folders, platform, clock and terminal. The only file that reads the
 * environment of this process, but for `git.ts`, which cleans it for each call.
 */
import { homedir } from 'node:os'
import { isatty } from 'node:tty'
import type { Screen } from '../base/style.ts'
import { type Clock, realClock } from './clock.ts'

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly clock: Clock
  /** `stdin` is true where a person can type. */
  readonly terminal: { readonly stdin: boolean; readonly stdout: Screen; readonly stderr: Screen }
}

/** What a standard stream says of itself. */
export interface StreamFacts { readonly isTTY?: boolean; readonly columns?: number }

/** How a stream shows text. Colour needs a terminal, not a `dumb` one, and no NO_COLOR (https://no-color.org: not empty). */
export function screenOf(stream: StreamFacts, env: Host['env']): Screen {
  const tty = stream.isTTY === true
  return { columns: (tty && stream.columns) || 80, color: tty && !env['NO_COLOR'] && env['TERM'] !== 'dumb', tty }
}

/** The machine this process runs on; the output streams come from whoever may use them. */
export function realHost(streams: { readonly stdout: StreamFacts; readonly stderr: StreamFacts }): Host {
  const { env } = process
  return {
    env, cwd: process.cwd(), home: homedir(), platform: process.platform, clock: realClock,
    terminal: { stdin: isatty(0), stdout: screenOf(streams.stdout, env), stderr: screenOf(streams.stderr, env) },
  }
}
