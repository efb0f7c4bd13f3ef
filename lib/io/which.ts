/** Finds programs the way a shell would, without a shell. */
import { accessSync, constants, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Synchronous, as every call of git looks along PATH, and most of its folders do not hold the program. */
function isProgram(path: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, platform === 'win32' ? constants.F_OK : constants.X_OK)
    return true
  } catch {
    // Any fault means the same to a search: this is not it.
    return false
  }
}

/**
 * The absolute path of a program, or null. A name with a separator is a path, relative to `cwd`; others are looked up on PATH,
 * where relative entries are skipped: a repository must not decide which program runs.
 */
export async function which(name: string, env: Env, cwd: string, platform: NodeJS.Platform = process.platform): Promise<string | null> {
  const endings = platform === 'win32' && extname(name) === '' ? (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : ['']
  const folders = /[\\/]/.test(name) ? [cwd] : (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute)
  for (const folder of folders) {
    for (const ending of endings) {
      const path = resolve(folder, name + ending.toLowerCase())
      if (isProgram(path, platform)) return path
    }
  }
  return null
}

/**
 * The words that start a program: itself, or for an npm `.cmd` shim on Windows node and its script, because `cmd.exe` rewrites
 * arguments. An unreadable shim stays as it is and `unsafeForCmd` decides about its arguments.
 */
export async function launchWords(file: string, platform: NodeJS.Platform = process.platform): Promise<string[]> {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(file)) return [file]
  const text = await readFile(file, 'utf8').catch(() => '')
  const script = /"%(?:~dp0|dp0%)\\([^"%]+\.[cm]?js)"\s+%\*/i.exec(text)?.[1]
  return script ? [process.execPath, join(dirname(file), script.replaceAll('\\', '/'))] : [file]
}

/** Characters that `cmd.exe` would rewrite or run in an argument of a batch file. */
export const unsafeForCmd = (file: string, args: readonly string[]): boolean =>
  /\.(?:cmd|bat)$/i.test(file) && args.some(arg => /["%!^&|<>()\r\n]/.test(arg))
