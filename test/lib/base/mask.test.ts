import { maskDeep, maskFor, secretNames } from '../../../lib/base/mask.ts'
import { assert, suite } from '../../kit/check.ts'

suite('mask', test => {
  const env = { MY_API_KEY: 'abcdef-123456', GITHUB_TOKEN: 'tok-abcdef-123456-x', SHORT_KEY: 'abc', KEY_PATH: '/etc/some/key', HOME: '/home/me', EMPTY_TOKEN: '' }

  test('secretNames() names credentials by their variables and nothing else', () => {
    assert.equal(secretNames(env), ['GITHUB_TOKEN', 'MY_API_KEY', 'SHORT_KEY'])
  })

  test('maskFor() replaces values by the variable that holds them, the longer first', () => {
    assert.is(maskFor(env)('a abcdef-123456 b tok-abcdef-123456-x'), 'a [MY_API_KEY] b [GITHUB_TOKEN]')
  })

  test('maskFor() leaves values alone that are too short to tell from words', () => {
    assert.is(maskFor(env)('abc'), 'abc')
  })

  test('maskFor() hides passwords in URLs and keys of known shapes', () => {
    assert.is(maskFor({})('https://user:pass@host/x sk-ant-api03-aaaaaaaaaaaaaaaaaaaa'), 'https://user:[secret]@host/x [secret]')
  })

  test('maskDeep() reaches every string and keeps the shape', () => {
    assert.equal(maskDeep({ a: ['x abcdef-123456', 1, null], b: { c: true } }, maskFor(env)), { a: ['x [MY_API_KEY]', 1, null], b: { c: true } })
  })
})
