import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { discoverProviders, type Discovery } from '../../../lib/run/discover.ts'
import { assert, suite } from '../../kit/check.ts'
import { hostAt } from '../../kit/host.ts'
import { tempFolder } from '../../kit/temp.ts'

const entry = resolve(dirname(fileURLToPath(import.meta.url)), '../../../commands/run.ts')
const bundled = ['agy', 'claude', 'codex', 'custom', 'kimi']

/** A sound provider as a user would write it. */
const provider = (id: string): string => `export default kit => kit.defineProvider({
  kind: 'provider', api: 1, id: '${id}', summary: 's', aliases: [], executable: 'cat',
  can: { resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false, blocksSubagents: false,
    blocksMcp: false, allowCommands: false, ownCommand: false, silent: false, promptVia: 'stdin', maxPrompt: { size: 1000, unit: 'bytes' } },
  stop: [], parentEnv: [], assumed: null,
  invoke: task => ({ file: 'cat', args: [], stdin: task.prompt }),
  read: () => ({ line: () => null, settle: () => ({ verdict: { ok: true }, text: '' }) }),
})
`

interface Place { readonly home: string; readonly user: string }
async function place(path: string, files: Record<string, string>): Promise<Place> {
  const user = join(path, '.config', 'alethe', 'plugins', 'providers')
  await mkdir(user, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(user, name), content)
  return { home: path, user }
}
const ids = (discovery: Discovery): string[] => discovery.found.map(each => each.provider.id).sort()
const problems = (discovery: Discovery): string[] => discovery.problems.map(each => each.message)

suite('discoverProviders()', test => {
  test('finds the bundled providers and nothing of the project', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, '.alethe', 'plugins', 'providers'), { recursive: true })
    await writeFile(join(temp.path, '.alethe', 'plugins', 'providers', 'evil.mjs'), provider('evil'))
    const discovery = await discoverProviders(hostAt(temp.path), entry)
    assert.equal([ids(discovery), problems(discovery)], [bundled, []])
  })

  test('loads a user\'s plugin that is a factory and leaves files that start with _', async () => {
    await using temp = await tempFolder()
    const { home } = await place(temp.path, { 'mine.mjs': provider('mine'), '_helper.mjs': 'throw 1' })
    const discovery = await discoverProviders(hostAt(home), entry)
    assert.equal([ids(discovery), problems(discovery)], [[...bundled, 'mine'].sort(), []])
    assert.is(discovery.found.find(each => each.provider.id === 'mine')?.origin, 'user')
  })

  const broken: [string, string, RegExp][] = [
    ['has a syntax error', 'export default {', /^Cannot use plugin ".*x\.mjs": .*node --check/],
    ['throws', 'throw new Error("no luck")', /no luck/],
    ['exports nothing', 'export const a = 1', /default export/],
    ['has another shape', 'export default { kind: "provider", api: 1 }', /has no value/],
    ['has an id that is not its name', provider('y'), /its id is "y"/],
    ['never loads', 'await new Promise(() => setInterval(() => {}, 1000).unref())', /did not load within/],
  ]
  for (const [title, content, expected] of broken) {
    test(`names a plugin that ${title}, and the others work`, async () => {
      await using temp = await tempFolder()
      const { home } = await place(temp.path, { 'x.mjs': content, 'good.mjs': provider('good') })
      const discovery = await discoverProviders(hostAt(home), entry)
      assert.equal(ids(discovery), [...bundled, 'good'].sort())
      assert.is(discovery.problems.length, 1)
      assert.match(problems(discovery)[0] ?? '', expected)
    }, 15_000)
  }

  test('refuses an id that is taken, unless the plugin is named by --plugin', async () => {
    await using temp = await tempFolder()
    const { home, user } = await place(temp.path, { 'codex.mjs': provider('codex') })
    const refused = await discoverProviders(hostAt(home), entry)
    assert.is(refused.found.find(each => each.provider.id === 'codex')?.origin, 'bundled')
    assert.match(problems(refused)[0] ?? '', /the id "codex" is taken by .*codex\.ts/)
    const replaced = await discoverProviders(hostAt(home), entry, [join(user, 'codex.mjs')])
    assert.is(replaced.found.find(each => each.provider.id === 'codex')?.origin, 'option')
  })

  test('reads ALETHE_PLUGIN_PATH as files and folders, and names one that is not there', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'more'))
    await writeFile(join(temp.path, 'more', 'one.mjs'), provider('one'))
    await writeFile(join(temp.path, 'two.mjs'), provider('two'))
    const path = ['more', 'two.mjs', 'three.mjs'].join(':')
    const discovery = await discoverProviders(hostAt(temp.path, { env: { ALETHE_PLUGIN_PATH: path } }), entry)
    assert.equal(ids(discovery), [...bundled, 'one', 'two'].sort())
    assert.match(problems(discovery)[0] ?? '', /three\.mjs/)
  })
}, 60_000)
