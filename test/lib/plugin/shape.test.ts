/** What a plugin file must export, and how a mistake in it is named. */
import { checkProvider } from '../../../lib/plugin/shape.ts'
import claude from '../../../plugins/providers/claude.ts'
import { assert, suite } from '../../kit/check.ts'

const reason = (plugin: unknown, id = 'claude'): string => {
  const checked = checkProvider(plugin, id)
  return checked.ok ? '' : checked.reason
}

suite('shape of a provider', test => {
  test('checkProvider() takes a provider and gives it back', () => {
    const checked = checkProvider(claude, 'claude')
    assert.is(checked.ok && checked.provider.invoke, claude.invoke)
  })

  test('checkProvider() names the field and what is wrong with it', () => {
    const { read: _, ...withoutRead } = claude
    assert.is(reason(withoutRead), '"read" has no value')
    assert.is(reason({ ...claude, invoke: 'claude' }), '"invoke": Expected a function')
    assert.is(reason({ ...claude, sumary: 'x' }), '"sumary" is not a field of a provider, did you mean "summary"?')
    assert.is(
      reason({ ...claude, can: { ...claude.can, resme: true } }),
      '"can.resme" is not a field of a provider, did you mean "resume"?',
    )
    assert.match(reason({ ...claude, api: 2 }), /^"api": /)
    assert.match(reason({ ...claude, stop: ['SIGKILL'] }), /^"stop.0": /)
    assert.match(reason({ ...claude, parentEnv: ['A=B'] }), /^"parentEnv.0": Expected the name of a variable/)
    assert.match(reason({ ...claude, id: 'Claude' }), /^"id": Expected lower-case letters/)
  })

  test('checkProvider() refuses what is no provider at all', () => {
    for (const plugin of [undefined, null, 3, 'x', () => claude]) {
      assert.is(reason(plugin), 'its default export is not a provider object')
    }
    assert.match(reason({}), /^"kind" has no value, .* and \d+ more$/)
  })

  test('checkProvider() wants the id to be the name of the file, and a prompt from the plan only for own commands', () => {
    assert.is(reason(claude, 'other'), 'its id is "claude", but the file is named "other"')
    assert.match(reason({ ...claude, can: { ...claude.can, promptVia: 'plan' } }), 'can.ownCommand')
  })
})
