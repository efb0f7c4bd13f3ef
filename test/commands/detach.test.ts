import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { allGone, answerOf, type CliRig, cliRig, commandFile, identityAt, isAlive, statuses } from '../kit/cli.ts'
import { cleanEnv, loaderArgs, startProgram } from '../kit/command.ts'
import { until } from '../kit/until.ts'

/** A worker that tells its parent, waits for a line in a pipe, and then does `end`. */
async function heldWorker(rig: CliRig, end: string): Promise<{ readonly plan: string; release(): Promise<void> }> {
  const pipe = join(rig.path, 'pipe')
  spawnSync('mkfifo', [pipe])
  await rig.fake('held', `told parent $PPID; told worker $$; read -r line < '${pipe}'; ${end}`)
  return { plan: await rig.plan({ workers: [{ id: 'a', command: 'held' }, { id: 'b', command: 'cat' }] }), release: () => writeFile(pipe, 'go\n') }
}

/** The words behind `sh -c` that do something and then stay, as an agent's shell does. */
const thenStay = (...words: readonly string[]): string[] => ['-c', '"$@" && exec sleep 300', 'sh', ...words]

suite('run --detach', test => {
  test('starts a runner that outlives the group that started it, is waited for, and is the process it names', async () => {
    await using rig = await cliRig()
    const { plan, release } = await heldWorker(rig, 'cat')
    await using shell = startProgram('/bin/sh', thenStay(process.execPath, ...loaderArgs, commandFile('run'), plan, '--detach', '--json'), rig.setup({ group: true }))
    await shell.seen('"started"')
    const [folder = ''] = rig.runFolders()
    // At this moment, and not only when the runner has begun.
    assert.ok(existsSync(join(folder, 'plan.json')))
    const { runnerPid } = await rig.state(folder)
    const [worker] = await rig.named('worker', 1)
    const runner = await identityAt(runnerPid)
    const group = -(await identityAt(shell.child.pid!)).pid
    process.kill(group, 'SIGHUP')
    process.kill(group, 'SIGKILL')
    const started = answerOf({ ...await shell.ended, code: 0 })
    assert.equal([started.status, started.runDir, started.pid], ['started', folder, runnerPid])
    assert.equal(await rig.told('parent'), [String(runnerPid)])

    // The state is written at most twice a second.
    await until(async () => (await rig.state(folder)).workers['a']?.status === 'running')
    const now = await rig.answer('wait', ['--timeout', '0'])
    assert.equal([now.code, now.done, now.status, statuses(now)['a']], [0, false, 'running', 'running'])
    assert.ok(isAlive(runner) && isAlive(worker!))
    for (const name of ['runner.stdout.log', 'runner.stderr.log']) assert.is((await stat(join(folder, name))).mode & 0o777, 0o600, name)
    await using waiting = rig.start('wait', ['--timeout', '60', '--json'])
    await release()
    const done = answerOf(await waiting.ended)
    assert.equal([done.code, done.done, done.status, statuses(done)], [0, true, 'done', { a: 'succeeded', b: 'succeeded' }])
    await allGone([runner])
    assert.is(await readFile(join(folder, 'runner.stderr.log'), 'utf8'), '')
  }, 120_000)

  const script = '/usr/bin/script'
  if (process.platform !== 'linux' || !existsSync(script)) test.skip('goes on when its terminal is closed', 'no util-linux script here')
  else test('goes on when its terminal is closed, and wait then exits 1 for what failed', async () => {
    await using rig = await cliRig()
    const { plan, release } = await heldWorker(rig, 'exit 4')
    const line = [process.execPath, ...loaderArgs, commandFile('run'), plan, '--detach'].map(word => `'${word}'`).join(' ')
    const setup = rig.setup({ env: { SHELL: '/bin/sh', TERM: 'xterm' } })
    await using terminal = startProgram(script, ['-qefc', `${line} && exec sleep 300`, '/dev/null'], { ...setup, env: cleanEnv(setup) })
    await terminal.seen('started')
    const [folder = ''] = rig.runFolders()
    const runner = await identityAt((await rig.state(folder)).runnerPid)
    await rig.named('worker', 1)
    terminal.child.kill('SIGKILL')
    assert.match((await terminal.ended).stdout, `started ${folder} (runner ${runner.pid})`)
    assert.is((await rig.answer('wait', ['--timeout', '0'])).done, false)
    assert.ok(isAlive(runner))
    await release()
    const { code, status } = await rig.answer('wait')
    assert.equal([code, status], [1, 'partial'])
  }, 120_000)

  test('a runner that is not handed a whole plan runs nothing', async () => {
    await using rig = await cliRig()
    for (const input of ['', '{"resolved":{"workers":[', '{"resolved":{}}']) {
      const { code, error } = await rig.answer('runner', [], { input })
      assert.equal([code, error?.code], [1, 'run.start-failed'], input)
    }
    assert.not(existsSync(rig.runs))
  }, 120_000)
})
