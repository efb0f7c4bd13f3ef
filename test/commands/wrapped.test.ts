import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, suite } from '../kit/check.ts'
import { allGone, answerOf, type CliRig, cliRig, commandsFolder, identityAt, killNow } from '../kit/cli.ts'
import { startProgram, type Started } from '../kit/command.ts'
import { fakeFamily, wholeFamily } from '../kit/family.ts'

const repository = dirname(commandsFolder)
const tsx = join(dirname(fileURLToPath(import.meta.resolve('tsx'))), 'cli.mjs')

/** A copy of the commands below a folder with a blank in its name, and a link to one without an ending, as npm makes for programs. */
async function installed(rig: CliRig, command: string): Promise<string> {
  const copy = join(rig.path, 'a copy')
  await mkdir(copy)
  for (const name of ['commands', 'lib', 'plugins', 'package.json']) await cp(join(repository, name), join(copy, name), { recursive: true })
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'))
  const link = join(rig.path, 'bin', `alethe-${command}`)
  await symlink(join(copy, 'commands', `${command}.ts`), link)
  return link
}

/** A command behind the tsx program: what a user types is a wrapper, and the command its child. */
const throughTsx = (rig: CliRig, ...words: readonly string[]): Started =>
  startProgram(process.execPath, [tsx, ...words], rig.setup({ group: true }))

suite('commands behind wrappers', test => {
  test('Ctrl-C on a run behind tsx, a link and a path with blanks ends everything, however the wrapper passes it on', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    const link = await installed(rig, 'run')
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'family', args: ['family'] }] })
    await using run = throughTsx(rig, link, plan, '--json')
    const family = await wholeFamily(rig, 'family', run)
    const [runDir = ''] = rig.runFolders()
    const { runnerPid } = await rig.state(runDir)
    assert.is.not(runnerPid, run.child.pid)
    process.kill(-run.child.pid!, 'SIGINT')
    // tsx kills a child that does not answer it within milliseconds, so the guard may have had to do it.
    assert.is((await run.ended).code, 130)
    await allGone([...family])
    const { status, done } = await rig.answer('status')
    assert.equal([status, done], ['interrupted', true])
    assert.ok((await rig.told('family-term')).length <= 1)

    // The same way detached: the runner's own process is the one that is named.
    const started = answerOf(await throughTsx(rig, link, plan, '--detach', '--json').ended)
    const [, ...second] = (await rig.named('family', 8)).slice(3)
    assert.match(await readFile(`/proc/${started.pid}/cmdline`, 'utf8').catch(() => 'runner.ts'), 'runner.ts')
    assert.is((await rig.state(started.runDir)).runnerPid, started.pid)
    assert.is((await rig.answer('stop')).status, 'stopped')
    await allGone(second)
  }, 120_000)

  test('a wrapper that is killed takes nothing with it: the run goes on and can be stopped', async () => {
    await using rig = await cliRig()
    await fakeFamily(rig)
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'family', args: ['family'] }] })
    await using run = throughTsx(rig, join(commandsFolder, 'run.ts'), plan, '--json')
    const family = await wholeFamily(rig, 'family', run)
    const [runDir = ''] = rig.runFolders()
    const runner = await identityAt((await rig.state(runDir)).runnerPid)
    killNow(await identityAt(run.child.pid!))
    assert.is((await rig.answer('status')).status, 'running')
    assert.is((await rig.answer('stop')).status, 'stopped')
    await allGone([...family, runner])
    assert.match((await run.ended).stdout, '"status":"stopped"')
  }, 120_000)
})
