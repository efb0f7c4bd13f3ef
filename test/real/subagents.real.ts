/** Workers do their work themselves: no request offers the model a tool that starts an agent, a timer or work elsewhere. */
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, clis, codex } from './install.ts'
import { toolsOffered } from './look.ts'

const agents = /agent|^task$|workflow|sendmessage|cron|schedulewakeup|enterworktree|spawn|delegate/i

/** Lists and searches, and starts nothing: kept by 2.1.332 whatever is disallowed. */
const harmless = ['ListAgents']

/** Names that the model can use to start agents or later work, in all requests. */
const agentTools = (asked: Parameters<typeof toolsOffered>[0]): string[] => toolsOffered(asked).filter(name => agents.test(name) && !harmless.includes(name))

realSuite('subagents', test => {
  for (const mode of ['read-only', 'write']) {
    test(`a ${mode} worker is offered none`, clis, async (rig, cli) => {
      const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, mode, ...(mode === 'write' ? { isolate: true } : {}), task: '[[say alone]]' }] })
      assert.is(ran.status, 'done')
      assert.ok(toolsOffered(rig.serverOf(cli).asked).length > 0)
      assert.equal(agentTools(rig.serverOf(cli).asked), [])
    })
  }

  test('the bare CLI offers some, so that the tests above can fail', claudes, async rig => {
    await rig.bare('claude', ['--print', '--model', 'claude-sonnet-4-5'], '[[say hi]]')
    assert.ok(agentTools(rig.anthropic.asked).includes('Agent'), toolsOffered(rig.anthropic.asked).join())
  })

  test('the bare CLI offers some, so that the tests above can fail', [codex], async rig => {
    await rig.bare('codex', ['exec', '--json', '-'], '[[say hi]]')
    assert.ok(agentTools(rig.openai.asked).length > 0, toolsOffered(rig.openai.asked).join())
  })
})
