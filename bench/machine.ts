/** Facts of the machine that figures depend on, and which of the other programs are here. No names and no paths. */
import { spawnSync } from 'node:child_process'
import { arch, availableParallelism, platform, release } from 'node:os'
import { readFileSync } from 'node:fs'

/** The first line that a program prints about its version; null when it is not here. */
export function versionOf(program: string): string | null {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return status === 0 ? stdout.split('\n')[0]!.trim() : null
}

/** Jobs that want a core, a minute's mean. */
const load = (): string | null => platform() === 'linux' ? readFileSync('/proc/loadavg', 'utf8').split(' ')[0]! : null

export function machineFacts(): string[] {
  const busy = load()
  return [
    `${availableParallelism()} cores${busy === null ? '' : `, load ${busy} when the measuring began`}`,
    `${platform()} ${arch()} ${release().split('-')[0]}`,
    `Node ${process.version}`,
    versionOf('git') ?? 'no git',
    versionOf('parallel') ?? 'no GNU parallel',
    versionOf('xargs') ?? 'an xargs that does not tell its version',
  ]
}
