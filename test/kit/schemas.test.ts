import { readFile } from 'node:fs/promises'
import { isObject } from '../../lib/model/shape.ts'
import { assert, suite } from './check.ts'
import { schemaFile, schemaTexts } from './schemas.ts'

/** Checks every object schema inside `node`; gives the names of their fields. */
function fieldsOf(node: unknown): string[] {
  if (!isObject(node)) return []
  const { properties } = node
  const inside = Object.values(node).flatMap(fieldsOf)
  if (!isObject(properties)) return inside
  assert.is(node['additionalProperties'], false)
  for (const [name, field] of Object.entries(properties)) assert.ok(isObject(field) && field['description'], `${name} has a description`)
  return [...Object.keys(properties), ...inside]
}

suite('kit/schemas', test => {
  for (const [name, text] of schemaTexts()) {
    test(`schemas/${name} is what the code checks with; else run "npm run schemas"`, async () => {
      assert.is(await readFile(schemaFile(name), 'utf8'), text)
    })

    test(`schemas/${name} describes every field and refuses unknown ones`, () => {
      const fields = fieldsOf(JSON.parse(text))
      assert.ok(fields.length > 10)
    })
  }
})
