import { Writable } from 'node:stream'
import { outletOf } from '../../../lib/cli/streams.ts'
import { assert, suite } from '../../kit/check.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })
const failing = (code: string): Writable => new Writable({ write: (_chunk, _encoding, done) => { done(failure(code)) } })

suite('streams', test => {
  test('write() resolves when the text is taken', async () => {
    const taken: string[] = []
    const slow = new Writable({ write: (chunk, _encoding, done) => {
      setImmediate(() => { taken.push(String(chunk)); done() })
    } })
    const outlet = outletOf(slow)
    await outlet.write('one')
    assert.equal(taken, ['one'])
    assert.is(outlet.fault, undefined)
  })

  test('a reader that is gone is no fault, now and later', async () => {
    for (const code of ['EPIPE', 'EIO']) {
      const outlet = outletOf(failing(code))
      await outlet.write('one')
      await outlet.write('two')
      assert.is(outlet.fault, undefined, code)
    }
  })

  test('a full disk is a fault as soon as the write is over, also when it is thrown', async () => {
    const outlet = outletOf(failing('ENOSPC'))
    await outlet.write('one')
    assert.is(outlet.fault, 'ENOSPC')
    const throwing = outletOf(Object.assign(new Writable(), { write: () => { throw failure('ENOSPC') } }))
    await throwing.write('one')
    assert.is(throwing.fault, 'ENOSPC')
  })
})
