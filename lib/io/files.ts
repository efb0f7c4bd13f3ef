/**
 * Files: whole, atomic writes (temp file in the same folder, then rename), bounded reads, and JSON through a schema.
 * Run folders are 0700 and files with prompts or output 0600, because they hold what agents read and wrote.
 *
 * What a wave does for each worker is done synchronously inside: 10 to 30 microseconds a call on a local disk, where a hop to the
 * thread pool was measured to cost ten times as much of our own time. Only waiting for the disk itself (fsync) and reading whole
 * documents go to the pool.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, fsync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, readdir, realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { type Code, fail, systemCode } from '../base/fail.ts'

export const privateFolder = 0o700
export const privateFile = 0o600

/** Largest text read whole, in bytes, unless the caller says otherwise. */
const readLimit = 64 * 1024 * 1024

/** Makes a folder and its parents, private to the user. */
export async function makeFolder(path: string): Promise<void> {
  try {
    mkdirSync(path, { recursive: true, mode: privateFolder })
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    // Node says so of a read-only file system too: making the first missing folder alone tells the truth.
    let missing = path
    while (!existsSync(dirname(missing))) missing = dirname(missing)
    mkdirSync(missing, { mode: privateFolder })
    mkdirSync(path, { recursive: true, mode: privateFolder })
  }
}

export const exists = async (path: string): Promise<boolean> => existsSync(path)

/** Where a path leads when all links are followed; the path itself where nothing is there. */
export const realPathOf = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Gives a file another name; what had that name is gone. */
export const moveFile = (from: string, to: string): Promise<void> => rename(from, to)

export const isFolder = (path: string): Promise<boolean> => stat(path).then(facts => facts.isDirectory(), () => false)

/** Size in bytes, 0 for a file that is not there. */
export const sizeOf = async (path: string): Promise<number> => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // What cannot be looked at has no size for us.
    return 0
  }
}

/** When a file was last written, in ms of the epoch; null for one that cannot be looked at. */
export const changedAt = (path: string): Promise<number | null> => stat(path).then(({ mtimeMs }) => mtimeMs, () => null)

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

/** What opening says of a path where there is something else: nothing, a socket or device, a circle of links, a path below a file. */
const noPlainFile = new Set(['ENOENT', 'ENXIO', 'ENODEV', 'ELOOP', 'ENOTDIR', 'EISDIR'])

/** Opens a plain file to read, or null when there is none. A pipe in its place must not hold us up: its open waits for a writer. */
export function openPlain(path: string): { readonly fd: number; readonly size: number } | null {
  let fd
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (noPlainFile.has(systemCode(error) ?? '')) return null
    throw error
  }
  const facts = fstatSync(fd)
  if (facts.isFile()) return { fd, size: facts.size }
  closeSync(fd)
  return null
}

/** The last `bytes` of a file as text; '' where there is no plain file. */
export async function tailOf(path: string, bytes: number): Promise<string> {
  const file = openPlain(path)
  if (!file) return ''
  try {
    const length = Math.min(file.size, bytes)
    const buffer = Buffer.alloc(length)
    const read = length === 0 ? 0 : readSync(file.fd, buffer, 0, length, file.size - length)
    return buffer.toString('utf8', 0, read)
  } finally {
    closeSync(file.fd)
  }
}

const toDisk = promisify(fsync)

/**
 * Writes a whole file so that a reader sees the old or the new content, never a part. With `durable` it survives a
 * power loss once this resolves. A failed write leaves no temp file and the old content as it was.
 */
export const writeWhole = (path: string, content: string | Uint8Array, options: { readonly durable?: boolean } = {}): Promise<void> =>
  putWhole(path, content, { ...options, put: renameSync })

/** Writes a JSON file where there is none; false, and nothing changed, when something is there already. */
export async function writeNew(path: string, value: unknown): Promise<boolean> {
  try {
    await putWhole(path, jsonText(value), { put: linkSync })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

interface Putting { readonly durable?: boolean; /** Gives the temporary file its name. */ readonly put: (temporary: string, path: string) => void }

async function putWhole(path: string, content: string | Uint8Array, options: Putting): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const fd = openSync(temporary, 'wx', privateFile)
    try {
      writeFileSync(fd, content)
      if (options.durable) await toDisk(fd)
    } finally {
      closeSync(fd)
    }
    options.put(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

export const writeJson = (path: string, value: unknown, options: { readonly durable?: boolean } = {}): Promise<void> =>
  writeWhole(path, jsonText(value), options)

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
