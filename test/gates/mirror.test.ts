import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { assert, suite } from '../kit/check.ts'
import { filesIn, parse, repository, type Source, sources } from '../kit/source.ts'

/** Files without a test of the same path, and the test that covers them. */
const coveredBy: Readonly<Record<string, string>> = {}

/** Types, re-exports and imports alone: there is nothing to test. */
const isOnlyTypes = (file: Source): boolean => parse(file).statements.every(statement =>
  ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))

const testOf = (path: string): string => `test/${path.replace(/\.ts$/, '.test.ts')}`

/** Sources that no test mirrors and the table does not place, and entries of the table that are wrong or no longer needed. */
function unmirrored(files: readonly Source[], tests: readonly string[], elsewhere: Readonly<Record<string, string>>): string[] {
  const known = new Set(tests)
  const paths = new Set(files.map(({ path }) => path))
  return [
    ...files.filter(file => !known.has(testOf(file.path)) && !elsewhere[file.path] && !isOnlyTypes(file)).map(({ path }) => `${path} has no ${testOf(path)}`),
    ...Object.entries(elsewhere).flatMap(([path, test]) => [
      ...(paths.has(path) ? [] : [`${path} is in the table and does not exist`]),
      ...(known.has(test) ? [] : [`${path}: ${test} does not exist`]),
      ...(known.has(testOf(path)) ? [`${path} has a test of its own and needs no place in the table`] : []),
    ]),
  ]
}

/** Paths in backticks: those below a folder of the repository, and files that stand at its root. */
const pathsIn = (text: string, roots: readonly string[]): string[] => [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
  .flatMap(([, path = '']) => roots.includes(path.split('/')[0] ?? '') || /^[\w.-]+\.(?:md|js|yaml)$/.test(path) ? [path.replace(/\/$/, '')] : [])

/** What a map of the code leaves out, and what it names and does not exist. */
function mapFaults(map: string, sourcePaths: readonly string[], all: readonly string[]): string[] {
  const there = new Set(all.flatMap(path => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))))
  const named = pathsIn(map, [...there].filter(path => !path.includes('/')).concat('lib', 'plugins', 'commands', 'test', 'bench', 'docs', 'examples', 'skills'))
  return [
    ...sourcePaths.filter(path => !named.includes(path)).map(path => `names no ${path}`),
    ...named.filter(path => !there.has(path)).map(path => `names ${path}, which does not exist`),
  ]
}

suite('mirror', test => {
  test('every source has a test of the same path or is placed in a table', async () => {
    assert.equal(unmirrored(await sources('lib', 'plugins'), await filesIn('test'), coveredBy), [])
  })

  test('AGENTS.md names every source of lib, and only paths that exist', async () => {
    const all = (await filesIn('.')).filter(path => !/^(?:node_modules|\.git)\//.test(path))
    assert.equal(mapFaults(await readFile(join(repository, 'AGENTS.md'), 'utf8'), (await sources('lib')).map(({ path }) => path), [...all, 'test/fixtures/streams']), [])
  })

  test('the mirror gate fires on a source without a test and on a stale table', () => {
    const files = [{ path: 'lib/run/a.ts', text: 'export const a = 1' }, { path: 'lib/run/types.ts', text: 'export interface A {}\nexport * from "./b.ts"' }]
    assert.equal(unmirrored(files, [], {}), ['lib/run/a.ts has no test/lib/run/a.test.ts'])
    assert.equal(unmirrored(files, ['test/lib/run/a.test.ts'], {}), [])
    assert.equal(unmirrored(files, ['test/lib/run/b.test.ts'], { 'lib/run/a.ts': 'test/lib/run/b.test.ts' }), [])
    assert.is(unmirrored(files, ['test/lib/run/a.test.ts'], { 'lib/run/a.ts': 'test/gone.test.ts', 'lib/gone.ts': 'test/lib/run/a.test.ts' }).length, 3)
  })

  test('the map gate fires on a source that is not named and on a path that is not there', () => {
    const map = 'In `lib/run/a.ts` and `lib/run/`, see `README.md`, `zx/core`, `npm test`, `--json`, `plan.json`, `lib/N`, `skills/x.md`.'
    assert.equal(mapFaults(map, ['lib/run/a.ts', 'lib/run/b.ts'], ['lib/run/a.ts', 'lib/run/b.ts', 'README.md']),
      ['names no lib/run/b.ts', 'names lib/N, which does not exist', 'names skills/x.md, which does not exist'])
  })
})
