import { planWarnings } from '../../../lib/model/plan-warnings.ts'
import { settlePlan } from '../../../lib/model/planned.ts'
import { assert, suite } from '../../kit/check.ts'
import { type Change, checkedPlan, factsFor, planOf, planWith, providers, worker } from '../../kit/plans.ts'

const warnings = (plan: Change, dirty: readonly string[] = []): string[] =>
  planWarnings(settlePlan(checkedPlan(plan), factsFor(plan)), { providers, dirty: new Set(dirty) })
/** Of one worker that has a model, so that nothing else is to be said. */
const of = (change: Change, dirty: readonly string[] = []): string[] => warnings(planOf(worker({ model: 'm', ...change })), dirty)

suite('model/plan-warnings', test => {
  const quiet = { mode: 'write', isolate: true, allowCommands: ['npm test'] }
  const cases: [string, string[], RegExp | null][] = [
    ['nothing about a plain worker', of({}), null],
    ['nothing about an isolated writer with commands', of(quiet), null],
    ['that an idle time-out is ignored', of({ provider: 'eager', ...quiet, allowCommands: [], idleTimeoutSeconds: 500 }),
      /^w1: eager prints nothing before its end/],
    ['that an idle time-out is short', of({ idleTimeoutSeconds: 59 }), /^w1: idleTimeoutSeconds 59 may end it .* at least 60$/],
    ['nothing about an idle time-out of 60 s', of({ idleTimeoutSeconds: 60 }), null],
    ['nothing about a short idle time-out of an own command',
      of({ provider: 'own', command: 'run', idleTimeoutSeconds: 5, mode: 'write' }), null],
    ['that the model is the default', of({ model: undefined }), /^w1: runs on full's default model/],
    ['nothing of the model of an own command, which need not have one',
      of({ provider: 'own', command: 'run', model: undefined, mode: 'write' }), null],
    ['that mcp changes nothing where servers cannot be kept off', of({ provider: 'own', command: 'run', mode: 'write', mcp: true }),
      /^w1: mcp: true changes nothing on own/],
    ['that read-only is only asked for', of({ provider: 'own', command: 'run' }), /^w1: own cannot be kept from writing/],
    ['that a writer runs no commands', of({ mode: 'write', isolate: true }),
      /^w1: may edit files but run no commands .* allowCommands$/],
    ['that a shared writer must be isolated for commands', of({ mode: 'write' }), /allowCommands and set isolate: true$/],
    ['that MCP is mentioned', of({ task: 'Use the MCP server' }), /^w1: the task mentions MCP/],
    ['nothing about MCP when it is on', of({ task: 'Use the MCP server', mcp: true }), null],
    ['nothing about MCP inside a word', of({ task: 'See lib/mcpish.ts' }), null],
    ['nothing about MCP where it cannot be turned off', of({ provider: 'own', command: 'run', mode: 'write', task: 'mcp' }),
      null],
    ['that a checkout is dirty', of({ provider: 'metered', mode: 'write' }, ['/place']),
      /^w1: writes in a checkout with uncommitted changes/],
    ['nothing about a dirty checkout of an isolated writer', of(quiet, ['/place']), null],
    ['nothing about a dirty checkout of a reader', of({}, ['/place']), null],
  ]
  for (const [title, actual, expected] of cases) {
    test(`planWarnings() tells ${title}`, () => {
      assert.is(actual.length, expected ? 1 : 0, actual.join('\n'))
      if (expected) assert.match(actual[0] ?? '', expected)
    })
  }

  const priced = (...workers: Change[]): string[] =>
    warnings(planWith({ workers, budget: { maxReportedCostUsd: 1, unknownCost: 'allow' } })).filter(text =>
      text.includes('maxReportedCostUsd'))

  test('planWarnings() names who reports no cost under a cost limit', () => {
    assert.equal(priced(worker({ id: 'a', provider: 'metered' }), worker({ id: 'b', provider: 'metered' }), worker({ id: 'c' })),
      ['maxReportedCostUsd sees only cost that is reported, and metered reports none: '
        + 'limit it with costCapUsd, maxReportedTokens or maxCalls'])
    assert.match(priced(worker({ id: 'a', provider: 'metered' }), worker({ id: 'b', provider: 'own', command: 'run' }))[0] ?? '',
      /metered, run report none: limit them/)
  })

  test('planWarnings() says nothing about cost that is capped, reported or not limited', () => {
    assert.equal(priced(worker({ provider: 'metered', costCapUsd: 1 })), [])
    assert.equal(priced(worker()), [])
    assert.equal(warnings(planOf(worker({ provider: 'metered', model: 'm' }))), [])
  })

  const small = (...tasks: string[]): number =>
    warnings(planOf(...tasks.map((task, n) => worker({ id: `w${n}`, mode: 'write', isolate: true, task })))).filter(text =>
      text.includes('short tasks')).length
  const words = (count: number): string => 'word '.repeat(count)

  test('planWarnings() doubts two writers with at most 50 words each, contract not counted', () => {
    assert.equal([small(words(50), words(1)), small(words(50), words(51)), small(words(1))], [1, 0, 0])
  })
})
