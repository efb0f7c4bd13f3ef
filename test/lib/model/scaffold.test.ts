import { Fail } from '../../../lib/base/fail.ts'
import type { Plan } from '../../../lib/model/plan.ts'
import { scaffold, type ScaffoldWish } from '../../../lib/model/scaffold.ts'
import { strategies } from '../../../lib/model/strategy.ts'
import { assert, suite } from '../../kit/check.ts'
import { providers, shortly } from '../../kit/plans.ts'

const make = (wish: Partial<ScaffoldWish>): Plan =>
  scaffold({ strategy: 'balanced', workers: 2, cwd: '/place', provider: 'full', ...wish }, providers)
const refused = (wish: Partial<ScaffoldWish>): string => {
  try {
    make(wish)
  } catch (error) {
    if (error instanceof Fail) return `${error.problem.code}: ${error.message}`
    throw error
  }
  return 'made'
}

suite('model/scaffold', test => {
  test('scaffold() makes a plan that validates, for every strategy and provider that fit', () => {
    let made = 0
    for (const strategy of Object.keys(strategies)) {
      for (const { id } of [...providers, { id: 'auto' }]) {
        const wish = { strategy, provider: id, workers: strategy === 'economy' || strategy === 'rescue' ? 1 : 2 }
        if (refused(wish) !== 'made') continue
        made++
        assert.equal(shortly({ ...make(wish) }), [], `${strategy} ${id}`)
      }
    }
    // No rescue by auto, bare and own; no research by eager.
    assert.is(made, 7 * 6 - 3 - 1)
  })

  test('scaffold() fills in ids, folder and a task to write', () => {
    assert.equal(make({}), { version: 1, strategy: 'balanced', workers: [1, 2].map(n => ({
      provider: 'full', cwd: '/place', mode: 'read-only', id: `worker-${n}`,
      task: 'TODO: one bounded unit - goal, definition of done, owned paths, rules, checks.',
    })) })
  })

  test('scaffold() makes one worker of economy for auto, whatever was asked', () => {
    const { strategy, workers } = make({ strategy: 'auto', workers: 9 })
    assert.equal([strategy, workers.length], ['economy', 1])
  })

  test('scaffold() isolates writers of parallel, names a session to fill in, and a program where the plan gives it', () => {
    assert.ok(make({ strategy: 'fanout' }).workers.every(({ mode, isolate }) => mode === 'write' && isolate))
    assert.is(make({ strategy: 'rescue', workers: 1 }).workers[0]?.resume, 'TODO-session-id')
    assert.is(make({ provider: 'own' }).workers[0]?.command, 'TODO-executable')
  })

  const cases: [Partial<ScaffoldWish>, string][] = [
    [{ strategy: 'x' }, 'usage.bad-value: There is no strategy "x"'],
    [{ provider: 'x' }, 'provider.unknown: There is no provider "x"'],
    [{ workers: 0 }, 'usage.bad-value: Strategy "balanced" takes 1 to 6 workers, not 0'],
    [{ workers: 7 }, 'usage.bad-value: Strategy "balanced" takes 1 to 6 workers, not 7'],
    [{ workers: 1.5 }, 'usage.bad-value: Strategy "balanced" takes 1 to 6 workers, not 1.5'],
    [{ strategy: 'economy' }, 'usage.bad-value: Strategy "economy" takes exactly 1 worker, not 2'],
    [{ strategy: 'rescue', workers: 1, provider: 'auto' },
      'usage.missing-value: Cannot scaffold a rescue: the provider that the session belongs to must be named'],
    [{ strategy: 'rescue', workers: 1, provider: 'bare' },
      'provider.cannot: Cannot scaffold a rescue: bare cannot resume a session'],
    [{ strategy: 'research', provider: 'eager' }, 'provider.cannot: Cannot scaffold research on eager: it cannot work read-only'],
  ]
  for (const [wish, expected] of cases) test(`scaffold() refuses ${JSON.stringify(wish)}`,
    () => { assert.is(refused(wish), expected) })
})
