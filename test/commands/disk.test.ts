import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { allGone, answerOf, type CliRig, cliRig, commandFile, statuses } from '../kit/cli.ts'
import { type Ended, loaderArgs, startProgram } from '../kit/command.ts'

const isRoot = process.getuid?.() === 0
const canMount = isRoot && process.platform === 'linux' && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
const noMount = 'needs root and a mount namespace of its own'

const command = (name: string): string => [process.execPath, ...loaderArgs, commandFile(name)].map(word => `'${word}'`).join(' ')

/** Runs lines of sh in a mount namespace of their own, in which `mount` was done. */
const mounted = (rig: CliRig, mount: string, lines: readonly string[]): Promise<Ended> =>
  startProgram('unshare', ['-m', 'sh', '-c', [`${mount} || exit 99`, ...lines].join('\n')], rig.setup()).ended

suite('a disk that says no', test => {
  const title = 'when it is full ends the wave, keeps the last good state, leaves no temp file, and lets the run be shown and stopped'
  if (!canMount) test.skip(title, noMount)
  else test(title, async () => {
    await using rig = await cliRig()
    await mkdir(rig.runs, { mode: 0o700 })
    // Whatever becomes free is filled again.
    await rig.fake('flood', `told flood $$; cat >/dev/null; while :; do printf '%4096s' x 2>/dev/null || sleep 0.05; done`)
    const plan = await rig.plan({ maxConcurrent: 2, workers: [{ id: 'flood', command: 'flood' }, { id: 'other', command: 'sleep', args: ['300'] }, { id: 'late', command: 'cat' }] })
    const ended = mounted(rig, `mount -t tmpfs -o size=192k,mode=700 tmpfs '${rig.runs}'`, [
      `${command('run')} '${plan}' --json; echo "exit $?"`,
      `find '${rig.runs}' -name '*.tmp' | sed 's/^/left /'; find '${rig.runs}' -name state.json -exec cat {} + | tr -d '\\n'; echo`,
      `${command('status')} --json; echo "exit $?"`, `${command('stop')} --json; echo "exit $?"`,
      `find '${rig.runs}' -name '*.tmp' | sed 's/^/left /'`,
      `rm '${rig.runs}'/run-*/workers/flood/stdout.log; ${command('status')} --json; echo "exit $?"`,
    ])
    const flood = await rig.named('flood', 1)
    const { stdout, stderr } = await ended
    await allGone(flood, 1_000)
    assert.is(stderr, '')
    const [run = '', runExit, state = '', status = '', statusExit, stop = '', stopExit, after = '', afterExit] = stdout.trimEnd().split('\n')
    const { error } = answerOf({ code: 1, signal: null, stdout: `${run}\n`, stderr })
    assert.equal([runExit, error?.code], ['exit 1', 'run.no-space'])
    assert.ok(error?.message.includes(rig.runs))
    // Also no line that tells of a temp file stands before it.
    assert.equal(Object.keys((JSON.parse(state) as { workers: object }).workers), ['flood', 'other', 'late'])
    const seen = answerOf({ code: 0, signal: null, stdout: `${status}\n`, stderr })
    assert.equal([statusExit, seen.status, seen.notes.length], ['exit 0', 'interrupted', 1])
    assert.match(seen.notes[0] ?? '', /ENOSPC/)
    const stopped = answerOf({ code: 0, signal: null, stdout: `${stop}\n`, stderr })
    assert.equal([stopExit, stopped.status], ['exit 0', 'interrupted'])
    // With some space again it is settled.
    const settled = answerOf({ code: 0, signal: null, stdout: `${after}\n`, stderr })
    assert.equal([afterExit, settled.status, settled.notes, statuses(settled)['late']], ['exit 0', 'interrupted', [], 'interrupted'])
  }, 120_000)

  test('at the home of runs is named with its path before anything is started', async () => {
    await using rig = await cliRig()
    await rig.fake('never', 'told never $$')
    const plan = await rig.plan({ workers: [{ id: 'a', command: 'never' }] })
    await writeFile(join(rig.path, 'file'), '')
    const env = { ALETHE_ORCHESTRATE_HOME: join(rig.path, 'file', 'runs') }
    const [json, text] = await Promise.all([rig.answer('run', [plan, '--detach'], { env }), rig.run('run', [plan], { env })])
    assert.equal([json.code, json.error?.code, json.error?.['systemCode']], [2, 'run.unwritable', 'ENOTDIR'])
    assert.equal([text.code, text.stdout], [2, ''])
    assert.ok(text.stderr.startsWith(`error: Cannot keep a run in "${env.ALETHE_ORCHESTRATE_HOME}`), text.stderr)
    assert.equal(await rig.told('never'), [])
  }, 120_000)

  const closed = 'that may not be written is named with its path and why, and nothing hangs'
  if (isRoot && !canMount) test.skip(closed, noMount)
  else test(closed, async () => {
    await using rig = await cliRig()
    // A CLI that cannot keep its own files hangs.
    await rig.fake('claude', `case "$1" in --help|--version) exit 0;; esac; told never $$; exec sleep 300`)
    const plan = await rig.plan({ workers: [{ id: 'a', provider: 'claude' }] })
    const home = join(rig.path, 'home')
    const env = { ALETHE_ORCHESTRATE_HOME: join(home, '.config', 'runs') }
    let ended: Ended
    if (isRoot) {
      ended = await mounted(rig, `mount --bind '${home}' '${home}' && mount -o remount,bind,ro '${home}'`, [`ALETHE_ORCHESTRATE_HOME='${env.ALETHE_ORCHESTRATE_HOME}' ${command('run')} '${plan}' --json`])
    } else {
      await chmod(home, 0o555)
      ended = await rig.run('run', [plan, '--json'], { env })
      await chmod(home, 0o755)
    }
    const { code, error } = answerOf(ended)
    assert.equal([code, error?.code, error?.['systemCode']], [2, 'run.unwritable', isRoot ? 'EROFS' : 'EACCES'])
    assert.ok(error?.message.includes(home), error?.message)
    assert.equal([await rig.told('never'), await readdir(home)], [[], []])
  }, 120_000)
})
