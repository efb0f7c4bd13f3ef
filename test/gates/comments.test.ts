import { assert, suite } from '../kit/check.ts'
import { codeAndComments, matchesIn, type Source, sources } from '../kit/source.ts'

/** Files that do not open (after a `#!` line) with a docstring of at least a few words. */
const withoutDocstring = (files: readonly Source[]): string[] => files
  .filter(({ text }) => !/^(?:#![^\n]*\n)?\/\*\*[^]*?\*\//.exec(text)?.[0].match(/[A-Za-z]{2,}[^]*?\s[A-Za-z]+[^]*?\s[a-z]+/))
  .map(({ path }) => path)

/** A letter with a number, such as a reader meets in a plan he does not have. */
const tag = /\b[A-Z]\d+[a-z]?\b(?:\.\d+)?/g
/** Names of things: the JavaScript engine, a paper size, control characters, a key. */
const known = new Set(['V8', 'B5', 'C0', 'C1', 'F5'])

/** Tags in comments and in the titles of tests. */
const tags = (files: readonly Source[]): string[] => files.filter(({ text }) => text.search(tag) >= 0).flatMap(file => {
  const { code, comments } = codeAndComments(file)
  const titles = file.path.endsWith('.test.ts') ? matchesIn(file.path, code, /\b(?:test(?:\.skip)?|suite)\((['"`]).*?\1/g) : []
  return [...matchesIn(file.path, comments, tag), ...titles.filter(title => title.slice(file.path.length).search(tag) >= 0)]
}).filter(found => !known.has(found.slice(found.lastIndexOf(' ') + 1)))

suite('comments', test => {
  test('every source opens with a docstring', async () => {
    assert.equal(withoutDocstring(await sources('lib', 'plugins', 'commands')), [])
  })

  test('no comment and no test title cites a tag of a plan', async () => {
    assert.equal(tags(await sources('lib', 'plugins', 'commands', 'test', 'bench', 'examples')), [])
  })

  test('the docstring gate fires on a missing, a late and an empty one', () => {
    const bad = ['const x = 1', 'const x = 1\n/** Late words of a file. */', '/** */\nconst x = 1', '// A line comment is none.\n', '/* Neither is this one here. */\n']
    for (const text of bad) assert.equal(withoutDocstring([{ path: 'a.ts', text }]), ['a.ts'], text)
    assert.equal(withoutDocstring([{ path: 'a.ts', text: '#!/usr/bin/env node\n/**\n * Stops a wave.\n */\n' }, { path: 'b.ts', text: '/** Reads a file. */\n' }]), [])
  })

  test('the tags gate looks at comments and titles, not at code', () => {
    const tagOf = (letter: string, rest: string): string => letter + rest
    for (const found of [tagOf('C', '17'), tagOf('P', '0.6'), tagOf('C', '3a')]) {
      assert.is(tags([{ path: 'a.ts', text: `/** See ${found}. */\nconst x = 1 // ${found}\n` }]).length, 2, found)
      assert.is(tags([{ path: 'a.test.ts', text: `test('${found} holds', () => {})` }]).length, 1, found)
    }
    const fine = '// SHA1, UTF8, V8, U+2028, 0x0A, claude 2.1.197\nconst A1 = /\\/\\* B2 *\\//, s = "// C3", t = `// ${A1} D4`\n'
    assert.equal(tags([{ path: 'a.ts', text: fine }]), [])
  })
})
