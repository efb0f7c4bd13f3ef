/**
 * Files: whole, atomic writes (temp file in the same folder, then rename), bounded reads, and JSON through a schema.
 * Run folders are 0700 and files with prompts or output 0600, because they hold what agents read and wrote.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { type Code, fail, systemCode } from '../base/fail.ts'

export const privateFolder = 0o700
export const privateFile = 0o600

/** Largest text read whole, in bytes, unless the caller says otherwise. */
const readLimit = 64 * 1024 * 1024

/** Makes a folder and its parents, private to the user. */
export const makeFolder = async (path: string): Promise<void> => { await mkdir(path, { recursive: true, mode: privateFolder }) }

export const exists = (path: string): Promise<boolean> => access(path, constants.F_OK).then(() => true, () => false)

export const isFolder = (path: string): Promise<boolean> => stat(path).then(facts => facts.isDirectory(), () => false)

/** Size in bytes, 0 for a file that is not there. */
export const sizeOf = (path: string): Promise<number> => stat(path).then(facts => facts.size, () => 0)

/** Names in a folder, sorted; none for a folder that is not there. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Reads a UTF-8 text. A missing, unreadable or too large file is `Fail('document.unreadable')`, naming the path.
 * @param options.maxBytes largest size accepted
 */
export async function readText(path: string, options: { readonly maxBytes?: number } = {}): Promise<string> {
  const maxBytes = options.maxBytes ?? readLimit
  try {
    // A pipe must not hold us up: without O_NONBLOCK its open waits for a writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const facts = await file.stat()
    if (!facts.isFile()) throw fail('document.unreadable', `Cannot read "${path}": it is not a file`)
    if (facts.size > maxBytes) {
      throw fail('document.unreadable', `Cannot read "${path}": it has ${facts.size} bytes, at most ${maxBytes} are read`)
    }
    return await file.readFile('utf8')
  } catch (error) {
    const code = systemCode(error)
    if (!code) throw error
    throw fail('document.unreadable', `Cannot read "${path}": ${code === 'ENOENT' ? 'there is no such file' : code}`, { facts: { systemCode: code } })
  }
}

/** Reads a text, or null when there is no such file. Other faults are `document.unreadable`. */
export async function readTextIfThere(path: string, options: { readonly maxBytes?: number } = {}): Promise<string | null> {
  return await exists(path) ? readText(path, options) : null
}

/** The last `bytes` of a file as text; '' for a file that is not there. */
export async function tailOf(path: string, bytes: number): Promise<string> {
  try {
    await using file = await open(path, 'r')
    const { size } = await file.stat()
    const length = Math.min(size, bytes)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}

/**
 * Writes a whole file so that a reader sees the old or the new content, never a part. With `durable` it survives a
 * power loss once this resolves. A failed write leaves no temp file and the old content as it was.
 */
export async function writeWhole(path: string, content: string | Uint8Array, options: { readonly durable?: boolean } = {}): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await using file = await open(temporary, 'wx', privateFile)
    await file.writeFile(content)
    if (options.durable) await file.sync()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export const writeJson = (path: string, value: unknown, options: { readonly durable?: boolean } = {}): Promise<void> =>
  writeWhole(path, `${JSON.stringify(value, null, 1)}\n`, options)

/** Appends one line in one write; lines of several processes do not mix. */
export async function appendLine(path: string, line: string): Promise<void> {
  await using file = await open(path, 'a', privateFile)
  await file.appendFile(`${line}\n`)
}

/** Parses JSON that we wrote ourselves and checks its shape; null when either fails. */
export function parseJson<const S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text))
    return parsed.success ? parsed.output : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Reads a JSON file of ours. Empty, cut or misshapen content is `Fail(code)` naming the path; nothing is overwritten. */
export async function readJson<const S extends v.GenericSchema>(path: string, schema: S, code: Code = 'run.unreadable'): Promise<v.InferOutput<S>> {
  const text = await readText(path)
  const value = parseJson(schema, text)
  if (value === null) throw fail(code, `Cannot use "${path}": ${text.trim() === '' ? 'it is empty' : 'it is damaged or of another version'}`)
  return value
}
