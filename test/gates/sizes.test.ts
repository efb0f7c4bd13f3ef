import ts from 'typescript'
import { assert, suite } from '../kit/check.ts'
import { eachNode, lineOf, parse, type Source, sources } from '../kit/source.ts'

const mostLines = { commands: 80, elsewhere: 250 }
const mostFunctionLines = 40

/** Functions that may be longer, as `path name`, each with the reason. */
const longFunctions: Readonly<Record<string, string>> = {}

const linesOf = (text: string): number => text.trimEnd().split('\n').length

const longFiles = (files: readonly Source[]): string[] => files.flatMap(({ path, text }) => {
  const most = path.startsWith('commands/') ? mostLines.commands : mostLines.elsewhere
  return linesOf(text) > most ? [`${path}: ${linesOf(text)} lines, at most ${most}`] : []
})

/** The name a reader would call a function by. */
function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) || ts.isPropertyDeclaration(node.parent) ? node.parent.name : undefined)
  return named?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : '(nameless)')
}

/** Functions over the limit as `path name`, with their length. */
function functionsOver(file: Source): { readonly key: string; readonly lines: number }[] {
  const found: { key: string; lines: number }[] = []
  eachNode(parse(file), node => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
    const lines = lineOf(file.text, node.end) - lineOf(file.text, node.getStart()) + 1
    if (lines > mostFunctionLines) found.push({ key: `${file.path} ${nameOf(node)}`, lines })
  })
  return found
}

const longOnes = (files: readonly Source[], allowed: Readonly<Record<string, string>>): string[] =>
  files.flatMap(functionsOver).filter(({ key }) => !allowed[key]).map(({ key, lines }) => `${key}: ${lines} lines, at most ${mostFunctionLines}`)

const needless = (files: readonly Source[], allowed: Readonly<Record<string, string>>): string[] => {
  const over = new Set(files.flatMap(functionsOver).map(({ key }) => key))
  return Object.keys(allowed).filter(key => !over.has(key))
}

const body = (lines: number): string => Array.from({ length: lines }, (_, at) => `  call(${at})`).join('\n')

suite('sizes', test => {
  test('no command is longer than 80 lines, no other source longer than 250', async () => {
    assert.equal(longFiles(await sources('lib', 'plugins', 'commands')), [])
  })

  test('no function is longer than 40 lines, but for the named ones', async () => {
    const files = await sources('lib', 'plugins', 'commands')
    assert.equal(longOnes(files, longFunctions), [])
    assert.equal(needless(files, longFunctions), [], 'an exception is no longer needed')
  })

  test('the files gate counts lines and knows that commands are shorter', () => {
    assert.is(longFiles([{ path: 'lib/run/a.ts', text: body(251) }, { path: 'commands/a.ts', text: body(81) }]).length, 2)
    assert.equal(longFiles([{ path: 'lib/run/a.ts', text: `${body(250)}\n` }, { path: 'commands/a.ts', text: `${body(80)}\n` }]), [])
  })

  test('the functions gate sees functions, arrows, methods and constructors', () => {
    const text = [
      `function one() {\n${body(39)}\n}`, `const two = () => {\n${body(39)}\n}`, `const o = { three() {\n${body(39)}\n} }`,
      `class C { constructor() {\n${body(39)}\n} }`, `function fits() {\n${body(38)}\n}`,
    ].join('\n')
    const names = functionsOver({ path: 'x.ts', text }).map(({ key }) => key)
    assert.equal(names, ['x.ts one', 'x.ts two', 'x.ts three', 'x.ts constructor'])
    assert.is(longOnes([{ path: 'x.ts', text }], { 'x.ts one': 'a table' }).length, 3)
    assert.equal(needless([{ path: 'x.ts', text }], { 'x.ts one': 'a table', 'x.ts fits': 'a table' }), ['x.ts fits'])
  })
})
