import { basename } from 'node:path'
import ts from 'typescript'
import { assert, suite } from '../kit/check.ts'
import { eachNode, importsOf, lineOf, parse, type Source, sources } from '../kit/source.ts'

/** About Claude by their nature. */
const aboutClaude = ['lib/plugin/claude-', 'lib/forks/']
/** Ids that are words of the language too: only as a whole string do they name a provider. */
const words = new Set(['custom'])
const conformanceLines = 15

const idsOf = (files: readonly Source[]): string[] => files.map(({ path }) => basename(path, '.ts')).filter(name => !name.startsWith('_'))

/** Does a text name the provider, alone or as a word of a sentence (not as a part of a name such as `x-codex`)? */
const names = (text: string, id: string): boolean =>
  text.trim().toLowerCase() === id || (!words.has(id) && new RegExp(`(?<![\\w./-])${id}(?![\\w./-])`, 'i').test(text))

/** The examples in the help of a command show real ids. */
const inExamples = (node: ts.Node): boolean => ts.isPropertyAssignment(node) ? node.name.getText() === 'examples' : !ts.isSourceFile(node) && inExamples(node.parent)

/** Strings and template parts that name a provider. */
function idStrings(files: readonly Source[], ids: readonly string[]): string[] {
  return files.filter(({ path }) => !aboutClaude.some(start => path.startsWith(start))).flatMap(file => {
    const found: string[] = []
    eachNode(parse(file), node => {
      if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return
      if (ids.some(id => names(node.text, id)) && !(file.path.startsWith('commands/') && inExamples(node))) found.push(`${file.path}:${lineOf(file.text, node.getStart())}: ${node.getText()}`)
    })
    return found
  })
}

/** Providers without a short test file that imports them and the conformance suite. */
const withoutConformance = (providers: readonly Source[], tests: readonly Source[]): string[] => providers.map(({ path }) => path).filter(path =>
  !tests.some(file => file.text.trimEnd().split('\n').length <= conformanceLines && importsOf(file).includes(path) && importsOf(file).some(to => to.includes('conformance'))))

const isProvider = ({ path }: Source): boolean => !basename(path).startsWith('_')

suite('providers', test => {
  test('no provider is named by a string in lib or commands', async () => {
    const ids = idsOf(await sources('plugins/providers'))
    assert.ok(ids.length > 0)
    assert.equal(idStrings(await sources('lib', 'commands'), ids), [])
  })

  test('every provider passes the conformance suite in a test file of at most 15 lines', async () => {
    const tests = (await sources('test')).filter(({ path }) => path.endsWith('.test.ts'))
    assert.equal(withoutConformance((await sources('plugins/providers')).filter(isProvider), tests), [])
  })

  test('the strings gate fires on comparisons, keys, templates and sentences, not on comments and other names', () => {
    const found = (text: string, path = 'lib/run/a.ts'): number => idStrings([{ path, text }], ['codex', 'claude', 'custom']).length
    const bad = [`if (p === 'codex') {}`, `const o = { 'claude': 1 }`, 'const s = `codex ${x}`', `const s = 'install claude first'`, `type P = 'custom'`, `f("Codex")`]
    for (const text of bad) assert.is(found(text), 1, text)
    for (const text of [`// 'codex'`, `const s = '--refresh-claude'`, `import x from './claude-cli.ts'`, `const s = 'a custom command'`]) assert.is(found(text), 0, text)
    assert.is(found(bad[0]!, 'lib/forks/a.ts'), 0)
    assert.is(found(bad[0]!, 'commands/a.ts'), 1)
    assert.is(found(`defineCommand({ examples: ['probe codex'] })`, 'commands/a.ts'), 0)
    assert.is(found(`defineCommand({ summary: 'probe codex' })`, 'commands/a.ts'), 1)
  })

  test('the conformance gate fires when the test is missing, long or about something else', () => {
    const provider: Source = { path: 'plugins/providers/a.ts', text: '' }
    const short = `import { conforms } from '../../kit/conformance.ts'\nimport a from '../../../plugins/providers/a.ts'\nconforms(a)\n`
    const path = 'test/plugins/providers/a.test.ts'
    assert.equal(withoutConformance([provider], [{ path, text: short }]), [])
    for (const text of [short + '\n//'.repeat(15), short.replace('conformance', 'check'), short.replace('providers/a', 'providers/b')]) {
      assert.equal(withoutConformance([provider], [{ path, text }]), ['plugins/providers/a.ts'], text)
    }
  })
})
