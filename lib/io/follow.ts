/**
 * Follows a growing log by reading what was added since the last look, in chunks, split on 0x0A only (U+2028 and other
 * separators are legal inside JSON strings). Memory stays bounded whatever the file holds: a line over the limit is cut,
 * its head kept and its true length told, and it is not handed on as a line.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { systemCode } from '../base/fail.ts'

/** Longest line handed on, in bytes. */
export const lineLimit = 16 * 1024 * 1024
const chunkSize = 256 * 1024

export interface Followed {
  line(line: string): void
  /** A line over the limit: its true length in bytes. */
  cut?(length: number): void
}

export class Follower {
  readonly #path: string
  readonly #to: Followed
  readonly #limit: number
  #file: FileHandle | undefined
  #parts: Buffer[] = []
  #partBytes = 0
  #busy: Promise<unknown> = Promise.resolve()
  /** Bytes read so far. */
  bytes = 0

  constructor(path: string, to: Followed, limit = lineLimit) {
    this.#path = path
    this.#to = to
    this.#limit = limit
  }

  /** Reads what was added, at most `maxBytes` of it; resolves to the number of bytes read. Calls queue up. */
  poll(maxBytes = Number.POSITIVE_INFINITY): Promise<number> {
    const next = this.#busy.then(() => this.#read(maxBytes))
    this.#busy = next.catch(() => undefined)
    return next
  }

  /**
   * Reads to the end of the file as it is now, hands on a last line without a newline, and closes it.
   * @param mostBytes of the whole file; what is beyond is not read
   */
  async finish(mostBytes = Number.POSITIVE_INFINITY): Promise<void> {
    try {
      await this.poll(Math.max(0, mostBytes - this.bytes))
      if (this.#partBytes > 0) this.#endLine(Buffer.alloc(0))
    } finally {
      await this.close()
    }
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #read(maxBytes: number): Promise<number> {
    const file = this.#file ??= await this.#open()
    if (!file) return 0
    const end = Math.min((await file.stat()).size, this.bytes + maxBytes)
    const from = this.bytes
    while (this.bytes < end) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, end - this.bytes))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, this.bytes)
      if (bytesRead === 0) break
      this.bytes += bytesRead
      this.#take(chunk.subarray(0, bytesRead))
    }
    return this.bytes - from
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      return await open(this.#path, 'r')
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  #take(chunk: Buffer): void {
    let start = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      this.#endLine(chunk.subarray(start, at))
      start = at + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  #hold(part: Buffer): void {
    this.#partBytes += part.length
    if (this.#partBytes <= this.#limit) this.#parts.push(part)
    else this.#parts = []
  }

  #endLine(last: Buffer): void {
    const length = this.#partBytes + last.length
    const parts = this.#parts
    this.#parts = []
    this.#partBytes = 0
    if (length > this.#limit) {
      this.#to.cut?.(length)
      return
    }
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last])
    const end = line.length > 0 && line[line.length - 1] === 13 ? line.length - 1 : line.length
    this.#to.line(line.toString('utf8', 0, end))
  }
}
