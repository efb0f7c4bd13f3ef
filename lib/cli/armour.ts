/**
 * Makes arguments safe for cac: mri inside it turns `007` into 7 and '' into 0, drops a lone `-`, lets `--dry-run` swallow the
 * next word and nests keys at dots (cac 7.1). Here every value and word gets a sign in front that no number has, flags are looked
 * up exactly, and what belongs to a list is gathered, so that cac sees only `=word` and `--key==value`.
 */
import type { Problem } from '../base/fail.ts'
import { nearest } from '../base/text.ts'
import { flagOf, type OptionSpec, type Options } from './options.ts'

const sign = '='
/** A value as it was typed. */
export const bare = (armoured: string): string => armoured.slice(sign.length)

export interface Armoured {
  /** For cac: words first, so that none stands behind an option, then options. */
  readonly argv: readonly string[]
  readonly problems: readonly Problem[]
  /** Keys of options that were used without the value they need; they are in `problems`. */
  readonly valueless: ReadonlySet<string>
  /** A list took words that stood behind it: said when a word is missing. */
  readonly spacedList?: string
}

const short = new Map([['-h', '--help'], ['-v', '--version']])

/** Like an option, as opposed to a word: a lone `-` is a word. */
const isFlag = (token: string): boolean => token.startsWith('-') && token !== '-'
const isNegative = (token: string): boolean => /^-\.?\d/.test(token)

/** What stands behind a flag and belongs to it. */
function following(spec: OptionSpec, rest: readonly string[]): readonly string[] {
  if (spec.type === 'boolean') return []
  if (spec.type === 'list' && !spec.whole) {
    const end = rest.findIndex(isFlag)
    return end < 0 ? rest : rest.slice(0, end)
  }
  const [next] = rest
  const takes = next !== undefined && (!isFlag(next) || ((spec.type === 'number' || spec.type === 'integer') && isNegative(next)))
  return takes ? [next] : []
}

/** Comma-separated values; blanks around them and empty ones do not count. */
const split = (texts: readonly string[]): string[] =>
  texts.flatMap(text => text.split(',').map(part => part.trim()).filter(Boolean))

/** The values of one use of an option; undefined where it needs one and has none. */
function valuesOf(spec: OptionSpec, inline: string | undefined, behind: readonly string[]): readonly string[] | undefined {
  const given = inline === undefined ? behind : [inline]
  if (spec.type === 'boolean') return inline === undefined ? ['true'] : given
  if (spec.type === 'list' && !spec.whole) return split(given)
  return given.length > 0 ? given : undefined
}

/** One option as it was used. */
interface Use { readonly key: string; readonly flag: string; readonly spec: OptionSpec; readonly inline: string | undefined }

export function armour(options: Options, argv: readonly string[]): Armoured {
  const known = new Map(Object.entries(options).map(([key, spec]) => [flagOf(key), { key, spec }]))
  const words: string[] = []
  const flags: string[] = []
  const problems: Problem[] = []
  const valueless = new Set<string>()
  let spacedList: string | undefined

  /** Takes one use of an option; returns how many arguments behind it belong to it. */
  const use = ({ key, flag, spec, inline }: Use, rest: readonly string[]): number => {
    const behind = inline === undefined ? following(spec, rest) : []
    const values = valuesOf(spec, inline, behind)
    if (values === undefined) {
      problems.push(missingValue(flag, rest[0]))
      valueless.add(key)
    } else if (values.length === 0) flags.push(`--${key}`)
    else flags.push(...values.map(value => `--${key}=${sign}${value}`))
    if (spec.type === 'list' && behind.length > 0) spacedList = flag
    return behind.length
  }

  for (let at = 0; at < argv.length; at++) {
    const token = argv[at] ?? ''
    if (token === '--') {
      words.push(...argv.slice(at + 1))
      break
    }
    const { name, inline } = parts(token)
    const flag = short.get(name) ?? name
    const option = known.get(flag)
    if (!isFlag(token)) words.push(token)
    else if (option) at += use({ ...option, flag, inline }, argv.slice(at + 1))
    else problems.push(unknown(name, [...known.keys()]))
  }
  return { argv: [...words.map(word => sign + word), ...flags], problems, valueless, ...(spacedList ? { spacedList } : {}) }
}

/** `--name` and what stands behind its first `=`. */
function parts(token: string): { readonly name: string; readonly inline: string | undefined } {
  const equals = token.indexOf('=')
  return equals < 0 ? { name: token, inline: undefined } : { name: token.slice(0, equals), inline: token.slice(equals + 1) }
}

const unknown = (name: string, known: readonly string[]): Problem => {
  const near = nearest(name.replace(/^-+/, ''), known.map(flag => flag.slice(2)))
  return {
    code: 'usage.unknown-option', message: `There is no option ${JSON.stringify(name)}`,
    hint: near ? `use --${near}` : 'use --help to see the options, and -- before words that begin with a dash',
  }
}

const missingValue = (flag: string, next: string | undefined): Problem => ({
  code: 'usage.missing-value', message: `Option ${flag} needs a value`,
  ...(next !== undefined && isFlag(next) && next !== '--' ? { hint: `write ${flag}=${next} when that is the value` } : {}),
})
