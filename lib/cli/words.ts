/** Gives the words of a command line to the words that a command declares. */
import type { Problem } from '../base/fail.ts'
import { listed, nearest, plural } from '../base/text.ts'
import type { Words, WordSpec } from './options.ts'

export interface AssignedWords {
  /** In declared order; undefined for an optional word that was not given, the items of `rest` at the end. */
  readonly values: readonly (string | undefined)[]
  readonly problems: readonly Problem[]
}

/**
 * Needed words are filled first, then optional ones from the left, so `[folder] worker` with one word fills `worker`.
 * @param spacedList a list option that took the words behind it, for the hint when a word is missing
 */
export function assignWords(declared: Words, given: readonly string[], spacedList?: string): AssignedWords {
  const needed = declared.filter(word => !word.optional).length
  let spare = given.length - needed
  let at = 0
  const values: (string | undefined)[] = []
  const problems: Problem[] = []
  const take = (word: WordSpec): void => {
    const text = given[at++]
    if (text === undefined) problems.push(missing(word, spacedList))
    else if (word.choices && !word.choices.includes(text)) problems.push(badChoice(word, text, word.choices))
    values.push(text)
  }
  for (const word of declared) {
    if (word.rest) {
      if (!word.optional) take(word)
      while (at < given.length) take(word)
    } else if (!word.optional) take(word)
    else if (spare-- > 0) take(word)
    else values.push(undefined)
  }
  if (at < given.length) problems.push(unexpected(given.slice(at), declared.length))
  return { values, problems }
}

const missing = (word: WordSpec, spacedList?: string): Problem => ({
  code: 'usage.missing-argument', message: `Argument "${word.name}" is missing: ${word.help}`,
  hint: spacedList
    ? `${spacedList} takes every word behind it: put it last, or write ${spacedList}=a,b`
    : 'use --help to see the usage',
})

function badChoice(word: WordSpec, text: string, choices: readonly string[]): Problem {
  const near = nearest(text, choices)
  return {
    code: 'usage.bad-value', message: `Argument "${word.name}" takes one of ${listed(choices, 30)}, not ${JSON.stringify(text)}`,
    ...(near ? { hint: `use ${near}` } : {}),
  }
}

const unexpected = (extra: readonly string[], most: number): Problem => ({
  code: 'usage.unexpected-argument',
  message: `At most ${plural(most, 'argument')} can be used: ${listed(extra.map(word => JSON.stringify(word)), 3)} is too much`,
  hint: 'put a value with blanks in quotes, or use --help to see the usage',
})
