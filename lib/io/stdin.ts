/** Reads this process's own stdin whole, for commands that are handed something. */
import { createReadStream } from 'node:fs'

export async function readStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of createReadStream('', { fd: 0, autoClose: false })) parts.push(Buffer.isBuffer(part) ? part : Buffer.from(String(part)))
  return Buffer.concat(parts).toString('utf8')
}
