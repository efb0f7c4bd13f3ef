/** Budgets and caps of a running wave. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
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
    const told = (await readdir(rig.host.home)).filter(name => name.startsWith('args-'))
    const lines = await Promise.all(told.map(name => readFile(join(rig.host.home, name), 'utf8')))
    assert.equal(lines.map(line => /--max-budget-usd[ =](\S+)/.exec(line)?.[1]), ['0.50', '0.50'])
  })

  test('a small rest is still told to a worker, although it would have to share it', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.001))
    const ran = await rig.run({ maxConcurrent: 4, strategy: 'parallel', budget: { maxReportedCostUsd: 0.03 }, workers: claudes('abcd') })
    assert.equal(statuses(ran), ['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    for (const worker of ran.workers) assert.ok((worker.costCapUsd ?? 0) >= 0.01)
  })

  test('a worker that must fit in whole waits until a running one gives money back', async () => {
    await using rig = await waveRig()
    const flag = join(rig.path, 'flag')
    const waits = `i=0; while [ ! -e '${flag}' ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); done; echo x`
    const ran = await rig.run({ maxConcurrent: 2, budget: { maxReportedCostUsd: 1 }, workers: [
      { id: 'first', command: 'no-such-program', costCapUsd: 0.8 },
      { id: 'long', command: 'sh', args: ['-c', waits], costCapUsd: 0.3 },
      { id: 'whole', command: 'sh', args: ['-c', `touch '${flag}'; echo x`], costCapUsd: 0.7 },
    ] })
    assert.equal(statuses(ran), ['not_installed', 'succeeded', 'succeeded'])
  })

  test('a CLI without an option that ends it at a cost is refused under a limit, unless its cap is given or unknown cost allowed', async () => {
    await using rig = await waveRig()
    await rig.fake('claude', billing(0.01).replace('--max-budget-usd <amount>', '--other <x>'))
    const error = await thrown(() => rig.run({ budget: { maxReportedCostUsd: 1 }, workers: claudes('ab') }))
    assert.is(error instanceof Fail && error.problem.code, 'budget.unknown-cost')
    assert.match(String(error), 'a, b')
    for (const [budget, more] of [[{ unknownCost: 'allow' }, {}], [{}, { costCapUsd: 0.5 }]]) {
      assert.equal(statuses(await rig.run({ budget: { maxReportedCostUsd: 1, ...budget }, workers: claudes('ab', more) })), ['succeeded', 'succeeded'])
    }
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
