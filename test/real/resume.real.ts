/** Going on in the session of an earlier outcome: the same id, the history on the way to the model, and this run's tokens alone. */
import { assert } from '../kit/check.ts'
import { claudeAnswerUsd, claudeTokens } from './anthropic.ts'
import { realSuite } from './each.ts'
import { claudes, clis, codex } from './install.ts'
import { userTexts } from './look.ts'
import { codexTokens } from './openai.ts'
import type { Rig } from './rig.ts'

const firstTask = '[[say I remember the parrot]]'

async function twice(rig: Rig, provider: string): Promise<Awaited<ReturnType<Rig['run']>>[]> {
  const first = await rig.run({ workers: [{ id: 'a', provider, task: firstTask }] })
  const resume = first.outcome('a').sessionId
  assert.ok(resume)
  return [first, await rig.run({ workers: [{ id: 'b', provider, task: '[[say once more]]', resume }] })]
}

realSuite('resume', test => {
  test('the session goes on with its history under the same id', clis, async (rig, cli) => {
    const [first, second] = await twice(rig, cli.program)
    assert.equal([second!.code, second!.outcome('b').status, second!.outcome('b').workerSummary], [0, 'succeeded', 'once more'])
    assert.is(second!.outcome('b').sessionId, first!.outcome('a').sessionId)
    assert.ok(userTexts(rig.serverOf(cli).asked).some(text => text.includes(firstTask)))
    assert.match(rig.serverOf(cli).asked.at(-1)!.raw, 'SUMMARY: I remember the parrot')
  })

  test('the tokens of a resumed thread are the difference to its earlier total', [codex], async rig => {
    const [first, second] = await twice(rig, 'codex')
    const each = { inputTokens: codexTokens.input - codexTokens.cached, cacheReadTokens: codexTokens.cached, cacheWriteTokens: 0, outputTokens: codexTokens.output }
    assert.equal(first!.outcome('a').metrics.usage, each)
    assert.equal(second!.outcome('b').metrics.usage, each)
    assert.equal(second!.outcome('b').metrics.sessionUsage, Object.fromEntries(Object.entries(each).map(([name, tokens]) => [name, tokens * 2])))
  })

  test('the tokens and the cost of a resumed session are those of this run', claudes, async rig => {
    const [, second] = await twice(rig, 'claude')
    const { usage, totalCostUsd } = second!.outcome('b').metrics
    const { input, cacheRead, cacheWrite, output } = claudeTokens
    assert.equal(usage, { inputTokens: input, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite, outputTokens: output })
    assert.ok(Math.abs(totalCostUsd! - claudeAnswerUsd) < 1e-9, `${totalCostUsd}`)
  })

  test('a session that the CLI does not know is a failed worker that names it', clis, async (rig, cli) => {
    const resume = '99999999-9999-4999-8999-999999999999'
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[say hello]]', resume }] })
    const { status, error = '', sessionId } = ran.outcome('a')
    assert.equal([ran.code, status], [1, 'failed'])
    assert.match(error, resume)
    // An id that never was one must not be offered for the next resume by Claude, which prints it all the same.
    if (cli.program === 'claude') assert.is(sessionId, undefined)
  })
})
