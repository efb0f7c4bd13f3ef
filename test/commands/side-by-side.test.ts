import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { init, result, says } from '../kit/claude-lines.ts'
import { answerOf, cliRig, statuses } from '../kit/cli.ts'
import { gitAt, writeFiles } from '../kit/repo.ts'

suite('runs side by side', test => {
  test('two runs at once in one project do not disturb each other, and one is stopped without the other', async () => {
    await using rig = await cliRig()
    gitAt(rig.work, 'init', '-q')
    writeFiles(rig.work, { 'f.txt': 'one\n', 'plan-a.json': '', 'plan-b.json': '' })
    gitAt(rig.work, 'add', '-A')
    gitAt(rig.work, 'commit', '-q', '-m', 'Start')
    const pipe = join(rig.path, 'pipe')
    spawnSync('mkfifo', [pipe])
    await rig.fake('held', `told held $$; echo "$1" > own.txt; read -r line < '${pipe}'; cat own.txt`)
    const plan = (word: string, command: string): Promise<string> => rig.plan({ workers: [
      { id: 'same', command, args: [word], mode: 'write', isolate: true },
      { id: 'other', command: 'cat', mode: 'write', isolate: true },
    ] }, `plan-${word}.json`)
    await rig.fake('stays', `told stays $$; echo "$1" > own.txt; exec sleep 300`)
    await using one = rig.start('run', [await plan('a', 'held'), '--json'])
    await using two = rig.start('run', [await plan('b', 'stays'), '--json'])
    await rig.named('held', 1, one)
    await rig.named('stays', 1, two)
    const folders = rig.runFolders()
    const planOf = await Promise.all(folders.map(async folder => ({ folder, plan: (await rig.state(folder))['planPath'] })))
    const second = planOf.find(each => each.plan === join(rig.work, 'plan-b.json'))?.folder ?? ''
    assert.equal([folders.length, (await rig.answer('stop', [second])).status], [2, 'stopped'])
    assert.equal(statuses(answerOf(await two.ended))['same'], 'stopped')
    await writeFile(pipe, 'go\n')
    const answer = answerOf(await one.ended)
    assert.equal([answer.code, answer.status, statuses(answer)], [0, 'done', { same: 'succeeded', other: 'succeeded' }])
    const [same] = answer.workers as { diffStats?: unknown; worktree: string }[]
    assert.equal(same?.diffStats, { files: 1, added: 1, deleted: 0 })
    assert.ok(existsSync(same!.worktree))
    assert.is(gitAt(rig.work, 'status', '--porcelain', '--', 'f.txt', 'own.txt'), '')
  }, 120_000)

  test('a session that one worker is on cannot be resumed by another, which says so', async () => {
    await using rig = await cliRig()
    const pipe = join(rig.path, 'pipe')
    spawnSync('mkfifo', [pipe])
    await rig.fake('claude', `case "$1" in --help|--version) exit 0;; esac
told on $$; cat >/dev/null; read -r line < '${pipe}'
${[init, says('hello'), result()].map(line => `printf '%s\\n' '${line}'`).join('\n')}`)
    const plan = await rig.plan({ workers: [{ id: 'a', provider: 'claude', resume: 's1' }] })
    await using first = rig.start('run', [plan, '--json'])
    await rig.named('on', 1, first)
    const second = await rig.answer('run', [plan])
    assert.equal([second.code, second.status, statuses(second)], [1, 'failed', { a: 'failed error' }])
    assert.is((second.workers as { error?: string }[])[0]?.error, 'Cannot resume session "s1": another worker is on it')
    assert.is((await rig.told('on')).length, 1)
    await writeFile(pipe, 'go\n')
    assert.is(answerOf(await first.ended).status, 'done')

    await using third = rig.start('run', [plan, '--json'])
    await rig.named('on', 2, third)
    await writeFile(pipe, 'go\n')
    assert.is(answerOf(await third.ended).status, 'done')
  }, 120_000)
})
