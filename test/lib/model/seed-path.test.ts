import { safeSeedPath } from '../../../lib/model/seed-path.ts'
import { assert, suite } from '../../kit/check.ts'

const plain: readonly (readonly [string, string])[] = [
  ['src', 'src'], ['src/', 'src'], ['./src//a.ts', 'src/a.ts'], ['src\\win\\a.ts', 'src/win/a.ts'], ['.', '.'], ['.env', '.env'],
  ['..odd/a', '..odd/a'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx'], ['über é ☃', 'über é ☃'], ['a b', 'a b'], ['.github/x', '.github/x'],
  ['ab:c', 'ab:c'],
]

suite('safeSeedPath', test => {
  test('safeSeedPath() gives plain paths in one form', () => {
    for (const [path, result] of plain) assert.is(safeSeedPath(path), result, path)
  })

  test('safeSeedPath() takes no path that is empty, absolute, leads out or into .git, or is a pattern', () => {
    const paths = [
      '', '  ', '/', '//x', '/etc', '\\\\server\\x', 'C:\\x', 'c:x', '..', 'a/../b', 'a\\..\\b', '.git', '.GIT/config',
      'sub/.git/hooks',
      '*.ts', 'a?b', ':(top)x', 'a\0b', 'a\nb', 'a\u007f',
    ]
    for (const path of paths) {
      assert.is(safeSeedPath(path), null, JSON.stringify(path))
    }
  })
})
