/** What a command is: data that describes it, `run` that works and returns data, and functions that show the data. */
import type { Screen } from '../base/style.ts'
import type { Host } from '../io/host.ts'
import type { ExitMeanings } from './exits.ts'
import type { Options, OptionValues, Words, WordValues } from './options.ts'

/** What `run` gets. */
export interface Context<O extends Options, W extends Words, E> {
  readonly options: OptionValues<O>
  readonly words: WordValues<W>
  readonly host: Host
  /** Aborts at the first Ctrl-C, TERM or HUP; the reason is a `Fail` that names it. Clean up, then return or throw the reason. */
  readonly signal: AbortSignal
  /** Tells a watcher what happens, through `live`. */
  readonly emit: (event: E) => void
  /** Real path of the command's own file: sibling scripts and assets are found from it. */
  readonly entry: string
}

export interface CommandSpec<O extends Options, W extends Words, D extends object, E> {
  readonly name: string
  /** One sentence without a full stop. */
  readonly summary: string
  /** Begins with the name, such as `stop [folder] [--grace 10s]`. */
  readonly usage: string
  readonly words?: W
  readonly options?: O
  /** Two command lines to type. */
  readonly examples: readonly [string, string]
  /** Meanings of exit codes where they differ from the usual ones. */
  readonly exits?: ExitMeanings
  /** Left out of lists of commands. */
  readonly hidden?: boolean
  /** Does the work and returns what `--json` prints. A refusal or failure is a thrown `Fail`, anything else thrown is a bug. */
  run(context: Context<O, W, E>): D | Promise<D>
  /** The data for the screen at hand; `paint` gives colour. Control characters are taken out behind it. */
  text(data: D, screen: Screen): string
  /** The exit code of data that is there; 0 without it. */
  exit?(data: D): number
  /** A line for stderr about an event, or null; shown on terminals only, and not with `--json`. */
  live?(event: E, screen: Screen): string | null
}
