/** Budgets and caps of a running wave. */
import { assert, suite } from '../../kit/check.ts'
import { init, result, says } from '../../kit/claude-lines.ts'
import { waveRig } from '../../kit/wave.ts'

/** A program that stands for claude: lists its cost cap in `--help`, notes what it was told, and bills `cost`. */
const billing = (cost: number): string => `case "$1" in --help) echo '  --max-budget-usd <amount>  x'; exit 0;; esac
cat >/dev/null
echo "$@" > "$HOME/args-$$"
printf '%s\\n' '${init}' '${says('hello')}' '${result({ total_cost_usd: cost, usage: { input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 20 } })}'`
const claudes = (ids: string, more: object = {}): Record<string, unknown>[] => ids.split('').map(id => ({ id, provider: 'claude', ...more }))
const statuses = (ran: { workers: readonly { status: string; failureKind?: string }[] }): string[] => ran.workers.map(worker => worker.failureKind ?? worker.status)

suite('wave budget', test => {
  test('maxCalls lets so many start and skips the rest', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ budget: { maxCalls: 2 }, workers: ['a', 'b', 'c'].map(id => ({ id, command: 'cat' })) })
    assert.equal(statuses(ran), ['succeeded', 'succeeded', 'budget'])
    assert.is(ran.budgetUsage['calls'], 2)
    assert.match(ran.outcome('c').error ?? '', 'maxCalls 2')
  })

  test('reported cost ends the wave when it is used up', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.6))
    const ran = await rig.run({ maxConcurrent: 1, budget: { maxReportedCostUsd: 1 }, workers: claudes('abc') })
    assert.equal(statuses(ran), ['succeeded', 'succeeded', 'budget'])
    assert.is(ran.budgetUsage['reportedCostUsd'], 1.2)
  })

  test('each worker is told its share, never zero, and the outcome says so', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.01))
    const ran = await rig.run({ maxConcurrent: 2, budget: { maxReportedCostUsd: 1 }, workers: claudes('ab') })
    assert.equal([ran.outcome('a').costCapUsd, ran.outcome('b').costCapUsd], [0.5, 0.5])
  })

  test('a worker\'s own cap holds without a budget', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.01))
    assert.is((await rig.run({ workers: claudes('a', { costCapUsd: 0.25 }) })).outcome('a').costCapUsd, 0.25)
  })

  test('reported tokens leave cache reads out, total tokens count them', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.01))
    const run = async (budget: object): Promise<string[]> => statuses(await rig.run({ maxConcurrent: 1, budget, workers: claudes('ab') }))
    assert.equal(await run({ maxReportedTokens: 121 }), ['succeeded', 'succeeded'])
    assert.equal(await run({ maxReportedTokens: 120 }), ['succeeded', 'budget'])
    assert.equal(await run({ maxTotalTokens: 1000 }), ['succeeded', 'budget'])
  })

  test('wall time ends what runs and skips what waits', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ maxConcurrent: 1, budget: { maxWallSeconds: 1 }, workers: [{ id: 'a', command: 'sleep', args: ['60'] }, { id: 'b', command: 'cat' }] })
    assert.equal(statuses(ran), ['timed_out', 'budget'])
    assert.ok(ran.outcome('a').durationSeconds < 10)
  })

  test('a program that never started is not a call', async () => {
    await using rig = await waveRig()
    const ran = await rig.run({ maxConcurrent: 1, budget: { maxCalls: 1 }, workers: [{ id: 'a', command: 'no-such-program' }, { id: 'b', command: 'cat' }] })
    assert.equal(statuses(ran), ['not_installed', 'succeeded'])
  })

  test('under concurrency no more starts than the budget allows', async () => {
    await using rig = await waveRig()
    const policy = await rig.policy({ maxWorkers: 100, maxConcurrent: 16 })
    const ran = await rig.run({ strategy: 'research', maxConcurrent: 16, budget: { maxCalls: 10 }, workers: Array.from({ length: 40 }, (_, i) => ({ id: `w${i}`, command: 'cat' })) }, { policy })
    assert.is(statuses(ran).filter(status => status === 'succeeded').length, 10)
    assert.is(ran.budgetUsage['calls'], 10)
  })
}, 60_000)
