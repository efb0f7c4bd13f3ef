import { assert, suite } from '../kit/check.ts'
import { importsOf, type Source, sources } from '../kit/source.ts'

/** From the bottom up; those of one row stand side by side and never import each other. */
const rows = [
  ['lib/base'], ['lib/model'], ['lib/plugin'], ['lib/io'], ['lib/git'], ['lib/run'], ['lib/report', 'lib/play', 'lib/forks'], ['lib/cli'], ['commands'],
]
const layers = rows.flatMap((names, rank) => names.map(name => ({ name, rank })))

const isPath = (imported: string): boolean => imported.includes('/') && !imported.startsWith('node:') && !imported.startsWith('@')
const isIn = (folder: string, path: string): boolean => path.startsWith(`${folder}/`)
const layerOf = (path: string): { name: string; rank: number } | undefined => layers.find(({ name }) => isIn(name, path))
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

function reasonAgainst(from: string, to: string): string | undefined {
  if (isIn('plugins', from)) return isIn('lib/plugin', to) || isIn(folderOf(from), to) ? undefined : 'plugins import lib/plugin and their own folder only'
  if (isIn('plugins', to)) return 'plugins are discovered, never imported'
  const [user, used] = [layerOf(from), layerOf(to)]
  if (!user) return `"${from}" is in no layer`
  if (!used) return `"${to}" is in no layer`
  if (user.name === 'commands' && used.name === 'commands') return 'commands never import commands'
  return user.name === used.name || used.rank < user.rank ? undefined : `${user.name} may not import ${used.name}`
}

/** Imports that go up, sideways, or to a place they may not. */
function againstTheLayers(files: readonly Source[]): string[] {
  return files.flatMap(file => importsOf(file).flatMap(to => {
    const inside = isPath(to) && /\.[cm]?[jt]s$/.test(to)
    if (!inside) return isIn('plugins', file.path) && !to.startsWith('node:') ? [`${file.path} -> ${to}: plugins import no package`] : []
    const reason = reasonAgainst(file.path, to)
    return reason ? [`${file.path} -> ${to}: ${reason}`] : []
  }))
}

/** Each import cycle once, types included: what needs each other belongs in one file or in three. */
function cycles(files: readonly Source[]): string[] {
  const graph = new Map(files.map(file => [file.path, importsOf(file).filter(isPath)]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '))
    if (start >= 0 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}

const file = (path: string, ...imports: readonly string[]): Source => ({ path, text: imports.map(to => `import { x } from '${to}'`).join('\n') })

suite('imports', test => {
  test('imports go downwards only, and nothing imports a plugin or a command', async () => {
    assert.equal(againstTheLayers(await sources('lib', 'plugins', 'commands')), [])
  })

  test('no files import each other in a circle', async () => {
    assert.equal(cycles(await sources('lib', 'plugins', 'commands')), [])
  })

  test('the layers gate fires on each forbidden direction', () => {
    const bad = [
      file('lib/base/a.ts', '../model/b.ts'), file('lib/model/a.ts', '../io/b.ts'), file('lib/plugin/a.ts', '../io/b.ts'), file('lib/io/a.ts', '../run/b.ts'),
      file('lib/report/a.ts', '../play/b.ts'), file('lib/forks/a.ts', '../report/b.ts'), file('lib/run/a.ts', '../cli/b.ts'), file('lib/cli/a.ts', '../../commands/b.ts'),
      file('lib/run/a.ts', '../../plugins/providers/b.ts'), file('commands/a.ts', './b.ts'), file('commands/forks/a.ts', '../b.ts'),
      file('plugins/providers/a.ts', '../../lib/model/b.ts'), file('plugins/providers/a.ts', '../phases/b.ts'), file('plugins/providers/a.ts', 'valibot'),
      file('lib/other/a.ts', '../base/b.ts'), file('lib/run/a.ts', '../kit/check.ts'),
      { path: 'lib/base/a.ts', text: `export const load = () => import('../run/b.ts')` },
      { path: 'lib/base/a.ts', text: `import type { B } from '../run/b.ts'` },
    ]
    for (const one of bad) assert.is(againstTheLayers([one]).length, 1, `${one.path}: ${one.text}`)
    const good = [
      file('lib/model/a.ts', '../base/b.ts', './c.ts', 'valibot', 'node:path'), file('lib/report/a.ts', '../run/b.ts'), file('commands/forks/a.ts', '../../lib/cli/b.ts'),
      file('plugins/providers/a.ts', '../../lib/plugin/kit.ts', './_shared.ts', 'node:path'), file('lib/io/git.ts', 'zx/core'),
    ]
    assert.equal(againstTheLayers(good), [])
  })

  test('the cycles gate fires on a circle of three and not on a diamond', () => {
    const circle = [file('lib/run/a.ts', './b.ts'), file('lib/run/b.ts', './c.ts'), file('lib/run/c.ts', './a.ts')]
    assert.equal(cycles(circle), ['lib/run/a.ts -> lib/run/b.ts -> lib/run/c.ts -> lib/run/a.ts'])
    assert.equal(cycles([file('lib/run/a.ts', './b.ts', './c.ts'), file('lib/run/b.ts', './d.ts'), file('lib/run/c.ts', './d.ts'), file('lib/run/d.ts')]), [])
  })
})
