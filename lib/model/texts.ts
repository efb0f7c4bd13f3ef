/** Kinds of text that documents hold, each with the words that a message says when a text is not of its kind. */
import * as v from 'valibot'
import { namePattern, workerIdPattern } from './names.ts'

export const Text = v.pipe(v.string(), v.regex(/\S/, 'a text that is not empty'))

/** A model, effort, session, playbook or phase name. */
export const NameText = v.pipe(
  v.string(), v.regex(namePattern, 'a name: letters, digits and . _ : / @ + - [ ], at most 128 characters, no sign first'),
)

export const IdText = v.pipe(
  v.string(), v.regex(workerIdPattern, 'an id: letters, digits and . _ -, at most 64 characters, no sign first'),
)

/** The look-ahead keeps the pattern linear on long hostile texts. */
export const CommandText = v.pipe(v.string(), v.regex(/^(?=[^\n\r\0]*$)\s*\S/, 'a command on one line'))

/** A word of a command line; no program can be given a NUL. */
export const ArgText = v.pipe(v.string(), v.regex(/^[^\0]*$/, 'a text without NUL'))

/** Characters as people count them (code points), without making a list of them. */
export const characters = (text: string): number => text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)

/** A title or reason as it is kept: one line, blanks as one space. */
export const oneLine = (text: string): string => text.trim().split(/\s+/).join(' ')
