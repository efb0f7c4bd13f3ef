/** A scripted worker with helpers that left its group: a session of their own, a double fork, a plain child. */
import type { Identity } from '../../lib/io/process/identity.ts'
import type { CliRig } from './cli.ts'
import type { Started } from './command.ts'

/** Processes of one such worker. */
export const familySize = 4

/** Puts `family WORD` on PATH: it tells all its processes under WORD, each TERM under `WORD-term`, and stays. */
export const fakeFamily = (rig: CliRig): Promise<void> => rig.fake('family', `word=$1
trap 'told "$word-term" $$; exit 0' TERM
told "$word" $$
sleep 300 & told "$word" $!
( ( sleep 300 & told "$word" $! ) & )
setsid sleep 300 & told "$word" $!
wait
`)

/** Waits until one is complete; fails when the command `by` ends before. */
export const wholeFamily = (rig: CliRig, word: string, by?: Started): Promise<Identity[]> => rig.named(word, familySize, by)
