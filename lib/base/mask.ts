/**
 * Keeps secrets out of what is stored and shown: values of environment variables whose names say so, passwords inside
 * URLs, and keys of known shapes. Names of variables may be shown, values never.
 */
const secretName = /(?:token|key|secret|password|passwd|credential)/i
/** Names that match but hold no secret. */
const harmlessName = /^.*_(?:PATH|FILE|DIR|HOME|URL)$/i
const shortestSecret = 6

const urlPassword = /([a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*):[^\s/@'"]+@/gi
const knownKey = /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,})/g

/** Names of set variables that look like credentials, sorted. */
export const secretNames = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).filter(([name, value]) => value && secretName.test(name) && !harmlessName.test(name)).map(([name]) => name).sort()

export type Mask = (text: string) => string

/** Makes a function that replaces every secret of `env` by `[NAME]` and other recognisable secrets by `[secret]`. */
export function maskFor(env: Readonly<Record<string, string | undefined>>): Mask {
  const known = secretNames(env)
    .map(name => [name, env[name] ?? ''] as const)
    .filter(([, value]) => value.length >= shortestSecret)
    // A secret that holds another one is replaced first.
    .sort((a, b) => b[1].length - a[1].length)
  return text => {
    const masked = known.reduce((result, [name, value]) => result.replaceAll(value, `[${name}]`), text)
    return masked.replaceAll(urlPassword, '$1:[secret]@').replaceAll(knownKey, '[secret]')
  }
}

/** Masks every string inside a JSON value. */
export function maskDeep<T>(value: T, mask: Mask): T
export function maskDeep(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((each: unknown) => maskDeep(each, mask))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskDeep(each, mask)]))
}
