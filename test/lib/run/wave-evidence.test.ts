/** What the runner finds out by itself about a worker's work, beside what the worker says. */
import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../../kit/check.ts'
import { waveRig } from '../../kit/wave.ts'

const sh = (script: string): object => ({ command: 'sh', args: ['-c', `cat >/dev/null; ${script}; echo done`] })

suite('wave evidence', test => {
  test('an isolated writer leaves the checkout alone and a patch that holds its work and nothing else', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'one\n' })
    await writeFile(join(rig.work, 'dirty.txt'), 'mine\n')
    const ran = await rig.run({ workers: [{ id: 'w', mode: 'write', isolate: true, seedPaths: ['dirty.txt'], ...sh('echo two >> f.txt; echo new > n.txt; git add -A; git commit -qm work') }] })
    const outcome = ran.outcome('w')
    const patch = await ran.file('w', 'diff.patch')
    assert.equal([outcome.status, outcome.diffStats?.files, outcome.commits?.length], ['succeeded', 2, 1])
    assert.match(patch, 'n.txt')
    assert.not.match(patch, 'dirty.txt')
    assert.is(await readFile(join(rig.work, 'f.txt'), 'utf8'), 'one\n')
    assert.is(await readFile(join(outcome.worktree ?? '', 'dirty.txt'), 'utf8'), 'mine\n')
  })

  test('an isolated worker starts in the sub-folder that it named', async () => {
    await using rig = await waveRig()
    rig.repo({ 'sub/f.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', mode: 'write', isolate: true, cwd: join(rig.work, 'sub'), command: 'sh', args: ['-c', 'pwd'] }] })
    assert.match(await ran.file('w', 'result.md'), /worktrees\/skill-[0-9a-f]{8}-w\/sub\n$/)
  })

  test('one worker whose worktree cannot be made does not stop the others', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    await symlink('/etc/hostname', join(rig.work, 'link'))
    const ran = await rig.run({ workers: [
      { id: 'bad', mode: 'write', isolate: true, seedPaths: ['link'], command: 'cat' }, { id: 'good', mode: 'write', isolate: true, command: 'cat' },
    ] })
    assert.equal([ran.outcome('bad').status, ran.outcome('good').status], ['failed', 'succeeded'])
    assert.match(ran.outcome('bad').error ?? '', /link/)
  })

  test('a read-only worker that writes is found out, also when it writes to a file that was dirty before', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    await writeFile(join(rig.work, 'dirty.txt'), 'before\n')
    const ran = await rig.run({ maxConcurrent: 1, workers: [
      { id: 'honest', ...sh('true') }, { id: 'liar', ...sh('echo after >> dirty.txt; echo x > new.txt') },
    ] })
    assert.equal([ran.outcome('honest').readOnlyViolation, ran.outcome('honest').touchedFiles], [false, []])
    assert.equal([ran.outcome('liar').readOnlyViolation, ran.outcome('liar').touchedFiles], [true, ['dirty.txt', 'new.txt']])
  })

  test('a read-only worker beside a writer in the same checkout is not judged', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const wait = 'i=0; while [ ! -e "$0" ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i+1)); done'
    const flag = join(rig.path, 'flag')
    const ran = await rig.run({ maxConcurrent: 2, workers: [
      { id: 'reader', command: 'sh', args: ['-c', `cat >/dev/null; ${wait}; echo x`, flag] },
      { id: 'writer', mode: 'write', command: 'sh', args: ['-c', 'cat >/dev/null; echo y > f.txt; touch "$0"; echo x', flag] },
    ] })
    assert.is(ran.outcome('reader').readOnlyViolation, undefined)
    assert.equal(ran.outcome('reader').sharedCheckoutWith, ['writer'])
  })

  test('a writer in a shared checkout has a patch against what it found, and knows what was dirty before', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'one\n', 'g.txt': 'one\n' })
    await writeFile(join(rig.work, 'f.txt'), 'mine\n')
    await writeFile(join(rig.work, 'g.txt'), 'mine\n')
    const ran = await rig.run({ workers: [{ id: 'w', mode: 'write', ...sh('echo more >> f.txt') }] })
    const patch = await ran.file('w', 'diff.patch')
    assert.match(patch, /^\+more$/m)
    assert.not.match(patch, /^-one$/m)
    assert.not.match(patch, 'g.txt')
    assert.equal([ran.outcome('w').touchedFiles, ran.outcome('w').dirtyBefore], [['f.txt'], ['f.txt']])
  })

  test('outside git nothing is judged and nothing is claimed', async () => {
    await using rig = await waveRig()
    const outcome = (await rig.run({ workers: [{ id: 'w', ...sh('echo x > new.txt') }] })).outcome('w')
    assert.equal([outcome.status, outcome.readOnlyViolation, outcome.touchedFiles], ['succeeded', undefined, undefined])
  })

  test('a wave started from a git hook works on its own repository and hands no GIT_DIR to workers', async () => {
    await using rig = await waveRig({ GIT_DIR: '/nowhere/.git', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/nowhere' })
    rig.repo({ 'f.txt': 'x' })
    const ran = await rig.run({ workers: [{ id: 'w', mode: 'write', isolate: true, ...sh('env | grep ^GIT_ > seen.txt; git status --short') }] })
    assert.is(ran.outcome('w').status, 'succeeded')
    assert.is(await readFile(join(ran.outcome('w').worktree ?? '', 'seen.txt'), 'utf8'), '')
  })

  test('the final text becomes result.md and its last lines are claims', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ workers: [{ id: 'w', command: 'printf', args: ['report\nSTATUS: DONE_WITH_CONCERNS\nSUMMARY: slow tests\n'] }] })
    const { workerStatus, workerSummary } = ran.outcome('w')
    assert.equal([workerStatus, workerSummary], ['DONE_WITH_CONCERNS', 'slow tests'])
    assert.match(await ran.file('w', 'result.md'), /^report\n/)
  })

  test('folders are 0700 and files with prompts or output 0600', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ workers: [{ id: 'w', command: 'cat' }] })
    const mode = async (...path: string[]): Promise<string> => ((await stat(join(ran.runDir, ...path))).mode & 0o777).toString(8)
    assert.equal([await mode(), await mode('workers', 'w')], ['700', '700'])
    for (const name of await readdir(join(ran.runDir, 'workers', 'w'))) assert.is(await mode('workers', 'w', name), '600')
    assert.equal([await mode('plan.json'), await mode('state.json')], ['600', '600'])
  })

  test('no secret of the environment, an argument or a URL reaches a record', async () => {
    await using rig = await waveRig({ MY_SERVICE_TOKEN: 'tok-0123456789', ANTHROPIC_API_KEY: 'sk-ant-TESTTESTTEST' })
    await rig.fake('leak', 'env >&2; echo "error: bad token $MY_SERVICE_TOKEN" >&2; exit 1')
    const ran = await rig.run({ workers: [{ id: 'w', command: 'leak', args: ['--key', 'sk-ant-TESTTESTTEST', 'https://me:hunter22@host/x'] }] })
    for (const file of ['plan.json', 'state.json', join('workers', 'w', 'outcome.json')]) {
      const text = await readFile(join(ran.runDir, file), 'utf8')
      for (const secret of ['tok-0123456789', 'sk-ant-TESTTESTTEST', 'hunter22']) assert.not.match(text, secret)
    }
    assert.match(ran.outcome('w').error ?? '', /\[MY_SERVICE_TOKEN\]/)
  })

  test('a secret that is also a common word changes no id and no path, and loses no outcome', async () => {
    await using rig = await waveRig({ DB_PASSWORD: 'postgres' })
    const ran = await rig.run({ workers: [{ id: 'postgres-a', command: 'sh', args: ['-c', 'echo error: postgres >&2; exit 1'] }, { id: 'c', command: 'cat' }] })
    assert.equal([ran.status, ran.workers.map(worker => worker.id)], ['partial', ['postgres-a', 'c']])
    assert.match(ran.outcome('postgres-a').error ?? '', /\[DB_PASSWORD\]/)
    assert.match(ran.outcome('postgres-a').stdoutPath ?? '', /workers\/postgres-a\/stdout\.log$/)
  })

  test('a plugin that throws fails its own worker and no other', async () => {
    await using rig = await waveRig({ ALETHE_PLUGIN_PATH: 'bad.mjs' })
    await writeFile(join(rig.work, 'bad.mjs'), `export default kit => kit.defineProvider({ kind: 'provider', api: 1, id: 'bad', summary: 's', aliases: [], executable: 'cat',
      can: { resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false, blocksSubagents: false, blocksMcp: false,
        allowCommands: false, ownCommand: false, silent: false, promptVia: 'stdin', maxPrompt: { size: 1000000, unit: 'bytes' } },
      stop: [], parentEnv: [], assumed: null, invoke: task => ({ file: 'cat', args: [], stdin: task.prompt }),
      read: () => ({ line: () => { throw new Error('oh no') }, settle: () => ({ verdict: { ok: true }, text: 'x' }) }) })`)
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'bad' }, { id: 'b', command: 'cat' }] })
    assert.match(ran.outcome('a').error ?? '', /The plugin "bad" failed: oh no/)
    assert.is(ran.outcome('b').status, 'succeeded')
  })

  test('what cannot be read of a worker\'s work is said and ends nobody else', async () => {
    await using rig = await waveRig()
    rig.repo({ 'f.txt': 'x' })
    const ran = await rig.run({ workers: [
      { id: 'odd', mode: 'write', isolate: true, ...sh('mkdir n; echo x > n/a; chmod 644 n; rm -f .git; mkfifo .git') }, { id: 'good', mode: 'write', isolate: true, ...sh('echo y > g.txt') },
    ] })
    assert.is(ran.outcome('good').status, 'succeeded')
    assert.is(ran.outcome('odd').id, 'odd')
  })

  test('a worker gets the caller\'s environment without the marks of a parent session and with ours', async () => {
    await using rig = await waveRig({
      CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'x', CLAUDE_CODE_SESSION_ID: 'y', CLAUDE_CODE_SSE_PORT: '1', AI_AGENT: 'a', VIRTUAL_ENV: '/x', HTTPS_PROXY: 'http://p', LANG: 'C',
    })
    const ran = await rig.run({ workers: [{ id: 'w', command: 'env' }] })
    const seen = new Map((await ran.file('w', 'stdout.log')).split('\n').map(line => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
    for (const name of ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SSE_PORT', 'AI_AGENT']) assert.not.ok(seen.has(name), name)
    assert.equal(['VIRTUAL_ENV', 'HTTPS_PROXY', 'LANG', 'ALETHE_ORCHESTRATE_WORKER'].map(name => seen.get(name)), ['/x', 'http://p', 'C', '1'])
    assert.match(seen.get('ALETHE_RUN_MARKER') ?? '', /^[0-9a-f]{8}\/w$/)
  })

  test('the task reaches a program byte for byte, with the contract behind it', async () => {
    await using rig = await waveRig()
    const task = `\n  tab\tcr\r\nemoji 😀 ${'x'.repeat(200_000)} \r\n\t`
    const ran = await rig.run({ workers: [{ id: 'w', command: 'cat', task }] })
    assert.ok((await ran.file('w', 'stdout.log')).startsWith(`${task}\n\nRuntime contract:`))
    assert.is(await ran.file('w', 'stdout.log'), await ran.file('w', 'prompt.txt'))
  })

  test('a program that may not run fails with a plain sentence', async () => {
    await using rig = await waveRig()
    await mkdir(join(rig.path, 'tools'))
    await writeFile(join(rig.path, 'tools', 'x'), 'not a program')
    await chmod(join(rig.path, 'tools', 'x'), 0o644)
    const outcome = (await rig.run({ workers: [{ id: 'w', command: join(rig.path, 'tools', 'x') }] })).outcome('w')
    assert.equal([outcome.status, outcome.failureKind], ['failed', 'not_installed'])
  })
}, 60_000)
