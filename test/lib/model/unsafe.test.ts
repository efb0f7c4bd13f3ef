import { unsafeWord } from '../../../lib/model/unsafe.ts'
import { assert, suite } from '../../kit/check.ts'

suite('model/unsafe', test => {
  const unsafe: [string, string?][] = [
    ['--dangerously-skip-permissions'], ['--dangerously-bypass-approvals-and-sandbox'], ['--dangerously-anything-new'],
      ['--yolo'], ['--full-auto'],
    ['--force'], ['--allow-all-tools'], ['--always-approve'], ['--skip-permissions-unsafe'], ['bypassPermissions'],
      ['danger-full-access'],
    ['--yolo=true', '--yolo=true'], ['--YOLO', '--yolo'],
      ['--permission-mode=bypassPermissions', '--permission-mode=bypasspermissions'],
    ['--sandbox=danger-full-access'], ['--agent-args=--yolo'], ['sandbox_mode="danger-full-access"', 'danger-full-access'],
      ['DANGER-FULL-ACCESS', 'danger-full-access'],
    ['--dangerously_skip_permissions'], ['agent --force "$1"', '--force'], ['x;agent --yolo', '--yolo'],
      ['{"defaultMode":"bypassPermissions"}', 'bypasspermissions'],
  ]
  for (const [arg, word] of unsafe) test(`unsafeWord() finds ${arg}`,
    () => { assert.is(unsafeWord(arg), word ?? arg.toLowerCase()) })

  const safe = ['--force-color', '--no-force', '--forced', '-f', 'force', '--print', '--mode=plan', '--permission-mode',
    'acceptEdits', '--note=--x', '', '--full-automatic', 'yolo']
  for (const arg of safe) test(`unsafeWord() lets "${arg}" pass`, () => { assert.is(unsafeWord(arg), undefined) })
})
