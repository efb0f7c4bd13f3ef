/** Version numbers in what CLIs print. */
import { isOlder, versionIn } from '../../../lib/plugin/version.ts'
import { assert, suite } from '../../kit/check.ts'

suite('versions', test => {
  test('the number is found between other words', () => {
    const cases: [string, string | null][] = [
      ['codex-cli 0.171.0\n', '0.171.0'], ['GitHub Copilot CLI 1.0.102.\nmore', '1.0.102'], ['grok 1.0.41 (4220f3b)', '1.0.41'],
      ['0.0.1790142911-gabc (released x)', '0.0.1790142911-gabc'], ['', null], ['v2', null],
    ]
    for (const [printed, version] of cases) assert.is(versionIn(printed), version)
  })

  test('versions are compared by number', () => {
    assert.equal([['1.1.7', '1.1.8'], ['1.1.8', '1.1.8'], ['1.1.10', '1.1.8'], ['0.9.9', '1.0.0'], ['1.1.8-beta', '1.1.8'],
      ['2.0.0', '1.9.9']]
      .map(([have = '', need = '']) => isOlder(have, need)), [true, false, false, true, false, false])
  })
})
