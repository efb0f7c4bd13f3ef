/**
 * The published JSON schemas, made from what the code checks with. `npm run schemas` writes them to `schemas/`; a test
 * fails while a file there differs, so run it after every change to lib/model/plan.ts.
 */
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toJsonSchema } from '@valibot/to-json-schema'
import { Plan } from '../../lib/model/plan.ts'

const folder = new URL('../../schemas/', import.meta.url)

/** Every published schema by file name, as the file holds it. */
export const schemaTexts = (): ReadonlyMap<string, string> => new Map([
  ['plan.schema.json', text('Alethe plan', toJsonSchema(Plan, { target: 'draft-07' }))],
])

/** Where a schema is published. */
export const schemaFile = (name: string): URL => new URL(name, folder)

function text(title: string, schema: object): string {
  const { $schema, ...rest } = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}

if (process.argv[1] && await realpath(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of schemaTexts()) await writeFile(schemaFile(name), content)
}
