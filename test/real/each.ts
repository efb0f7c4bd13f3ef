/** Suites of tests that run once for each of several real CLIs, each time in a rig of its own. */
import { suite } from '../kit/check.ts'
import { cannotTest, type Cli } from './install.ts'
import { inRig, type Rig, type RigOptions } from './rig.ts'

export type Body = (rig: Rig, cli: Cli) => Promise<void>

/** Registers a test for each of `on`; where real CLIs cannot run it is counted as skipped. */
export type RealTest = (title: string, on: readonly Cli[], body: Body, options?: RigOptions & { readonly limitMs?: number }) => void

/** A test takes 2 to 20 s on two idle cores. */
const usualLimitMs = 180_000

export function realSuite(name: string, define: (test: RealTest) => void): void {
  const reason = cannotTest()
  suite(name, test => define((title, on, body, { limitMs = usualLimitMs, ...options } = {}) => {
    for (const cli of on) {
      const full = `${cli.key}: ${title}`
      if (reason === undefined) test(full, () => inRig(cli, options, rig => body(rig, cli)), limitMs)
      else test.skip(full, reason)
    }
  }))
}
