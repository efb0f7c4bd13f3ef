import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { assert, suite } from '../kit/check.ts'
import { cliRig, commandFile } from '../kit/cli.ts'
import { startProgram } from '../kit/command.ts'
import { fixtureInTs } from '../kit/programs.ts'

/** Words that put what follows into a namespace of its own, where a wrong signal can end nobody else. */
const apart = [process.getuid?.() === 0 ? '-pf' : '-Urpf', '--mount-proc']
const canBeApart = process.platform === 'linux' && spawnSync('unshare', [...apart, 'true']).status === 0

interface Line { name: string; seen: string; notes: number; status: string; ended: number; unverifiable: string[]; alive: boolean }

suite('records that name strangers', test => {
  const title = 'are never signalled, whatever they hold, and are told where they cannot be told apart'
  if (!canBeApart) test.skip(title, 'a mistake would end the user\'s processes, and no process namespace can be made here')
  else test(title, async () => {
    await using rig = await cliRig()
    await mkdir(rig.runs, { mode: 0o700 })
    // A group whose leader is the first process: a signal to it would go to everybody.
    const shell = ['sh', '-c', '"$@"; exit $?', 'sh']
    const words = [...apart, 'setsid', ...shell, ...shell, process.execPath, ...fixtureInTs('strangers.ts'), rig.runs, commandFile('stop')]
    await using driver = startProgram('unshare', words, rig.setup())
    const { code, stdout, stderr } = await driver.ended
    assert.equal([code, stderr], [0, ''], stdout)
    const lines = stdout.trimEnd().split('\n').map(line => JSON.parse(line) as Line)
    const end = lines.pop()
    assert.ok(lines.every(({ alive }) => alive), stdout)
    for (const { name, seen, notes, status, ended, unverifiable } of lines) {
      const told = unverifiable.length > 0
      if (name.startsWith('no pid') || name.startsWith('no process') || name.startsWith('another')) {
        assert.equal([name, seen, notes, status, ended, told], [name, 'interrupted', 0, 'interrupted', 0, false])
      } else if (name.startsWith('no start') || name === 'our pid alone') {
        assert.equal([name, seen, notes, status, ended, unverifiable], [name, 'running', 1, 'running', 0, ['the runner', 'w']])
      }
    }
    const byName = new Map(lines.map(line => [line.name, line]))
    for (const name of ['ourselves', 'our parent']) assert.equal([byName.get(name)?.ended, byName.get(name)?.unverifiable], [0, ['w']], name)
    assert.equal([byName.get('recorded')?.ended, end], [1, { name: 'end', ended: true }])
    assert.is(lines.length, 28)
  }, 120_000)
})
