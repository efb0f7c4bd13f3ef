import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { workerFiles } from '../../lib/run/layout.ts'
import { assert, suite } from '../kit/check.ts'
import { answerOf, cliRig, commandFile, statuses } from '../kit/cli.ts'
import { loaderArgs } from '../kit/command.ts'

suite('run', test => {
  test('exits 0 when all succeeded and tells one object on stdout, and nothing on stderr', async () => {
    await using rig = await cliRig()
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'cat' }, { id: 'b', command: 'cat' }] })
    const answer = await rig.answer('run', [plan])
    assert.equal([answer.code, answer.status, statuses(answer)], [0, 'done', { a: 'succeeded', b: 'succeeded' }])
    assert.equal(rig.runFolders(), [answer.runDir])
    const modes = await Promise.all(['', 'plan.json', 'state.json', 'workers/a/stdout.log', 'workers/a/outcome.json', 'workers/a/prompt.txt']
      .map(async name => ((await stat(join(answer.runDir, name))).mode & 0o777).toString(8)))
    assert.equal(modes, ['700', '600', '600', '600', '600', '600'])
  }, 120_000)

  test('exits 1 when the work failed and shows the worst first, the folder last, without a word on stderr', async () => {
    await using rig = await cliRig()
    const plan = await rig.plan({ workers: [{ id: 'good', command: 'cat' }, { id: 'bad', command: 'sh', args: ['-c', 'echo no such table >&2; exit 3'] }] })
    const { code, stdout, stderr } = await rig.run('run', [plan])
    assert.equal([code, stderr], [1, ''])
    const lines = stdout.trimEnd().split('\n')
    assert.match(lines[0] ?? '', /^partial: 1 of 2 succeeded, 1 failed \(/)
    assert.match(lines[1] ?? '', /^failed +bad +error: .*exit code 3: no such table$/)
    assert.match(lines[2] ?? '', /^ +next: read stderr\.log$/)
    assert.equal([lines[3], lines[4], lines.length], ['ok          good', rig.runFolders()[0], 5])
  }, 120_000)

  test('refuses a plan with every problem at its place, and leaves nothing behind', async () => {
    await using rig = await cliRig()
    const plan = join(rig.work, 'bad.json')
    await writeFile(plan, `{ "version": 1, "wrokers": [],
  "workers": [
    { "id": "a b", "provider": "custom", "command": "cat", "cwd": ".", "task": "x" },
    { "id": "c", "provider": "cstom", "cwd": ".", "task": "x", "taskFile": "y" },
    { "id": "d", "provider": "custom", "command": "cat", "cwd": "nowhere", "task": "x", "timeoutSeconds": 0 }
  ] }`)
    const [text, json] = await Promise.all([rig.run('run', [plan]), rig.run('run', [plan, '--detach', '--json'])])
    assert.equal([text.code, text.stdout], [2, ''])
    const places = [...text.stderr.matchAll(/^error: bad\.json:(\d+):(\d+): /gm)].map(([, line, column]) => [Number(line), Number(column)] as const)
    for (const line of [1, 3, 4, 5]) assert.ok(places.some(place => place[0] === line), `no problem on line ${line}:\n${text.stderr}`)
    assert.equal(places, [...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]))
    const answer = answerOf(json)
    assert.equal([answer.code, answer.errors.length], [2, places.length])
    assert.ok(answer.errors.every(error => typeof (error['place'] as { line?: unknown } | undefined)?.line === 'number'))
    assert.equal((await readdir(rig.path)).sort(), ['bin', 'home', 'work'])
  }, 120_000)

  test('refuses what is not there, no JSON, or no plan at all, by name', async () => {
    await using rig = await cliRig()
    const cut = join(rig.work, 'cut.json')
    await writeFile(cut, '{"version": 1,')
    const answers = await Promise.all([['gone.json'], [cut], []].map(args => rig.answer('run', args)))
    assert.equal(answers.map(({ code, error }) => [code, error?.code]), [[2, 'document.unreadable'], [2, 'document.syntax'], [2, 'usage.missing-argument']])
    for (const [at, name] of ['gone.json', 'cut.json'].entries()) {
      assert.ok(JSON.stringify(answers[at]?.error).includes(name), JSON.stringify(answers[at]?.error))
    }
    assert.equal(rig.runFolders(), [])
  }, 120_000)

  test('keeps a run where --run-dir says, new or empty, and refuses a folder with content, a file, and a shared one', async () => {
    await using rig = await cliRig()
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'cat' }] })
    await mkdir(join(rig.work, 'empty'), { mode: 0o700 })
    await mkdir(join(rig.work, 'shared'))
    await chmod(join(rig.work, 'shared'), 0o777)
    for (const name of ['new/deep', 'empty']) {
      const { code, runDir } = await rig.answer('run', [plan, '--run-dir', name])
      assert.equal([code, runDir], [0, join(rig.work, name)])
      assert.ok((await readdir(workerFiles(runDir, 'a').folder)).includes('outcome.json'))
    }
    const refused = await Promise.all(['empty', plan, 'shared'].map(name => rig.answer('run', [plan, '--run-dir', name])))
    assert.equal(refused.map(({ code, error }) => [code, error?.code]), [[2, 'run.folder-not-empty'], [2, 'run.unwritable'], [2, 'run.folder-foreign']])
    // The run is found again by where it was started.
    assert.is((await rig.answer('status')).runDir, join(rig.work, 'empty'))
  }, 120_000)

  test('starts no work inside a worker or a fork, whichever way, whatever the other mark says', async () => {
    await using rig = await cliRig()
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'cat' }] })
    const [worker, fork] = [{ ALETHE_ORCHESTRATE_WORKER: '1' }, { SPIRE_FORKS_CHILD: '1', ALETHE_ORCHESTRATE_WORKER: '' }]
    const answers = await Promise.all([
      rig.answer('run', [plan], { env: worker }), rig.answer('run', [plan, '--detach'], { env: fork }), rig.answer('runner', [], { env: worker }),
    ])
    for (const { code, error } of answers) assert.equal([code, error?.code], [2, 'run.inside-worker'])
    assert.equal((await readdir(rig.path)).sort(), ['bin', 'home', 'work'])
  }, 120_000)

  test('a worker finds itself refused, so no wave starts another', async () => {
    await using rig = await cliRig()
    const inner = await rig.plan({ workers: [{ id: 'inner', command: 'cat' }] }, 'inner.json')
    const plan = await rig.plan({ workers: [{ id: 'outer', command: process.execPath, args: [...loaderArgs, commandFile('run'), inner] }] })
    const { runDir } = await rig.answer('run', [plan])
    assert.match(await readFile(workerFiles(runDir, 'outer').stderr, 'utf8'), '[run.inside-worker]')
    assert.equal(rig.runFolders(), [runDir])
  }, 120_000)
})
