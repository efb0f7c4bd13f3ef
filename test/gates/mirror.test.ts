import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { assert, suite } from '../kit/check.ts'
import { eachNode, filesIn, parse, repository, type Source, sources } from '../kit/source.ts'

/** Files that are tested where they are used: by test, what it covers (measured with V8's coverage). */
const coveredBy: Readonly<Record<string, readonly string[]>> = {
  'test/commands/detach.test.ts': ['lib/io/stdin.ts', 'lib/run/open.ts', 'lib/run/wait.ts'],
  'test/commands/killed.test.ts': ['lib/run/view.ts'],
  'test/commands/stop.test.ts': ['lib/run/stop.ts'],
  'test/lib/cli/parse.test.ts': ['lib/cli/armour.ts', 'lib/cli/values.ts'],
  'test/lib/cli/endings.test.ts': ['lib/base/fail.ts', 'lib/cli/start.ts'],
  'test/lib/io/entry.test.ts': ['lib/io/version.ts'],
  'test/lib/io/host.test.ts': ['lib/io/clock.ts'],
  'test/lib/model/document.test.ts': ['lib/model/syntax.ts'],
  'test/lib/model/outcome.test.ts': ['lib/model/failure.ts'],
  'test/lib/model/plan-rules.test.ts': ['lib/model/budget.ts', 'lib/model/names.ts', 'lib/model/plan-parts.ts'],
  'test/lib/model/policy.test.ts': ['lib/model/finding.ts'],
  'test/lib/model/provider-rules.test.ts': ['lib/model/capabilities.ts'],
  'test/lib/plugin/claude-stream.test.ts': ['lib/plugin/claude-events.ts'],
  'test/lib/plugin/claude-usage.test.ts': ['lib/model/usage.ts'],
  'test/lib/plugin/shape.test.ts': ['lib/plugin/provider.ts'],
  'test/lib/report/texts.test.ts': ['lib/report/live-text.ts', 'lib/report/plan-text.ts', 'lib/report/probe-text.ts', 'lib/run/probe.ts'],
  'test/lib/cli/terminal.test.ts': ['lib/io/terminal.ts'],
  'test/lib/run/discover.test.ts': ['lib/io/find.ts'],
  'test/lib/run/home.test.ts': ['lib/io/owner.ts'],
  'test/lib/git/diff-history.test.ts': ['lib/git/checkout.ts', 'lib/git/gitlinks.ts', 'lib/git/nested.ts', 'lib/git/scratch-index.ts', 'lib/git/tree.ts'],
  'test/lib/git/worktree.test.ts': ['lib/git/filters.ts', 'lib/git/registration.ts'],
  'test/lib/run/wave-endings.test.ts': [
    'lib/io/env.ts', 'lib/model/state.ts', 'lib/run/context.ts', 'lib/run/guard.ts', 'lib/run/layout.ts', 'lib/run/plan-record.ts', 'lib/run/record.ts',
    'lib/run/perform.ts', 'lib/run/resolve.ts', 'lib/run/settled.ts', 'lib/run/setup.ts', 'lib/run/supervise.ts', 'lib/run/worker.ts',
  ],
  'test/lib/run/wave-budget.test.ts': ['lib/run/account.ts'],
  'test/lib/run/wave-evidence.test.ts': ['lib/run/ground.ts', 'lib/run/launch.ts'],
  'test/lib/run/wave-output.test.ts': ['lib/run/output.ts', 'lib/run/plugin-calls.ts'],
}

/** Types, tables and schemas alone: there is nothing to call. */
function hasFunctions(file: Source): boolean {
  let found = false
  eachNode(parse(file), node => { found ||= ts.isFunctionLike(node) && 'body' in node && node.body !== undefined })
  return found
}

/**
 * `lib/run/wave.ts` is tested by `test/lib/run/wave.test.ts`, or by several such as `test/lib/run/wave-budget.test.ts`, unless that
 * one belongs to a `lib/run/wave-budget.ts`.
 */
const hasTest = (path: string, tests: readonly string[], paths: readonly string[]): boolean => {
  const own = (source: string): string => `test/${source.replace(/\.ts$/, '.test.ts')}`
  const others = paths.map(own)
  return tests.some(test => test === own(path) || (test.startsWith(own(path).replace(/\.test\.ts$/, '-')) && test.endsWith('.test.ts') && !others.includes(test)))
}

/** Sources that no test mirrors and the table does not place, and entries of the table that are wrong or no longer needed. */
function unmirrored(files: readonly Source[], tests: readonly string[], elsewhere: Readonly<Record<string, readonly string[]>>): string[] {
  const placed = Object.values(elsewhere).flat()
  const paths = files.map(({ path }) => path)
  const tested = new Set(paths.filter(path => hasTest(path, tests, paths)))
  return [
    ...files.filter(file => !tested.has(file.path) && !placed.includes(file.path) && hasFunctions(file)).map(({ path }) => `${path} has no test`),
    ...Object.keys(elsewhere).filter(test => !tests.includes(test)).map(test => `${test} does not exist`),
    ...placed.filter(path => !paths.includes(path)).map(path => `${path} does not exist`),
    ...placed.filter(path => tested.has(path)).map(path => `${path} has a test of its own and needs no other`),
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
    const files = [{ path: 'lib/run/a.ts', text: 'export const a = () => 1' }, { path: 'lib/run/table.ts', text: 'export interface A {}\nexport const table = { a: 1 }' }]
    assert.equal(unmirrored(files, [], {}), ['lib/run/a.ts has no test'])
    for (const test of ['test/lib/run/a.test.ts', 'test/lib/run/a-b.test.ts']) assert.equal(unmirrored(files, [test], {}), [])
    const longer = { path: 'lib/run/a-b.ts', text: 'export const b = () => 1' }
    assert.equal(unmirrored([...files, longer], ['test/lib/run/a-b.test.ts'], {}), ['lib/run/a.ts has no test'])
    assert.equal(unmirrored(files, ['test/lib/run/b.test.ts'], { 'test/lib/run/b.test.ts': ['lib/run/a.ts'] }), [])
    const stale = unmirrored(files, ['test/lib/run/a.test.ts'], { 'test/lib/run/a.test.ts': ['lib/run/a.ts'], 'test/gone.test.ts': ['lib/gone.ts'] })
    assert.equal(stale, ['test/gone.test.ts does not exist', 'lib/gone.ts does not exist', 'lib/run/a.ts has a test of its own and needs no other'])
  })

  test('the map gate fires on a source that is not named and on a path that is not there', () => {
    const map = 'In `lib/run/a.ts` and `lib/run/`, see `README.md`, `zx/core`, `npm test`, `--json`, `plan.json`, `lib/N`, `skills/x.md`.'
    assert.equal(mapFaults(map, ['lib/run/a.ts', 'lib/run/b.ts'], ['lib/run/a.ts', 'lib/run/b.ts', 'README.md']),
      ['names no lib/run/b.ts', 'names lib/N, which does not exist', 'names skills/x.md, which does not exist'])
  })
})
