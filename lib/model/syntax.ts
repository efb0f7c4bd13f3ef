/** What the JSON parser's errors mean, in plain words and at the character that is at fault. Pure. */
import { type ParseError, printParseErrorCode } from 'jsonc-parser'
import type { Problem } from '../base/fail.ts'
import { quoted } from './finding.ts'

export interface SyntaxFault extends Problem { readonly offset: number }

const words: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'This number is not JSON',
  UnexpectedEndOfNumber: 'This number is not JSON',
  PropertyNameExpected: 'A key in double quotes is missing here',
  ValueExpected: 'A value is missing here',
  ColonExpected: 'A colon is missing before this',
  CommaExpected: 'A comma is missing before this',
  CloseBraceExpected: 'A closing "}" is missing here',
  CloseBracketExpected: 'A closing "]" is missing here',
  EndOfFileExpected: 'Nothing may follow the end of the document',
  InvalidCommentToken: 'Comments are not JSON',
  UnexpectedEndOfComment: 'Comments are not JSON',
  UnexpectedEndOfString: 'A text does not end in its line',
  InvalidUnicode: 'This escape is not JSON',
  InvalidEscapeCharacter: 'This escape is not JSON',
  InvalidCharacter: 'A control character must be written as an escape',
}
const hints: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'remove it',
  UnexpectedEndOfString: 'close it with a double quote; a line break inside a text is \\n',
  InvalidUnicode: 'escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits; a backslash is \\\\',
  InvalidEscapeCharacter: 'escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits; a backslash is \\\\',
}
/** After these the parser's view of the rest is a guess. */
const lost = new Set(['UnexpectedEndOfString', 'UnexpectedEndOfComment'])
/** Faults inside a text, which the parser places at its opening quote. */
const inText = new Set(['InvalidUnicode', 'InvalidEscapeCharacter', 'InvalidCharacter'])

/**
 * The errors that tell something: one per line, because the parser's recovery makes several of one fault; none after a text
 * without an end; and a missing bracket at the end only when nothing else is wrong.
 */
export function syntaxFaults(errors: readonly ParseError[], text: string): SyntaxFault[] {
  const faults: SyntaxFault[] = []
  let last: number | undefined
  for (const error of errors) {
    const name = printParseErrorCode(error.error)
    const isSameLine = last !== undefined && !/[\r\n]/.test(text.slice(last, error.offset))
    const isEcho = last !== undefined && (name === 'CloseBraceExpected' || name === 'CloseBracketExpected')
    if (isSameLine || isEcho) continue
    faults.push(faultOf(name, error, text))
    last = error.offset
    if (lost.has(name)) break
  }
  return faults
}

function faultOf(name: string, { offset, length }: ParseError, text: string): SyntaxFault {
  const code = 'document.syntax'
  const comma = trailingComma(text, offset)
  if (comma !== undefined) return { code, message: 'Nothing follows this comma', hint: 'remove it', offset: comma }
  if (text.trim() === '') return { code, message: 'The document is empty', offset }
  if (name === 'InvalidSymbol') return { code, offset, ...strangeWord(text.slice(offset, offset + length)) }
  const hint = hints[name]
  const place = inText.has(name) ? faultInText(text, offset) : offset
  return { code, message: words[name] ?? 'This is not JSON', ...(hint ? { hint } : {}), offset: place }
}

/** The offset of a comma that only white space parts from the bracket at `offset`. */
function trailingComma(text: string, offset: number): number | undefined {
  if (!/[\]}]/.test(text.charAt(offset))) return undefined
  let before = offset - 1
  while (/[ \t\r\n]/.test(text.charAt(before))) before--
  return text.charAt(before) === ',' ? before : undefined
}

function strangeWord(word: string): { readonly message: string; readonly hint?: string } {
  const message = `${quoted(word)} is not JSON`
  if (/^['‘’“”`]/.test(word)) return { message, hint: 'use double quotes' }
  const lower = word.toLowerCase()
  if (['true', 'false', 'null'].includes(lower)) return { message, hint: `write ${lower}` }
  return /^[\p{L}_$]/u.test(word) ? { message, hint: 'put texts and keys in double quotes' } : { message }
}

/** The first escape or control character of the text opened at `start` that JSON does not know. */
function faultInText(text: string, start: number): number {
  for (let at = start + 1; at < text.length && text.charAt(at) !== '"'; at++) {
    if (text.charCodeAt(at) < 0x20) return at
    if (text.charAt(at) !== '\\') continue
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6))) return at
    at++
  }
  return start
}
