import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { settableClock } from '../../../lib/io/clock.ts'
import { findRun, homeOf, newRun, pluginsOf, projectOf, runIdOf } from '../../../lib/run/home.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { hostAt } from '../../kit/host.ts'
import { tempFolder } from '../../kit/temp.ts'

const codeOf = async (body: () => Promise<unknown>): Promise<string> => {
  const error = await thrown(body)
  return error instanceof Fail ? error.problem.code : String(error)
}
/** Makes a run as a starting wave does. */
const run = async (...args: Parameters<typeof newRun>): Promise<string> => {
  const { folder } = await newRun(...args)
  await writeFile(join(folder, 'state.json'), '{}')
  return folder
}

suite('run home', test => {
  test('newRun() makes a private folder that says when, under the orchestrations home', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path, { clock: settableClock(Date.UTC(2026, 11, 1, 2, 3, 4)) })
    const { folder, runId } = await newRun(host)
    assert.is(folder, join(temp.path, '.config', 'alethe', 'orchestrations', `run-20261201-020304-${runId}`))
    assert.is((await stat(folder)).mode & 0o777, 0o700)
    assert.is(runIdOf(folder), runId)
  })

  test('homeOf() is ALETHE_ORCHESTRATE_HOME when that is set, else beside the policy file', () => {
    assert.is(homeOf(hostAt('/h', { env: { ALETHE_ORCHESTRATE_HOME: 'runs' }, cwd: '/w' })), '/w/runs')
    assert.is(homeOf(hostAt('/h', { env: { ALETHE_ORCHESTRATE_POLICY: '/p/policy.json' } })), '/p/orchestrations')
  })

  test('newRun() takes an empty folder of the caller\'s choice and refuses one with content', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const chosen = join(temp.path, 'chosen')
    await mkdir(chosen, { mode: 0o700 })
    assert.is((await newRun(host, { runDir: 'chosen' })).folder, chosen)
    await writeFile(join(chosen, 'x'), '')
    assert.is(await codeOf(() => newRun(host, { runDir: 'chosen' })), 'run.folder-not-empty')
    assert.equal(await readdir(chosen), ['x'])
  })

  test('pluginsOf() gives the plugin files that a run was started with, from the index alone', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const folder = await run(host, { plugins: ['mine.mjs', '/p/other.mjs'] })
    await writeFile(join(folder, 'plan.json'), JSON.stringify({ plugins: ['/evil.mjs'] }))
    assert.equal(await pluginsOf(host, folder), [join(temp.path, 'mine.mjs'), '/p/other.mjs'])
    assert.equal(await pluginsOf(host, join(temp.path, 'elsewhere')), [])
  })

  test('newRun() refuses a folder that others may write to', async () => {
    await using temp = await tempFolder()
    const shared = join(temp.path, 'shared')
    await mkdir(shared)
    await chmod(shared, 0o777)
    assert.is(await codeOf(() => newRun(hostAt(temp.path), { runDir: shared })), 'run.folder-foreign')
  })

  test('findRun() finds the newest run of the project first, then the newest of all', async () => {
    await using temp = await tempFolder()
    const [a, b, c] = ['a', 'b', 'c'].map(name => join(temp.path, name)) as [string, string, string]
    for (const folder of [a, b, c]) await mkdir(join(folder, '.git'), { recursive: true })
    await mkdir(join(a, 'deep'))
    const inA = await run(hostAt(temp.path, { cwd: join(a, 'deep') }))
    const inB = await run(hostAt(temp.path, { cwd: b }))
    assert.is(await findRun(hostAt(temp.path, { cwd: a })), inA)
    assert.is(await findRun(hostAt(temp.path, { cwd: c })), inB)
    await rm(inB, { recursive: true })
    assert.is(await findRun(hostAt(temp.path, { cwd: b })), inA)
  })

  test('findRun() passes over damaged lines of the index', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const folder = await run(host)
    const index = join(homeOf(host), 'runs.jsonl')
    await writeFile(index, 'null\n{"folder":5}\n{"fol', { flag: 'a' })
    assert.is(await findRun(host), folder)
  })

  test('findRun() believes no record that others may have written', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const folder = await run(host)
    await chmod(folder, 0o777)
    assert.is(await codeOf(() => findRun(host, folder)), 'run.folder-foreign')
  })

  test('findRun() says what is missing', async () => {
    await using temp = await tempFolder()
    assert.is(await codeOf(() => findRun(hostAt(temp.path))), 'run.not-found')
    assert.is(await codeOf(() => findRun(hostAt(temp.path), temp.path)), 'run.not-found')
  })

  test('projectOf() is the nearest folder with a .git, a file or a folder, or the folder itself', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'x', 'y'), { recursive: true })
    assert.is(projectOf(join(temp.path, 'x', 'y')), join(temp.path, 'x', 'y'))
    await symlink('/nowhere', join(temp.path, 'x', 'link'))
    await writeFile(join(temp.path, 'x', '.git'), 'gitdir: elsewhere')
    assert.is(projectOf(join(temp.path, 'x', 'y')), join(temp.path, 'x'))
  })
})
