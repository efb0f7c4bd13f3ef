/** Workers do their work themselves: no request offers the model a tool that starts an agent, a timer or work elsewhere. */
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, clis, codex } from './install.ts'
import { toolsOffered } from './look.ts'
import type { Asked } from './model-server.ts'

/** Tools with one of these names, or a word in it, start agents, timers or work elsewhere. Listing and ending them stays allowed. */
const agents = /^(?:Task|Agent|Workflow|SendMessage|CronCreate|ScheduleWakeup|EnterWorktree)$|spawn|delegate|sub-?agent|multi_agent/i

/** Names of tools that a model must search for before it can use them: Claude lists them in a reminder. */
const deferred = (asked: readonly Asked[]): string[] =>
  asked.flatMap(({ raw }) => [...raw.matchAll(/before calling them:((?:\\n\w+)+)/g)].flatMap(([, names = '']) => names.split('\\n').slice(1)))

/** What the model could start agents or later work with. */
const agentTools = (asked: readonly Asked[]): string[] => [...toolsOffered(asked), ...deferred(asked)].filter(name => agents.test(name))

realSuite('subagents', test => {
  for (const mode of ['read-only', 'write']) {
    test(`a ${mode} worker is offered none`, clis, async (rig, cli) => {
      const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, mode, ...(mode === 'write' ? { isolate: true } : {}), task: '[[say alone]]' }] })
      assert.is(ran.status, 'done')
      assert.ok(toolsOffered(rig.serverOf(cli).asked).length > 0)
      assert.equal(agentTools(rig.serverOf(cli).asked), [])
      assert.not.match(rig.openai.asked.map(({ raw }) => raw).join(), /multi_agent/)
    })
  }

  test('the bare CLI offers some, so that the tests above can fail', claudes, async rig => {
    await rig.bare('claude', ['--print', '--model', 'claude-sonnet-4-5'], '[[say hi]]')
    const offered = agentTools(rig.anthropic.asked)
    for (const name of ['Agent', 'Workflow', 'SendMessage', 'CronCreate']) assert.ok(offered.includes(name), offered.join())
  })

  test('the bare CLI offers some, so that the tests above can fail', [codex], async rig => {
    await rig.bare('codex', ['exec', '--json', '-'], '[[say hi]]')
    // It searches for them among its tools.
    assert.match(rig.openai.asked.map(({ raw }) => raw).join(), /multi_agent_v1: Tools for spawning and managing sub-agents/)
  })
})
