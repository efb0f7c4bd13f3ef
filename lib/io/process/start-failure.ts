/** Why a program could not be started, in a sentence: the system's codes alone send people the wrong way. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type Fail, fail, systemCode } from '../../base/fail.ts'
import { isFolder } from '../files.ts'

/** What was to be started, see `Work`. */
interface Wanted {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

interface Reason { readonly because: string; readonly missing?: 'program' | 'folder'; readonly hint?: string }

/** Longest single argument that Linux takes (MAX_ARG_STRLEN less the final NUL), in bytes. */
const longestArgument = 131_071

const bytes = (words: readonly string[]): number => words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0)

/**
 * The `Fail('run.start-failed')` for an error of `spawn`; `facts` tell the system's code and what is missing.
 * @throws the error itself when it is no word of the system, but a fault of ours
 */
export async function startFailure(wanted: Wanted, error: unknown): Promise<Fail> {
  const code = systemCode(error)
  const reason = code === undefined ? null : await reasonOf(wanted, code)
  if (!reason) throw error
  const { because, missing, hint } = reason
  return fail('run.start-failed', `Cannot start "${wanted.file.replaceAll('\0', '\\0')}": ${because}`, {
    ...(hint ? { hint } : {}),
    facts: { systemCode: code, ...(missing ? { missing } : {}) },
  })
}

async function reasonOf(wanted: Wanted, code: string): Promise<Reason | null> {
  switch (code) {
    case 'ERR_INVALID_ARG_VALUE': return nulByte(wanted)
    case 'E2BIG': return tooLong(wanted)
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES': return notThere(wanted, code)
    case 'ENOEXEC': return { because: 'it is not a program for this system' }
    case 'EAGAIN':
    case 'ENOMEM': return { because: `the system has no room for another process (${code})` }
    case 'EMFILE':
    case 'ENFILE': return { because: `too many files are open (${code})` }
    default: return code.startsWith('ERR_') ? null : { because: `the system says ${code}` }
  }
}

/** Node refuses NUL bytes with the code that it also uses for our own mistakes. */
function nulByte({ file, args, cwd, env }: Wanted): Reason | null {
  const holds = (text: string): boolean => text.includes('\0')
  if (args.some(holds)) return { because: `its argument ${args.findIndex(holds) + 1} holds a NUL byte, which no argument may` }
  if (Object.entries(env).flat().some(holds)) return { because: 'a variable of its environment holds a NUL byte' }
  return holds(file) || holds(cwd) ? { because: 'its path or folder holds a NUL byte' } : null
}

function tooLong({ args, env }: Wanted): Reason {
  const longest = Math.max(0, ...args.map(arg => Buffer.byteLength(arg)))
  if (longest > longestArgument) {
    const because = `an argument has ${longest} bytes, the system takes at most ${longestArgument} in one`
    return { because, hint: 'hand the text over by stdin' }
  }
  const variables = bytes(Object.entries(env).map(([name, value]) => `${name}=${value}`))
  return { because: `its arguments (${bytes(args)} bytes) and environment (${variables} bytes) are more than the system takes` }
}

/** The same codes stand for a missing folder, a missing program and a script whose interpreter is missing. */
async function notThere({ file, cwd }: Wanted, code: string): Promise<Reason> {
  if (!await isFolder(cwd)) return { because: `its folder "${cwd}" is not there`, missing: 'folder' }
  const mayEnter = await access(cwd, constants.X_OK).then(() => true, () => false)
  if (!mayEnter) return { because: `its folder "${cwd}" may not be entered (${code})` }
  const facts = isAbsolute(file) ? await stat(file).catch(() => null) : null
  if (code === 'EACCES') {
    if (!facts?.isFile()) return { because: 'it is not an executable file (EACCES)' }
    return { because: 'it is not executable (EACCES)', hint: `chmod +x "${file}"` }
  }
  if (facts) return { because: 'the interpreter that its first line names is not there', missing: 'program' }
  return { because: 'there is no such program', missing: 'program' }
}
