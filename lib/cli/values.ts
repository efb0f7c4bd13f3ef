/** One option's typed value from the texts given for it: strict about numbers, choices and repeats. */
import type { Problem } from '../base/fail.ts'
import { listed, nearest } from '../base/text.ts'
import type { OptionSpec } from './options.ts'

/** Either a value, or a problem, or neither for an option that is absent. */
export interface Typed { readonly value?: boolean | number | string | readonly string[]; readonly problem?: Problem }

const bad = (flag: string, text: string, wanted: string, hint?: string): Typed => ({
  problem: {
    code: 'usage.bad-value', message: `Option ${flag} takes ${wanted}, not ${JSON.stringify(text)}`, ...(hint ? { hint } : {}),
  },
})

/** @param given what was typed, once per use or list item; undefined when the option was not used */
export function typedValue(flag: string, spec: OptionSpec, given: readonly string[] | undefined): Typed {
  if (given === undefined) return absent(flag, spec)
  if (spec.type === 'list') return spec.choices ? chosen(flag, spec.choices, given) : { value: given }
  const [text = '', ...more] = given
  const again = spec.type === 'boolean' ? more.filter(each => each !== text) : more
  if (again.length > 0) return { problem: repeated(flag) }
  switch (spec.type) {
    case 'string': return { value: text }
    case 'boolean': return switched(flag, text)
    case 'choice': return chosenOne(flag, spec.choices, text)
    case 'number':
    case 'integer': return numberOf(flag, spec, text)
  }
}

const switched = (flag: string, text: string): Typed =>
  ['true', 'false'].includes(text) ? { value: text === 'true' } : bad(flag, text, 'no value, or true or false')

const repeated = (flag: string): Problem =>
  ({ code: 'usage.repeated', message: `Option ${flag} was given more than once`, hint: `write ${flag} once` })

function absent(flag: string, spec: OptionSpec): Typed {
  if (spec.type === 'boolean') return { value: false }
  if (spec.default !== undefined) return { value: spec.default }
  return spec.required ? { problem: { code: 'usage.missing-argument', message: `Option ${flag} is missing: ${spec.help}` } } : {}
}

function chosenOne(flag: string, choices: readonly string[], text: string): Typed {
  if (choices.includes(text)) return { value: text }
  const near = nearest(text, choices)
  return bad(flag, text, `one of ${listed(choices, 30)}`, near && `use ${flag} ${near}`)
}

function chosen(flag: string, choices: readonly string[], given: readonly string[]): Typed {
  const wrong = given.find(each => !choices.includes(each))
  return wrong === undefined ? { value: given } : chosenOne(flag, choices, wrong)
}

/** Plain decimal figures: no hexadecimal, no exponent, no blanks, nothing that loses digits. */
function numberOf(flag: string, spec: OptionSpec & { readonly type: 'number' | 'integer' }, text: string): Typed {
  const { min = -Infinity, max = Infinity } = spec
  const whole = spec.type === 'integer'
  const value = Number(text)
  const fits = (whole ? /^-?\d+$/ : /^-?(?:\d+(?:\.\d+)?|\.\d+)$/).test(text) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    && value >= min && value <= max
  return fits ? { value: value + 0 } : bad(flag, text, `${whole ? 'a whole number' : 'a number'}${rangeText(min, max)}`)
}

function rangeText(min: number, max: number): string {
  if (min === -Infinity) return max === Infinity ? '' : ` of at most ${max}`
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`
}
