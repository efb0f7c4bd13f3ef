import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { filesIn, importsOf, matchesIn, repository, type Source, sources } from '../kit/source.ts'

/** The packages the product is built on, each with the folder it may be imported in. */
const packages: Readonly<Record<string, string>> = {
  'cac': 'lib/cli/', 'fast-glob': 'lib/io/', 'fkill': 'lib/io/', 'jsonc-parser': 'lib/model/', 'ps-list': 'lib/io/', 'tsx': 'nowhere: it runs the sources',
  'valibot': 'lib/', 'zx': 'lib/io/',
}

const packageOf = (imported: string): string | undefined => /^(?:node:|lib\/|plugins\/|commands\/)/.test(imported) ? undefined : imported.split('/')[imported.startsWith('@') ? 1 : 0]

/** Imports of packages from a place that is not theirs. */
const misplaced = (files: readonly Source[]): string[] => files.flatMap(file => importsOf(file).flatMap(imported => {
  const name = packageOf(imported)
  const home = name === undefined ? file.path : packages[name]
  if (imported === 'zx') return [`${file.path} imports all of zx: zx/core is a tenth of it`]
  return home !== undefined && file.path.startsWith(home) ? [] : [`${file.path} imports ${imported}`]
}))

const unused = (files: readonly Source[], names: readonly string[]): string[] => {
  const used = new Set(files.flatMap(importsOf).map(packageOf))
  return names.filter(name => name !== 'tsx' && !used.has(name))
}

/** A lock file's packages that record where they were downloaded from. */
const withAddress = (lock: string): string[] => matchesIn('package-lock.json', lock, /"resolved"\s*:\s*"[^"]*"/g)

/** Hosts of package registries, and a registry of one's own in a configuration. */
const registryHost = /\/\/[^\s/"'`]*\bregistry\b[^\s/"'`]*|\bregistry\.(?:npmjs|yarnpkg)\b|\bnpm\.pkg\.github\b|^registry\s*=.*$/gm

/** Absolute paths of the places where people work on this repository. */
const workplaces = [['work'], ['tmp', 'w']].map(parts => `/${parts.join('/')}/`)
const workplace = new RegExp(`(?<![\\w.*-])(?:${workplaces.join('|')})`, 'g')

const addresses = (files: readonly Source[]): string[] =>
  files.flatMap(({ path, text }) => [...matchesIn(path, text, registryHost), ...matchesIn(path, text, workplace)])

/** Everything that is in the repository, recorded streams included. */
async function wholeRepository(): Promise<Source[]> {
  const streams = await filesIn('.')
  const paths = streams.filter(path => !/^(?:node_modules|\.git)\//.test(path))
  return Promise.all(paths.map(async path => ({ path, text: await readFile(join(repository, path), 'latin1') })))
}

suite('packages', test => {
  test('package.json depends on the allowed packages only, and the product imports each of them in its place', async () => {
    const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
    const files = await sources('lib', 'plugins', 'commands')
    assert.equal(Object.keys(dependencies), Object.keys(packages))
    assert.equal(misplaced(files), [])
    assert.equal(unused(files, Object.keys(packages)), [])
  })

  test('the lock file records no address of a download', async () => {
    assert.equal(withAddress(await readFile(join(repository, 'package-lock.json'), 'utf8')), [])
  })

  test('the repository names no registry host and no path of a workplace', async () => {
    assert.equal(addresses(await wholeRepository()), [])
  })

  test('the packages gate fires on a package that is misplaced, unknown, too heavy or unused', () => {
    const file = (path: string, imported: string): Source => ({ path, text: `import { x } from '${imported}'` })
    const bad = [file('lib/run/a.ts', 'zx/core'), file('lib/io/a.ts', 'zx'), file('lib/io/a.ts', 'left-pad'), file('commands/a.ts', 'cac'), file('lib/io/a.ts', '@x/y')]
    for (const one of bad) assert.is(misplaced([one]).length, 1, one.text)
    const good = [file('lib/io/git.ts', 'zx/core'), file('lib/cli/a.ts', 'cac'), file('lib/run/a.ts', 'valibot'), file('lib/run/a.ts', 'node:path'), file('lib/run/a.ts', '../io/b.ts')]
    assert.equal(misplaced(good), [])
    assert.equal(unused(good, ['cac', 'zx', 'fkill', 'tsx']), ['fkill'])
  })

  test('the addresses gate fires on hosts and workplaces, not on words', () => {
    const host = ['registry', 'npmjs', 'org'].join('.')
    for (const text of [`"resolved": "https://${host}/cac"`, ['https:', '', 'my-registry.example/x'].join('/'), ['registry', 'https://x.example'].join(' = '), `see ${workplaces[0]}main`]) {
      assert.is(addresses([{ path: 'a', text }]).length, 1, text)
    }
    assert.equal(withAddress(`{ "resolved": "https://${host}/cac" }`).length, 1)
    for (const text of ['omit-lockfile-registry-resolved=true', 'the registry.json of forks', 'src/work/x', '/home/me/work/x', 'network/']) assert.equal(addresses([{ path: 'a', text }]), [], text)
  })
})
