/**
 * The standard streams: writing waits until the system has the text, so that ending the process cuts nothing off. A reader that
 * is gone (a closed pipe, a closed terminal) is no error; a full disk is.
 */
import type { Writable } from 'node:stream'
import { systemCode } from '../base/fail.ts'

export interface Outlet {
  /** Resolves when the text is written or can no longer be. */
  write(text: string): Promise<void>
  /** System code of a write that failed though somebody may be reading, such as `ENOSPC`. */
  readonly fault: string | undefined
}

/** Codes that mean nobody is reading: closed pipes and sockets, a terminal that hung up, and writes after either. */
const nobodyReads: readonly string[] =
  ['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']

export function outletOf(stream: Writable): Outlet {
  let fault: string | undefined
  const failed = (error: unknown): void => {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (!nobodyReads.includes(code)) fault ??= code
  }
  // Without a listener the error of a write would end the process.
  stream.on('error', failed)
  return {
    write: text => new Promise(resolve => {
      try {
        stream.write(text, error => {
          if (error) failed(error)
          resolve()
        })
      } catch (error) {
        // Files are written at once, and their errors thrown.
        failed(error)
        resolve()
      }
    }),
    get fault() { return fault },
  }
}
