/**
 * Finds provider plugins: the bundled ones, the user's config folder, ALETHE_PLUGIN_PATH and `--plugin`. A broken plugin is one
 * problem that names its file and reason; the others work. A project's own folder is never read: it comes with a clone.
 */
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, type Problem } from '../base/fail.ts'
import { findFiles } from '../io/find.ts'
import { isFolder } from '../io/files.ts'
import type { Host } from '../io/host.ts'
import * as kit from '../plugin/kit.ts'
import type { Provider } from '../plugin/provider.ts'
import { checkProvider } from '../plugin/shape.ts'

export type Origin = 'bundled' | 'user' | 'path' | 'option'
export interface Found { readonly provider: Provider; readonly file: string; readonly origin: Origin }
export interface Discovery { readonly found: readonly Found[]; readonly problems: readonly Problem[] }

/** A plugin that waits for something while it loads is given up after this long. */
const loadLimitMs = 5_000

/** Where plugins are looked for, in order; a later place never silently replaces an earlier one's id. */
function places(host: Host, entry: string, options: readonly string[]): [Origin, string][] {
  const config = host.env['XDG_CONFIG_HOME'] || join(host.home, '.config')
  const path = (host.env['ALETHE_PLUGIN_PATH'] ?? '').split(delimiter).filter(Boolean)
  return [
    ['bundled', resolve(dirname(entry), '..', 'plugins', 'providers')],
    ['user', join(config, 'alethe', 'plugins', 'providers')],
    ...path.map((each): [Origin, string] => ['path', resolve(host.cwd, each)]),
    ...options.map((each): [Origin, string] => ['option', resolve(host.cwd, each)]),
  ]
}

/**
 * Loads every provider. An id that is taken is a problem, except for a plugin named by `--plugin`, which replaces it.
 * @param entry real path of the running command, from which the bundled plugins are found
 */
export async function discoverProviders(host: Host, entry: string, options: readonly string[] = []): Promise<Discovery> {
  const files: [Origin, string][] = []
  for (const [origin, place] of places(host, entry, options)) {
    const inside = await isFolder(place) ? await findFiles('*.{ts,mjs}', place) : origin === 'option' || origin === 'path' ? [place] : []
    files.push(...inside.filter(file => !basename(file).startsWith('_') && !file.endsWith('.d.ts')).map((file): [Origin, string] => [origin, file]))
  }
  const found = new Map<string, Found>()
  const problems: Problem[] = []
  // Loaded side by side, taken in order, so that the order of places decides and not the speed of a file.
  const loaded = await Promise.all(files.map(async ([origin, file]) => ({ origin, file, result: await load(file) })))
  for (const { origin, file, result } of loaded) {
    if (!result.ok) {
      problems.push({ code: 'plugin.broken', message: `Cannot use plugin "${file}": ${result.reason}` })
      continue
    }
    const other = found.get(result.provider.id)
    if (other && origin !== 'option') {
      problems.push({ code: 'plugin.broken', message: `Cannot use plugin "${file}": the id "${result.provider.id}" is taken by ${other.file}`, hint: `pass --plugin "${file}" to replace it` })
    } else found.set(result.provider.id, { provider: result.provider, file, origin })
  }
  return { found: [...found.values()], problems }
}

type LoadResult = { readonly ok: true; readonly provider: Provider } | { readonly ok: false; readonly reason: string }

async function load(file: string): Promise<LoadResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => { reject(fail('plugin.broken', `it did not load within ${loadLimitMs / 1000} s`)) }, loadLimitMs)
  })
  try {
    const module: unknown = await Promise.race([import(pathToFileURL(file).href), late])
    const made = defaultOf(module)
    const plugin: unknown = typeof made === 'function' ? await Promise.race([Reflect.apply(made, undefined, [kit]), late]) : made
    return checkProvider(plugin, basename(file, extname(file)))
  } catch (error) {
    return { ok: false, reason: reasonOf(error, file) }
  } finally {
    clearTimeout(timer)
  }
}

const defaultOf = (module: unknown): unknown =>
  typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined

/** Node gives a syntax error in an imported file no position, so the file is named and how to see the place. */
function reasonOf(error: unknown, file: string): string {
  if (error instanceof SyntaxError) return `${error.message} (node --check "${file}" shows where)`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return `${extname(file)} needs Node 22.18 or newer (this is ${process.version}); rename it to .mjs`
  return error instanceof Error ? error.message : String(error)
}
