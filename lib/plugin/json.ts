/**
 * JSON from programs that are not trusted: one event per line, and getters that look at own properties only and never
 * throw. The only place where a plugin's JSON is parsed.
 */

/** An object of JSON; what is in it is unknown until a getter has looked. */
export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text, or undefined when it is none (nested too deep included). */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** Byte order marks, colour codes and blanks that some programs print around an event. */
// eslint-disable-next-line no-control-regex
const before = /^(?:\u001b\[[0-9;]*[A-Za-z]|[\uFEFF\s])+/
// eslint-disable-next-line no-control-regex
const after = /^(?:\u001b\[[0-9;]*[A-Za-z]|\s)*$/

function withoutWrapping(line: string): string {
  const end = line.lastIndexOf('}') + 1
  return (after.test(line.slice(end)) ? line.slice(0, end) : line).replace(before, '')
}

/** The event of one line, or undefined for noise: everything but an object is noise. */
export function parseLine(line: string): Json | undefined {
  const value = parseJson(withoutWrapping(line))
  return isJson(value) ? value : undefined
}

/** What stands at `path`, through own properties of objects only. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let here = value
  for (const key of path) {
    if (!isJson(here) || !Object.hasOwn(here, key)) return undefined
    here = here[key]
  }
  return here
}

/** The string at `path`. */
export function text(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** The finite number at `path`; a digit string is not one. */
export function number(value: unknown, ...path: readonly string[]): number | undefined {
  const found = field(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** The array at `path`, empty when there is none. */
export function list(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A count of something (a whole number from 0 on) at `path`. */
export function count(value: unknown, ...path: readonly string[]): number | undefined {
  const found = number(value, ...path)
  return found !== undefined && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}

const year2000 = 946_684_800_000
const year2200 = 7_258_118_400_000

/** The instant at `path` as ISO text: seconds or milliseconds since 1970, or an ISO time with a zone. Nothing else. */
export function instant(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path)
  const isText = typeof found === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(found)
  const raw = isText ? Date.parse(found) : number(found) ?? Number.NaN
  const time = isText || raw > 1e11 ? raw : raw * 1000
  return time >= year2000 && time < year2200 ? new Date(time).toISOString() : undefined
}
