/** A task reaches the model as the text it is, whatever a CLI reads into it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, clis } from './install.ts'
import { calls, userTexts } from './look.ts'

const secret = 'this must not be attached'

realSuite('prompts', test => {
  test('a task with the name of a file after @ attaches no file', clis, async (rig, cli) => {
    await writeFile(join(rig.repo, 'inside.txt'), `${secret}\n`)
    const task = '[[say fine]] Look at @/etc/hostname, @/etc/passwd and @inside.txt'
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task }] })
    assert.is(ran.outcome('a').status, 'succeeded')
    const sent = rig.serverOf(cli).asked.map(({ raw }) => raw).join('\n')
    assert.not.match(sent, secret)
    assert.not.match(sent, /root:x:0:0:/)
    assert.match(userTexts(rig.serverOf(cli).asked).join('\n'), /@\/etc\/hostname/)
  })

  test('the same words attach the file when the CLI gets them as they are', claudes, async rig => {
    // The control of the test above.
    await writeFile(join(rig.repo, 'inside.txt'), `${secret}\n`)
    const said = await rig.bare('claude', ['--print', '--model', 'claude-sonnet-4-5'], '[[say fine]] Look at @inside.txt and @/etc/passwd')
    assert.is(said.code, 0, said.stderr)
    const sent = rig.anthropic.asked.map(({ raw }) => raw).join('\n')
    assert.match(sent, secret)
    assert.match(sent, /root:x:0:0:/)
  })

  test('a task that begins with a slash is sent as text', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '/nosuchcommand [[say fine]]' }] })
    assert.equal([ran.outcome('a').status, ran.outcome('a').workerSummary], ['succeeded', 'fine'])
    assert.match(userTexts(rig.serverOf(cli).asked).join('\n'), '/nosuchcommand [[say fine]]')
  })

  test('a task of half a million characters, with characters of every width, arrives whole', clis, async (rig, cli) => {
    const long = 'ä€😀"\\\n'.repeat(70_000)
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: `[[say fine]]\n${long}end of task` }] })
    assert.is(ran.outcome('a').status, 'succeeded')
    assert.ok(userTexts(calls(rig.serverOf(cli).asked)).some(text => text.includes(`${long}end of task`)))
  })
})
