/** Which file is the program that was started. Follows symbolic links, such as those that npm makes for commands. */
import { realpathSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemCode } from '../base/fail.ts'

function realFile(path: string): string | undefined {
  try {
    // The native form also settles the case of letters where the file system ignores it.
    return realpathSync.native(path)
  } catch (error) {
    if (systemCode(error)) return undefined
    throw error
  }
}

/**
 * The real path of a module when it is what was started, else undefined.
 * @param moduleUrl its `import.meta.url`
 * @param script the script as it was named; the ending may be missing, loaders find it
 */
export function entryOf(moduleUrl: string, script: string | undefined): string | undefined {
  if (script === undefined || !moduleUrl.startsWith('file:')) return undefined
  const own = realFile(fileURLToPath(moduleUrl))
  return own !== undefined && [script, script + extname(own)].some(path => realFile(path) === own) ? own : undefined
}
