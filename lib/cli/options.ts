/**
 * How a command declares what it takes, and the types that follow from it: `run` gets values of these types without a cast.
 * Keys are camelCase (`dryRun`), flags kebab-case (`--dry-run`).
 */
import { kebab } from '../base/text.ts'

interface Described {
  /** One sentence for `--help`, without a full stop. */
  readonly help: string
  /** What the value is called in `--help`, such as `folder`. */
  readonly hint?: string
  readonly required?: boolean
}

/** Spaced, comma-separated or repeated values; given without any it is empty. With `whole` each use takes one value as it is. */
interface ListSpec {
  readonly type: 'list'
  readonly choices?: readonly string[]
  readonly whole?: boolean
  readonly default?: readonly string[]
}

export type OptionSpec = Described & (
  | { readonly type: 'string'; readonly default?: string }
  | { readonly type: 'number' | 'integer'; readonly min?: number; readonly max?: number; readonly default?: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  | ListSpec
)
export type Options = Readonly<Record<string, OptionSpec>>

/** A word without dashes, by position. Words that are not `optional` are filled first; `rest` takes any number and comes last. */
export interface WordSpec {
  readonly name: string
  readonly help: string
  readonly choices?: readonly string[]
  readonly optional?: boolean
  readonly rest?: boolean
}
export type Words = readonly WordSpec[]

type Chosen<S> = S extends { readonly choices: readonly (infer C)[] } ? C : string
type Value<S> =
  S extends { readonly type: 'boolean' } ? boolean
    : S extends { readonly type: 'number' | 'integer' } ? number
      : S extends { readonly type: 'list' } ? readonly Chosen<S>[]
        : Chosen<S>
/** Options that always have a value. */
type Sure = { readonly type: 'boolean' } | { readonly required: true } | { readonly default: string | number | readonly string[] }

/** Values of declared options; those that may be absent are optional properties. */
export type OptionValues<O extends Options> =
  & { readonly [K in keyof O as O[K] extends Sure ? K : never]: Value<O[K]> }
  & { readonly [K in keyof O as O[K] extends Sure ? never : K]?: Value<O[K]> }

/** Values of declared words, in their order; an optional one that was not given is undefined. */
export type WordValues<W extends Words> = W extends readonly [infer First, ...infer Rest extends Words]
  ? First extends { readonly rest: true }
    ? First extends { readonly optional: true } ? readonly Chosen<First>[] : readonly [Chosen<First>, ...Chosen<First>[]]
    : readonly [First extends { readonly optional: true } ? Chosen<First> | undefined : Chosen<First>, ...WordValues<Rest>]
  : readonly []

/** What a command without options declares. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- none is what is meant
export type NoOptions = Record<never, never>

/** Options that every command has. */
export const commonOptions = {
  json: { type: 'boolean', help: 'Print one JSON object on stdout and nothing on stderr' },
  help: { type: 'boolean', help: 'Show this help' },
  version: { type: 'boolean', help: 'Show the version' },
} as const satisfies Options

/** The flag of an option's key: `dryRun` is `--dry-run`. */
export const flagOf = (key: string): string => `--${kebab(key)}`

/** Faults of a declaration, which are ours: thrown as plain errors when the command is loaded. */
export function checkDeclaration(options: Options, words: Words): void {
  for (const key of Object.keys(options)) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(key) || key in commonOptions) throw new Error(`An option cannot have the key "${key}"`)
  }
  if (words.slice(0, -1).some(word => word.rest)) throw new Error('Only the last word may be the rest')
}
