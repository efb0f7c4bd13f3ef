import { mapLimited } from '../../../lib/base/pool.ts'
import { assert, suite, thrown } from '../../kit/check.ts'

suite('mapLimited', test => {
  test('mapLimited() keeps the order and never runs more than the limit', async () => {
    let running = 0
    let most = 0
    const results = mapLimited([1, 2, 3, 4, 5, 6, 7], 3, async item => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return item * 10
    })
    assert.equal(await results, [10, 20, 30, 40, 50, 60, 70])
    assert.is(most, 3)
  })

  test('mapLimited() of nothing is nothing, and a failure rejects', async () => {
    assert.equal(await mapLimited([], 3, () => Promise.resolve(1)), [])
    const fault = new Error('bad')
    assert.is(await thrown(() => mapLimited([1, 2], 1, () => Promise.reject(fault))), fault)
  })
})
