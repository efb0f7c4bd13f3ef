import { readFile } from 'node:fs/promises'
import { Plan } from '../../lib/model/plan.ts'
import { assert, suite } from './check.ts'
import { schemaFile, schemaTexts } from './schemas.ts'

type Node = { readonly properties?: Record<string, Node>; readonly items?: Node; readonly description?: string; readonly additionalProperties?: unknown }

suite('kit/schemas', test => {
  for (const [name, text] of schemaTexts()) {
    test(`schemas/${name} is what the code checks with; else run "npm run schemas"`, async () => {
      assert.is(await readFile(schemaFile(name), 'utf8'), text)
    })
  }

  test('plan.schema.json describes every field and refuses unknown ones', () => {
    const plan: Node = JSON.parse(schemaTexts().get('plan.schema.json') ?? '')
    const objects = [plan, plan.properties?.['budget'], plan.properties?.['workers']?.items]
    assert.is(Object.keys(plan.properties ?? {}).length, Object.keys(Plan.entries).length)
    for (const object of objects) {
      assert.is(object?.additionalProperties, false)
      for (const [name, field] of Object.entries(object?.properties ?? {})) assert.ok(field.description, name)
    }
  })
})
