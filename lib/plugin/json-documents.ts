/**
 * JSON documents inside other output: warnings before, telemetry after, several lines long, with a byte order mark or
 * colours around them. Pure; its time is bounded by the length of the output, also when nothing closes.
 */
import { isJson, type Json, parseJson } from './json.ts'

/** Most characters looked at while searching for the end of documents: the whole output this many times, or so many. */
const mostLooks = 8
const mostLooked = 64 * 1024 * 1024

// eslint-disable-next-line no-control-regex
const around = /\u001b\[[0-9;?]*[A-Za-z]|^\uFEFF/gm
/** How an object, or a list of values, begins at the start of a line. */
const start = /^(?:\{|\[)/gm
/** A beginning that is hardly noise. */
const likely = /^(?:\{\s*"|\[\s*[[{])/

export interface Documents {
  readonly values: readonly Json[]
  /** Lines that belong to no document. */
  readonly noise: number
  /** A document begins, and never ends. */
  readonly isBroken: boolean
}

/** The position after the bracket that closes the one at `from`; -1 when it stays open. */
function endOf(source: string, from: number): number {
  const marks = /["{}[\]]/g
  marks.lastIndex = from
  let depth = 0
  for (let found = marks.exec(source); found; found = marks.exec(source)) {
    if (found[0] === '"') {
      const close = /(?<!\\)(?:\\\\)*"/g
      close.lastIndex = found.index + 1
      if (!close.test(source)) return -1
      marks.lastIndex = close.lastIndex
    } else {
      depth += found[0] === '{' || found[0] === '[' ? 1 : -1
      if (depth === 0) return marks.lastIndex
    }
  }
  return -1
}

const objectsIn = (value: unknown): Json[] => isJson(value) ? [value] : Array.isArray(value) ? value.filter(isJson) : []
const linesIn = (text: string): number => text.split('\n').filter(line => line.trim() !== '').length

/** The objects of all documents in the order of the output; a list gives the objects in it. */
export function documentsIn(output: string): Documents {
  const source = output.replace(around, '').trim()
  const whole = parseJson(source)
  if (whole !== undefined) {
    const values = objectsIn(whole)
    return { values, noise: values.length > 0 ? 0 : linesIn(source), isBroken: false }
  }
  const budget = Math.min(mostLooks * source.length, mostLooked)
  const values: Json[] = []
  let [after, noise, looked, isBroken] = [0, 0, 0, false]
  for (const { index } of source.matchAll(start)) {
    if (index < after || looked > budget) continue
    const end = endOf(source, index)
    looked += (end < 0 ? source.length : end) - index
    const objects = end < 0 ? [] : objectsIn(parseJson(source.slice(index, end)))
    if (end < 0 && likely.test(source.slice(index, index + 100))) isBroken = true
    if (objects.length === 0) continue
    noise += linesIn(source.slice(after, index))
    values.push(...objects)
    after = end
  }
  return { values, noise: noise + linesIn(source.slice(after)), isBroken }
}
