/** The text of `--help`, from the declaration of a command alone. Written for 80 columns; marks for colour are `style.ts`'s. */
import { paint, type Screen } from '../base/style.ts'
import { listed, width, wrap } from '../base/text.ts'
import { exitMeanings, type ExitMeanings } from './exits.ts'
import { commonOptions, flagOf, type OptionSpec, type Options, type Words, type WordSpec } from './options.ts'

/** What help needs of a command. */
export interface Helpful {
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly options?: Options
  readonly words?: Words
  readonly examples: readonly [string, string]
  readonly exits?: ExitMeanings
}

type Row = readonly [label: string, text: string]

/** Lines longer than this are hard to read, however wide the terminal. */
const widest = 100
const narrowest = 40
/** A longer label gets its own line. */
const longestLabel = 26
const noBreak = '\u00a0'

export function helpText(command: Helpful, screen: Pick<Screen, 'columns'>): string {
  const columns = Math.max(narrowest, Math.min(widest, screen.columns))
  const options = Object.entries({ ...command.options, ...commonOptions })
  const sections: [string, string[]][] = [
    ['Arguments', table((command.words ?? []).map(wordRow), columns)],
    ['Options', table(options.map(([key, spec]) => optionRow(key, spec)), columns)],
    ['Examples', command.examples.map(example => `  ${example}`)],
    ['Exit codes', table(Object.entries({ ...exitMeanings, ...command.exits }), columns)],
  ]
  const parts = [
    ...wrap(command.summary, columns), '', ...usageLines(command.usage, columns),
    ...sections.filter(([, lines]) => lines.length > 0).flatMap(([title, lines]) => ['', paint('bold', `${title}:`), ...lines]),
  ]
  return parts.join('\n')
}

/** The usage hangs behind its title; groups in brackets stay whole. */
function usageLines(usage: string, columns: number): string[] {
  const kept = usage.replace(/\[[^\]]*\]/g, group => group.replaceAll(' ', noBreak))
  const [first = '', ...more] = wrap(kept, columns - 9).map(line => line.replaceAll(noBreak, ' '))
  return [`${paint('bold', 'Usage:')} ${first}`, ...more.map(line => `         ${line}`)]
}

const wordRow = (word: WordSpec): Row => {
  const name = `${word.name}${word.rest ? '...' : ''}`
  return [word.optional ? `[${name}]` : name, withFacts(word.help, word.choices ? [oneOf(word.choices)] : [])]
}

function optionRow(key: string, spec: OptionSpec): Row {
  const flag = key === 'help' ? `-h, ${flagOf(key)}` : key === 'version' ? `-v, ${flagOf(key)}` : flagOf(key)
  if (spec.type === 'boolean') return [flag, spec.help]
  const name = spec.hint ?? (spec.type === 'number' || spec.type === 'integer' ? 'number' : 'value')
  const label = spec.type === 'list' && !spec.whole ? `${name}...` : name
  const { choices } = spec.type === 'choice' || spec.type === 'list' ? spec : { choices: undefined }
  return [`${flag} <${label}>`, withFacts(spec.help, [
    ...(choices ? [oneOf(choices)] : []), ...range(spec),
    ...(spec.type === 'list' && spec.whole ? ['can be repeated'] : []),
    ...(spec.required ? ['required'] : []),
    ...defaultOf(spec.default),
  ])]
}

const defaultOf = (value: string | number | readonly string[] | undefined): string[] =>
  value === undefined || value === '' ? [] : [`default: ${typeof value === 'object' ? listed(value) : value}`]

const oneOf = (choices: readonly string[]): string => `one of ${listed(choices, 30)}`

function range(spec: OptionSpec): string[] {
  if (spec.type !== 'number' && spec.type !== 'integer') return []
  const { min, max } = spec
  if (min !== undefined && max !== undefined) return [`${min} to ${max}`]
  return min !== undefined ? [`at least ${min}`] : max !== undefined ? [`at most ${max}`] : []
}

const withFacts = (help: string, facts: readonly string[]): string => facts.length > 0 ? `${help} (${facts.join('; ')})` : help

/** Two columns; the right one wraps below itself, and a long label stands alone. */
function table(rows: readonly Row[], columns: number): string[] {
  const left = Math.max(...rows.map(([label]) => width(label)).filter(each => each <= longestLabel), 4) + 4
  return rows.flatMap(([label, text]) => {
    const lines = wrap(text, columns - left)
    const start = `  ${paint('cyan', label)}`
    const gap = ' '.repeat(Math.max(0, left - 2 - width(label)))
    const fits = width(label) <= longestLabel
    return [...(fits ? [`${start}${gap}${lines.shift() ?? ''}`] : [start]), ...lines.map(line => `${' '.repeat(left)}${line}`)]
  })
}
