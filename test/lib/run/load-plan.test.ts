import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fail } from '../../../lib/base/fail.ts'
import { taskOnly } from '../../../lib/model/contract.ts'
import { scaffold } from '../../../lib/model/scaffold.ts'
import { type LoadedPlan, type LoadOptions, loadPlan } from '../../../lib/run/load-plan.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'
import { type Change, planOf, planWith, providers, worker } from '../../kit/plans.ts'
import { tempFolder } from '../../kit/temp.ts'

/** Loads a plan in a folder that is also the home; the policy file is `policy.json`, when a test wrote one. */
async function load(folder: string, plan: Change | string, options: Partial<LoadOptions> = {}): Promise<LoadedPlan> {
  const planPath = join(folder, 'plan.json')
  await writeFile(planPath, typeof plan === 'string' ? plan : JSON.stringify(plan))
  return loadPlan({ planPath, policyPath: join(folder, 'policy.json'), providers, host: { home: folder, platform: 'linux' },
    ...options })
}
/** Every problem of a refused plan as `code place path: message`. */
async function refused(folder: string, plan: Change | string, options: Partial<LoadOptions> = {}): Promise<string[]> {
  const error = await thrown(() => load(folder, plan, options))
  if (!(error instanceof Fail)) throw error
  return error.problems.map(({ code, place, path, message }) =>
    `${code}${place ? ` ${place.line}:${place.column}` : ''}${path ? ` ${path}` : ''}: ${message}`)
}

suite('run/load-plan', test => {
  test('loadPlan() gives the settled plan with its places', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'sub'))
    const plan = await load(temp.path, planOf(worker({ cwd: 'sub', model: 'm' })))
    assert.equal([plan.planPath, plan.policyPath, plan.warnings],
      [join(temp.path, 'plan.json'), join(temp.path, 'policy.json'), []])
    assert.equal(plan.workers.map(({ cwd }) => cwd), [join(temp.path, 'sub')])
    assert.is(plan.policy.maxWorkers, 16)
  })

  test('loadPlan() takes folders from the home, absolute, and beside the plan', async () => {
    await using temp = await tempFolder()
    const plan = await load(temp.path,
      planOf(worker({ id: 'a', cwd: '~' }), worker({ id: 'b', cwd: temp.path }), worker({ id: 'c', cwd: './' })))
    assert.equal(plan.workers.map(({ cwd }) => cwd), [temp.path, temp.path, temp.path])
  })

  test('loadPlan() reads task files relative to the plan, with byte order mark and CRLF', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'tasks'))
    await writeFile(join(temp.path, 'tasks', 'é.md'), '\uFEFF\r\nFix é 😀\r\nnow\r\n')
    const plan = await load(temp.path, planOf(worker({ task: undefined, taskFile: 'tasks/é.md' })))
    assert.equal(plan.workers.map(({ prompt }) => taskOnly(prompt)), ['Fix é 😀\r\nnow'])
  })

  test('loadPlan() tells what is wrong with task files, at their fields', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'empty'), ' \n')
    await writeFile(join(temp.path, 'latin'), Buffer.from([0x41, 0xe9, 0x42]))
    await writeFile(join(temp.path, 'large'), 'x'.repeat(16 * 1024 * 1024 + 1))
    const names = ['empty', 'latin', 'large', 'missing', '.']
    const lines = await refused(temp.path,
      planOf(...names.map((taskFile, n) => worker({ id: `w${n}`, task: undefined, taskFile }))))
    assert.equal(lines.map(line => line.replace(/^\S+ \S+ /, '').replaceAll(temp.path, '')), [
      'workers.0.taskFile: The task file "/empty" is empty', 'workers.1.taskFile: The task file "/latin" is not UTF-8',
      'workers.2.taskFile: Cannot read "/large": it has 16777217 bytes, at most 16777216 are read',
      'workers.3.taskFile: Cannot read "/missing": there is no such file',
        'workers.4.taskFile: Cannot read "": it is not a file'])
  })

  test('loadPlan() refuses folders that are missing or files', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'file'), '')
    const lines = await refused(temp.path,
      planOf(worker({ id: 'a', cwd: 'missing' }), worker({ id: 'b', cwd: 'file' }), worker({ id: 'c', cwd: 'a\0b' })))
    assert.equal(lines.map(line => line.split(' ')[2]), ['workers.0.cwd:', 'workers.1.cwd:', 'workers.2.cwd:'])
  })

  test('loadPlan() throws syntax problems alone, and shape and rules together in order', async () => {
    await using temp = await tempFolder()
    assert.equal(await refused(temp.path, '{"version": 2,}'), ['document.syntax 1:14: Nothing follows this comma'])
    const text = '\uFEFF{\r\n"workers": [{"id": "w.", "provider": "ful", "cwd": ".", "task": "é😀", "mode": "x", '
      + '"isolate": true}],\r\n"strategy": "fats", "version": 1, "vers": 2}'
    assert.equal(await refused(temp.path, text), [
      'document.rule 2:20 workers.0.id: The id "w." cannot be the name of a folder on every system',
      'provider.unknown 2:38 workers.0.provider: Worker "w.": There is no provider "ful"',
      'document.shape 2:79 workers.0.mode: workers.0.mode must be "read-only" or "write", not "x"',
      'document.rule 3:13 strategy: There is no strategy "fats"',
      'document.unknown-field 3:35 vers: The document has an unknown field "vers"'])
  })

  test('loadPlan() refuses a missing plan, a folder and a file of 50 MB at once, naming it', async () => {
    await using temp = await tempFolder()
    const at = (name: string): Promise<string[]> => refused(temp.path, planWith(), { planPath: join(temp.path, name) })
    await writeFile(join(temp.path, 'large.json'), Buffer.alloc(50_000_000, ' '))
    const watch = stopwatch()
    assert.equal(await at('large.json'),
      [`document.unreadable: Cannot read "${join(temp.path, 'large.json')}": it has 50000000 bytes, at most 16777216 are read`])
    watch.under(1_000)
    assert.equal(await at('none.json'),
      [`document.unreadable: Cannot read "${join(temp.path, 'none.json')}": there is no such file`])
    assert.equal(await at('.'), [`document.unreadable: Cannot read "${temp.path}": it is not a file`])
  })

  test('loadPlan() refuses a damaged policy before the plan, naming the file', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'policy.json'), '{"maxWorkers": "many"}')
    const error = await thrown(() => load(temp.path, planWith({ version: 2 })))
    assert.ok(error instanceof Fail)
    assert.equal(error.problems.map(({ place, path }) => [place?.file, path]), [[join(temp.path, 'policy.json'), 'maxWorkers']])
    await writeFile(join(temp.path, 'policy.json'), '')
    assert.equal(await refused(temp.path, planWith()), ['document.syntax 1:1: The document is empty'])
  })

  test('loadPlan() lets options win: strategy and limits over the policy\'s', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 'policy.json'), '{"budget": {"maxCalls": 1}, "defaultStrategy": "economy"}')
    const plan = planWith({ budget: { maxCalls: 2 } })
    assert.equal(await refused(temp.path, plan),
      ['budget.over-policy 1:68 budget.maxCalls: The plan\'s maxCalls 2 is above the policy\'s 1'].map(line =>
      line.replace('1:68', `1:${JSON.stringify(plan).indexOf('2}') + 1}`)))
    const loaded = await load(temp.path, plan, { overPolicy: true, strategy: 'Thorough' })
    assert.equal([loaded.budget.maxCalls, loaded.strategy], [2, 'quality'])
    assert.equal(await refused(temp.path, plan, { strategy: 'x' }), ['usage.bad-value: There is no strategy "x"'])
  })

  test('loadPlan() warns about a shared writer in a checkout with uncommitted changes', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'repo'))
    await promisify(execFile)('git', ['init', '--quiet', join(temp.path, 'repo')],
      { env: { PATH: process.env['PATH'], HOME: temp.path } })
    const plan = planOf(worker({ provider: 'metered', model: 'm', mode: 'write', cwd: 'repo' }))
    assert.equal((await load(temp.path, plan)).warnings, [])
    await writeFile(join(temp.path, 'repo', 'new'), '')
    assert.equal((await load(temp.path, plan)).warnings,
      ['w1: writes in a checkout with uncommitted changes, which its own will be mixed with; set isolate: true or commit first'])
  })

  test('loadPlan() loads what scaffold() makes', async () => {
    await using temp = await tempFolder()
    const plan = await load(temp.path,
      { ...scaffold({ strategy: 'fanout', workers: 3, cwd: temp.path, provider: 'auto' }, providers) })
    assert.equal([plan.strategy, plan.workers.length], ['parallel', 3])
  })

  test('loadPlan() settles a thousand workers with one task file at once', async () => {
    await using temp = await tempFolder()
    await writeFile(join(temp.path, 't'), 'x'.repeat(100_000))
    await writeFile(join(temp.path, 'policy.json'), '{"maxWorkers": 1000}')
    const watch = stopwatch()
    const workers = Array.from({ length: 1000 }, (_, n) => worker({ id: `w${n}`, task: undefined, taskFile: 't' }))
    assert.is((await load(temp.path, planOf(...workers))).workers.length, 1000)
    watch.under(5_000)
  })
})
