import { assert, suite } from './check.ts'
import { firstSentence, mapText, publishedMap } from './code-map.ts'

suite('kit/code-map', test => {
  test('AGENTS.md maps the code as it is; else run "npm run schemas"', async () => {
    assert.is(await publishedMap(), await mapText())
  })

  const cases: [string, string][] = [
    ['/** One thing. Another. */', 'One thing'],
    ['#!/usr/bin/env node\n/**\n * Over two\n * lines, e.g. here: all of it.\n */', 'Over two lines, e.g. here: all of it'],
    ['/** Without a stop */', 'Without a stop'],
    ['const none = 1', ''],
  ]
  for (const [source, expected] of cases) {
    test(`firstSentence() finds ${JSON.stringify(expected)}`, () => { assert.is(firstSentence(source), expected) })
  }
})
