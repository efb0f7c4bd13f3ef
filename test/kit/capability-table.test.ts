import { pageText, publishedPage } from './capability-table.ts'
import { assert, suite } from './check.ts'

suite('kit/capability-table', test => {
  test('docs/providers.md shows what the plugins say; else run "npm run schemas"', async () => {
    assert.is(await publishedPage(), await pageText())
  })
})
