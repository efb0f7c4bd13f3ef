import { Ticker } from '../../../lib/run/ticker.ts'
import { assert, suite } from '../../kit/check.ts'
import { until } from '../../kit/until.ts'

suite('Ticker', test => {
  test('calls each look again and again until it is taken away', async () => {
    let [a, b] = [0, 0]
    const ticker = new Ticker(error => { throw error })
    const leaveA = ticker.add(() => { a++; return Promise.resolve() })
    const leaveB = ticker.add(() => { b++; return Promise.resolve() })
    await until(() => a >= 2 && b >= 2)
    leaveA()
    const then = a
    await until(() => b >= 4)
    assert.is(a, then)
    leaveB()
  })

  test('never calls a look that has not come back', async () => {
    let [slow, quick] = [0, 0]
    const ticker = new Ticker(error => { throw error })
    const leave = [ticker.add(() => { slow++; return new Promise(() => undefined) }), ticker.add(() => { quick++; return Promise.resolve() })]
    await until(() => quick >= 3)
    assert.is(slow, 1)
    leave.forEach(each => { each() })
  })

  test('tells of a look that failed and goes on', async () => {
    const faults: unknown[] = []
    const ticker = new Ticker(error => faults.push(error))
    const leave = ticker.add(() => Promise.reject(new Error('look')))
    await until(() => faults.length >= 2)
    leave()
  })
})
