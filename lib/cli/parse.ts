/**
 * From arguments to checked values. cac sorts armoured arguments into words and options; here they get their types, and
 * everything that is wrong with them becomes one `Fail`.
 */
import { cac } from 'cac'
import { Fail } from '../base/fail.ts'
import { armour, type Armoured, bare } from './armour.ts'
import { commonOptions, flagOf, type Options, type OptionValues, type Words, type WordValues } from './options.ts'
import { typedValue } from './values.ts'
import { assignWords } from './words.ts'

/** Arguments sorted, not yet checked. */
export interface Sorted {
  readonly words: readonly string[]
  /** By key: what was typed, once per use or list item. Absent when the option was not used, empty for an emptied list. */
  readonly given: ReadonlyMap<string, readonly string[]>
  readonly armoured: Armoured
  /** True for `--json`, whatever else is wrong, so that errors come in the form that was asked for. */
  readonly json: boolean
  readonly help: boolean
  readonly version: boolean
}

/** What parsing needs of a command. */
interface Declared<O extends Options, W extends Words> { readonly name: string; readonly options?: O; readonly words?: W }

export function sortArguments({ name, options }: Declared<Options, Words>, argv: readonly string[]): Sorted {
  const all = { ...options, ...commonOptions }
  const armoured = armour(all, argv)
  const cli = cac(name)
  const command = cli.command('[...words]')
  for (const key of Object.keys(all)) command.option(`--${key} <value>`, '')
  const parsed = cli.parse(['node', name, ...armoured.argv], { run: false })
  const values: Record<string, unknown> = parsed.options
  const given = new Map(Object.keys(all).filter(key => Object.hasOwn(values, key)).map(key => [key, textsOf(values[key])]))
  const on = (key: string): boolean => (given.get(key) ?? ['false']).some(value => value !== 'false')
  return { words: parsed.args.map(bare), given, armoured, json: on('json'), help: on('help'), version: on('version') }
}

/** What cac holds for an option: one armoured text, an array for several, `true` for none. */
const textsOf = (value: unknown): string[] => [value].flat().filter(each => typeof each === 'string').map(bare)

/** Checked values of the declared options. Everything that is wrong is in one `Fail`. */
export function checkArguments<O extends Options, W extends Words>(
  sorted: Sorted, declared: Declared<O, W>): { readonly options: OptionValues<O>; readonly words: WordValues<W> }
export function checkArguments(sorted: Sorted, { options = {}, words = [] }: Declared<Options, Words>): unknown {
  const { armoured } = sorted
  const problems = [...armoured.problems]
  const values = new Map<string, unknown>()
  for (const [key, spec] of Object.entries({ ...options, ...commonOptions })) {
    if (armoured.valueless.has(key)) continue
    const typed = typedValue(flagOf(key), spec, sorted.given.get(key))
    if (typed.problem) problems.push(typed.problem)
    if (typed.value !== undefined && Object.hasOwn(options, key)) values.set(key, typed.value)
  }
  // What follows an option that is not known may be its value: words are judged when the options are right.
  const assigned = problems.length > 0 ? { values: [], problems: [] } : assignWords(words, sorted.words, armoured.spacedList)
  problems.push(...assigned.problems)
  const [first, ...rest] = problems
  if (first) throw new Fail(first, ...rest)
  return { options: Object.fromEntries(values), words: assigned.values }
}
