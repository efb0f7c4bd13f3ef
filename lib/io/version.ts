/** Which version of the product a command belongs to. Reads `package.json` files upwards from the command's own file. */
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { parseJson, readTextIfThere } from './files.ts'

/** A project that only holds a copy of the product has a manifest of another name; it is passed by. */
const Manifest = v.looseObject({ name: v.literal('alethe'), version: v.string() })

/** The version in the nearest manifest of the product, or `unknown` where there is none. */
export async function versionNear(entry: string): Promise<string> {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const text = await readTextIfThere(join(folder, 'package.json'))
    const manifest = text === null ? null : parseJson(Manifest, text)
    if (manifest) return manifest.version
    if (folder === dirname(folder)) return 'unknown'
  }
}
