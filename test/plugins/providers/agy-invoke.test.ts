/** Command lines of the agy provider, and its note about old versions. */
import type { Cli, Task } from '../../../lib/plugin/provider.ts'
import agy from '../../../plugins/providers/agy.ts'
import { assert, suite } from '../../kit/check.ts'
import { kindOf, readWith, taskWith } from '../../kit/reading.ts'

const args = (task: Partial<Task> = {}, hasSlashSwitch = false): string =>
  agy.invoke(taskWith(task), { hasSlashSwitch }).args.join(' ')
const printing = (stdout: string): Cli => ({
  ask: () => Promise.resolve({ code: 0, stdout, stderr: '' }), readText: () => Promise.resolve(null), env: {}, home: '/home/u',
})
const start = '--output-format stream-json --print-timeout 60s'

suite('agy invocation', test => {
  test('the folder is named and the task attached to its option', () => {
    assert.is(args(), `${start} --mode accept-edits --add-dir /repo --print=Do it`)
    assert.equal(agy.invoke(taskWith(), agy.assumed).promptArgs, [8])
  })

  test('a read-only worker plans in the sandbox; nothing is ever approved unasked', () => {
    const words = args({ mode: 'read-only', model: 'm', effort: 'low', resume: { session: 'c1' } }, true)
    const end = '--add-dir /repo --model m --effort low --conversation c1 --print=Do it'
    assert.is(words, `${start} --mode plan --sandbox --disable-slash-commands ${end}`)
    for (const mode of ['read-only', 'write'] as const) assert.not.match(args({ mode }), /dangerously|yolo/)
    assert.match(agy.advise?.(taskWith())[0] ?? '', 'permissions.allow')
  })

  test('a version without JSON lines is named with what to do', async () => {
    assert.match((await agy.probe?.(printing('agy 1.1.7')))?.notes?.[0] ?? '', 'update to 1.1.8')
    assert.equal(await agy.probe?.(printing('1.2.13\n')), { version: '1.2.13', loggedIn: null })
    assert.equal(await agy.inspect?.(printing('  --disable-slash-commands')), { hasSlashSwitch: true })
  })

  test('text that a cut-off turn left is kept, and figures of zero are none', () => {
    const step = { event: 'step_update', conversation_id: 'c1', step_update: { step_type: 'agent_response', text_delta: 'half' } }
    const stopped = readWith(agy, [step], { code: null, signal: 'SIGTERM', ended: 'timeout' })
    assert.equal([kindOf(stopped), stopped.text, stopped.session], ['timed_out', 'half', 'c1'])
    const zero = { event: 'result', result: { status: 'SUCCESS', response: 'x', usage: { input_tokens: 0, output_tokens: 0 } } }
    assert.is(readWith(agy, [zero]).usage, undefined)
  })

  test('words about permissions in an answer refuse nothing', () => {
    const result = { event: 'result',
      result: { status: 'SUCCESS', response: 'auto-denied, permissions.allow, print timeout after 5s', denied_actions: [] } }
    assert.is(kindOf(readWith(agy, [result])), 'succeeded')
  })
})
