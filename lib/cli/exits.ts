/** What the exit codes mean, for `--help` and the documentation; the codes themselves are in `lib/base/fail.ts`. */
import { exits } from '../base/fail.ts'

export type ExitMeanings = Readonly<Record<number, string>>

export const exitMeanings: ExitMeanings = {
  [exits.done]: 'Done',
  [exits.failed]: 'The work failed',
  [exits.refused]: 'Refused before anything was done: usage, configuration, budget, quota; the error code tells which',
  [exits.bug]: 'A bug in this program',
  [exits.interrupted]: 'Interrupted by Ctrl-C or a signal',
}
