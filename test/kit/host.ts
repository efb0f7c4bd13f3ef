/** A host for in-process tests: private home and environment, a terminal that is none. */
import { realClock, type Clock } from '../../lib/io/clock.ts'
import type { Host } from '../../lib/io/host.ts'

const plain = { columns: 80, color: false, tty: false }

/** A host whose home, config and runs lie under `home`; only PATH comes from outside. */
export const hostAt = (home: string, more: { readonly env?: Record<string, string>; readonly cwd?: string; readonly clock?: Clock; readonly platform?: NodeJS.Platform } = {}): Host => ({
  env: { PATH: process.env['PATH'], HOME: home, ...more.env },
  cwd: more.cwd ?? home, home, platform: more.platform ?? process.platform, clock: more.clock ?? realClock,
  terminal: { stdin: false, stdout: plain, stderr: plain },
})
