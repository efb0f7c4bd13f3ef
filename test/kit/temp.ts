/** A private folder that is gone when its `await using` ends. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Temp extends AsyncDisposable { readonly path: string }

/** Makes a folder under the system's temporary folder; the name holds a space and a non-ASCII letter on purpose. */
export async function tempFolder(label = 'alethe'): Promise<Temp> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `${label} é-`)))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}
