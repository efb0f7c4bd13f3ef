/**
 * Follows a growing log by reading what was added since the last look, in chunks, split on 0x0A only (U+2028 and other
 * separators are legal inside JSON strings). Memory stays bounded whatever the file holds: a line over the limit is cut,
 * its head kept and its true length told, and it is not handed on as a line.
 *
 * Chunks are read synchronously into one buffer that all followers share: the system has them in memory as a rule, and a buffer
 * for each chunk was measured to take 80 MiB beside a loud worker. After some chunks everybody else gets a turn.
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openPlain } from './files.ts'

/** Longest line handed on, in bytes. */
export const lineLimit = 16 * 1024 * 1024
const chunk = Buffer.allocUnsafeSlow(256 * 1024)
const bytesPerTurn = 1024 * 1024
/** So much of a cut line is kept, in bytes. */
const headBytes = 200

export interface Followed {
  line(line: string): void
  /** A line over the limit: its true length in bytes, and how it begins. */
  cut?(length: number, head: string): void
}

export class Follower {
  readonly #path: string
  readonly #to: Followed
  readonly #limit: number
  #fd: number | undefined
  #isClosed = false
  #parts: Buffer[] = []
  #partBytes = 0
  #head = Buffer.alloc(0)
  #busy: Promise<unknown> = Promise.resolve()
  /** Bytes read so far. */
  bytes = 0

  constructor(path: string, to: Followed, limit = lineLimit) {
    this.#path = path
    this.#to = to
    this.#limit = limit
  }

  /** Reads what was added, at most `maxBytes` of it; resolves to the number of bytes read, 0 once it is closed. Calls queue up. */
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
      await this.#busy
      await this.poll(Math.max(0, mostBytes - this.bytes))
      if (this.#partBytes > 0) this.#endLine(Buffer.alloc(0))
    } finally {
      await this.close()
    }
  }

  /** Closes the file for good: whoever polls later finds nothing. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  async #read(maxBytes: number): Promise<number> {
    if (this.#isClosed) return 0
    const fd = this.#fd ??= openPlain(this.#path)?.fd
    if (fd === undefined) return 0
    const from = this.bytes
    const end = Math.min(fstatSync(fd).size, from + maxBytes)
    let turnAt = from + bytesPerTurn
    while (this.bytes < end && this.#fd === fd) {
      const bytes = readSync(fd, chunk, 0, Math.min(chunk.length, end - this.bytes), this.bytes)
      if (bytes === 0) break
      this.bytes += bytes
      this.#take(chunk.subarray(0, bytes))
      if (this.bytes < turnAt) continue
      turnAt = this.bytes + bytesPerTurn
      await turn()
    }
    return this.bytes - from
  }

  #take(bytes: Buffer): void {
    let start = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      this.#endLine(bytes.subarray(start, at))
      start = at + 1
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start))
  }

  #hold(part: Buffer): void {
    this.#partBytes += part.length
    if (this.#head.length < headBytes) this.#head = Buffer.concat([this.#head, part.subarray(0, headBytes - this.#head.length)])
    if (this.#partBytes <= this.#limit) this.#parts.push(Buffer.from(part))
    else this.#parts = []
  }

  #endLine(last: Buffer): void {
    const length = this.#partBytes + last.length
    const [parts, head] = [this.#parts, this.#head]
    this.#parts = []
    this.#partBytes = 0
    this.#head = Buffer.alloc(0)
    if (length > this.#limit) {
      this.#to.cut?.(length, beginningOf(Buffer.concat([head, last.subarray(0, headBytes)])))
      return
    }
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last])
    const end = line.length > 0 && line[line.length - 1] === 13 ? line.length - 1 : line.length
    this.#to.line(line.toString('utf8', 0, end))
  }
}

/** The first bytes as text; a character that they halve is left out. */
const beginningOf = (bytes: Buffer): string => bytes.toString('utf8', 0, headBytes).replace(/\uFFFD$/, '')
