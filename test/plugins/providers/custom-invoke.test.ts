/** Command lines of custom workers: placeholders, and the task byte for byte. */
import type { Invocation, OwnCommand, Task } from '../../../lib/plugin/provider.ts'
import custom from '../../../plugins/providers/custom.ts'
import { assert, suite } from '../../kit/check.ts'
import { taskWith } from '../../kit/reading.ts'

const plainOwn: OwnCommand = { command: 'tools/agent', args: [], promptTransport: 'stdin', outputFormat: 'text',
  allowUnsafe: false }
const invoke = (own: Partial<OwnCommand> = {}, task: Partial<Task> = {}): Invocation =>
  custom.invoke(taskWith({ ...task, own: { ...plainOwn, ...own } }), null)

suite('custom invocation', test => {
  test('the task goes by stdin, or as the last argument, without a byte added', () => {
    const prompt = ' {cwd} a\r\n\u0000b $& é\u{1F600}\n'
    assert.equal(invoke({ args: ['-x'] }, { prompt }), { file: 'tools/agent', args: ['-x'], promptArgs: [], stdin: prompt })
    const last = invoke({ args: ['-x'], promptTransport: 'argument' }, { prompt })
    assert.equal(last, { file: 'tools/agent', args: ['-x', prompt], promptArgs: [1], stdin: '' })
  })

  test('{prompt} puts the task where it stands, by either transport, and nowhere else', () => {
    for (const promptTransport of ['stdin', 'argument'] as const) {
      const { args, promptArgs, stdin } = invoke({ args: ['--task={prompt}', '--end'], promptTransport },
        { prompt: 'see {cwd} and {prompt} and $1' })
      assert.equal({ args, promptArgs, stdin },
        { args: ['--task=see {cwd} and {prompt} and $1', '--end'], promptArgs: [0], stdin: '' })
    }
  })

  test('{cwd} and {result} are filled in, other words in braces stay', () => {
    const { args, answerFile } = invoke({ args: ['{cwd}/x', '--out', '{result}', '{other}', '{}'] })
    assert.equal(args, ['/repo/x', '--out', '/run/w/answer.txt', '{other}', '{}'])
    assert.is(answerFile, 'answer.txt')
    assert.is(invoke({ args: ['{cwd}'] }).answerFile, undefined)
  })

  test('a folder that looks like a placeholder or a replacement is not filled in again', () => {
    assert.equal(invoke({ args: ['{cwd}'] }, { cwd: '/a/{result}/$&' }).args, ['/a/{result}/$&'])
  })
})
