/**
 * Folds over the output of a program that nobody knows: plain text, one JSON document, or JSON lines. Each finds the
 * answer and what else stands there, in bounded memory: the end of a text (1 MiB), a document of at most 16 Mi
 * characters, the last answer of a stream. Reads lines, writes nothing.
 */
import { clean } from '../base/text.ts'
import { addUsage, type Usage } from '../model/usage.ts'
import { eventLines, longestAnswer, shown, signLength } from './event-lines.ts'
import type { Json } from './json.ts'
import { documentsIn } from './json-documents.ts'
import {
  costIn, costsIn, denialsIn, type ErrorFacts, errorIn, sessionIn, stepIn, textIn, usageIn, voiceOf,
} from './json-result.ts'
import type { LiveSign } from './provider.ts'
import { plain } from './text.ts'

/** Most of a plain text that is kept as the answer, and most of a document that is kept for parsing, in UTF-16 units. */
export const longestText = 1024 * 1024
const longestDocument = 16 * 1024 * 1024
const mostDenials = 50

/** What a fold found. Absent figures are absent. */
export interface Found {
  readonly text: string
  /** A value said that the run is over. */
  readonly isFinal: boolean
  /** JSON objects, and lines beside them that are none. */
  readonly events: number
  readonly noise: number
  readonly brokenBytes?: number
  readonly error?: ErrorFacts
  readonly session?: string
  readonly usage?: Usage
  readonly costUsd?: number
  readonly costByModel?: Readonly<Record<string, number>>
  readonly denials: readonly string[]
  /** Length of all output in UTF-16 units, where the answer holds only its end. */
  readonly cutFrom?: number
}

export interface Fold { line(line: string): LiveSign | null; finish(): Found }

/** Kept in blocks of this length: one text that is cut and grows again was measured to hold 60 MiB of its former selves. */
const blockLength = 64 * 1024

/** Keeps the last `most` units of what is added. */
function tail(most: number): { add(text: string): void; text(): string; length(): number } {
  const blocks: string[] = []
  let last = ''
  let kept = 0
  let length = 0
  return {
    add(text) {
      length += text.length
      last += text
      if (last.length < blockLength) return
      blocks.push(last)
      kept += last.length
      last = ''
      for (let [first = ''] = blocks; kept - first.length >= most; [first = ''] = blocks) {
        kept -= first.length
        blocks.shift()
      }
    },
    text: () => [...blocks, last].join('').slice(-most),
    length: () => length,
  }
}

/** Plain text: all of it is the answer, or its end. */
export function textFold(): Fold {
  const output = tail(longestText)
  return {
    line(line) {
      output.add(`${line}\n`)
      return shown('text', line)
    },
    finish: () => ({
      text: clean(output.text()).trim(), isFinal: false, events: 0, noise: 0, denials: [],
      ...(output.length() > longestText ? { cutFrom: output.length() } : {}),
    }),
  }
}

interface Values {
  result: string
  answer: string
  /** Text of values that are neither. */
  other: string
  /** The answer is being put together from pieces. */
  isOpen: boolean
  isFinal: boolean
  error?: ErrorFacts
  session?: string
  usage?: Usage
  costUsd?: number
  costByModel?: Readonly<Record<string, number>>
  /** Sums over steps, for programs that report nothing else. */
  stepUsage?: Usage
  stepCostUsd?: number
  readonly denials: Set<string>
}

/** Totals replace what was known before; figures of single steps add up. */
function addFigures(values: Values, value: Json): void {
  const session = sessionIn(value)
  const usage = usageIn(value)
  const costUsd = costIn(value)
  const costByModel = costsIn(value)
  const step = stepIn(value)
  if (session) values.session = session
  if (usage) values.usage = usage
  if (costUsd !== undefined) values.costUsd = costUsd
  if (costByModel) values.costByModel = costByModel
  if (step.usage) values.stepUsage = values.stepUsage ? addUsage(values.stepUsage, step.usage) : step.usage
  if (step.costUsd !== undefined) values.stepCostUsd = (values.stepCostUsd ?? 0) + step.costUsd
  for (const denial of denialsIn(value)) if (values.denials.size < mostDenials) values.denials.add(plain(denial, signLength))
}

/** A later whole message replaces an earlier one; pieces are put together until a whole message comes. */
function addText(values: Values, value: Json): LiveSign | null {
  const said = textIn(value)
  const voice = voiceOf(value)
  if (voice === 'none' || said === '') return null
  if (voice === 'result') values.result = said.slice(-longestAnswer)
  else if (voice === 'other') values.other = said.slice(-longestAnswer)
  else {
    const isPiece = voice === 'piece'
    const glue = values.isOpen && isPiece && value['delta'] !== true && !values.answer.endsWith('\n') ? '\n' : ''
    values.answer = `${values.isOpen && isPiece ? `${values.answer}${glue}` : ''}${said}`.slice(-longestAnswer)
    values.isOpen = isPiece
  }
  return shown('text', said)
}

/** Takes values of JSON one by one. */
function valueFold(): { add(value: Json): LiveSign | null; found(): Omit<Found, 'events' | 'noise' | 'brokenBytes'> } {
  const values: Values = { result: '', answer: '', other: '', isOpen: false, isFinal: false, denials: new Set() }
  return {
    add(value) {
      addFigures(values, value)
      const error = errorIn(value)
      if (error) {
        values.error = error
        if (error.final) values.isFinal = true
        return error.final ? { sign: 'result' } : null
      }
      const sign = addText(values, value)
      if (voiceOf(value) !== 'result') return sign
      values.isFinal = true
      // A good end after an error: the error was not the last word, but it may explain a bad exit code.
      if (values.error) values.error = { ...values.error, final: false }
      return { sign: 'result' }
    },
    found() {
      const { error, session, usage = values.stepUsage, costUsd = values.stepCostUsd, costByModel } = values
      return {
        text: (values.result || values.answer || values.other).trim(),
        isFinal: values.isFinal,
        denials: [...values.denials],
        ...(error ? { error } : {}), ...(session ? { session } : {}), ...(usage ? { usage } : {}),
        ...(costUsd === undefined ? {} : { costUsd }), ...(costByModel ? { costByModel } : {}),
      }
    },
  }
}

/** JSON lines: everything but an object is noise. */
export function linesFold(): Fold {
  const lines = eventLines()
  const values = valueFold()
  return {
    line(line) {
      const value = lines.next(line)
      return value ? values.add(value) : null
    },
    finish: () => ({ ...values.found(), ...lines.seen() }),
  }
}

/** One JSON document, with whatever the program printed around it. */
export function documentFold(): Fold {
  const output = tail(longestDocument)
  return {
    line(line) {
      output.add(`${line}\n`)
      return null
    },
    finish() {
      const { values, noise, isBroken } = documentsIn(output.text())
      const fold = valueFold()
      for (const value of values) fold.add(value)
      const broken = isBroken ? { brokenBytes: Buffer.byteLength(output.text()) } : {}
      return { ...fold.found(), events: values.length, noise, ...broken }
    },
  }
}
