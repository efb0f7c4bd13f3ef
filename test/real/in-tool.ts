/** Workers whose tool is in the middle of a long command: how they are started, and what of them lives. */
import { assert } from '../kit/check.ts'
import { findStrays } from '../kit/strays.ts'
import { until } from '../kit/until.ts'
import type { Cli } from './install.ts'
import { ranOf, type Rig, startLimitMs } from './rig.ts'

/** A tool that would run for ten minutes, in a worker that may run it. Claude 2.1.332 refuses a sleep in the foreground, but not one further down. */
export const sleeping = (cli: Cli): Readonly<Record<string, unknown>> => ({
  id: 'a', provider: cli.program, mode: 'write', isolate: true, task: '[[bash node -e "child_process.execSync(\'sleep 600\')"]]',
  ...(cli.program === 'claude' ? { allowCommands: ['node -e'] } : {}),
})

const living = (rig: Rig): string[] => findStrays(-1, rig.path).map(({ name }) => name)
/** The runner and its guard leave a moment after the last record is written. */
export const nothingLives = (rig: Rig, withinMs = 5_000): Promise<void> => until(() => {
  assert.equal(living(rig), [])
  return true
}, withinMs)
/** Does the command of the tool run? */
export const toolRuns = (rig: Rig): boolean => living(rig).some(name => /^sleep 600/.test(name))

/** Starts a detached run and waits until its tool runs. */
export async function intoTool(rig: Rig, cli: Cli, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { code, said } = await rig.ask('run', await rig.plan({ workers: [{ ...sleeping(cli), ...more }] }), '--detach')
  assert.equal([code, said.status], [0, 'started'])
  await until(() => toolRuns(rig), startLimitMs)
  return said.runDir
}

/** Waits for the end of a run. */
export async function ended(rig: Rig, runDir: string): Promise<ReturnType<typeof ranOf>> {
  const { code, said } = await rig.ask('wait', runDir, '--timeout', '60')
  assert.is(said.done, true)
  return ranOf(code, said)
}
