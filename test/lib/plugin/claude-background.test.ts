/** Commands that a model leaves running behind its answer (claude 2.1.332): the answer is not the end before they are. */
import { claudeStream } from '../../../lib/plugin/claude-stream.ts'
import { assert, suite } from '../../kit/check.ts'
import { fold, init, result, says } from '../../kit/claude-lines.ts'

const tasks = (...ids: string[]): string => JSON.stringify({ type: 'system', subtype: 'background_tasks_changed', tasks: ids.map(task_id => ({ task_id })) })

suite('claude background tasks', test => {
  test('a result while a command still runs is no last word', () => {
    const stream = claudeStream()
    const signs = [init, tasks('b1'), says('Started it'), result(), tasks(), says('It passed', {}, 'm2'), result()].map(line => stream.line(line)?.sign)
    assert.equal(signs, ['started', undefined, 'text', 'text', undefined, 'text', 'result'])
  })

  test('a result after all commands have ended is the last word', () => {
    const stream = claudeStream()
    for (const line of [init, tasks('b1', 'b2'), tasks('b2'), tasks()]) stream.line(line)
    assert.equal(stream.line(result()), { sign: 'result' })
  })

  test('the answer is that of the last result', () => {
    const settled = fold([init, tasks('b1'), says('Started it'), result({ result: 'Started it' }), tasks(), says('It passed', {}, 'm2'), result({ result: 'It passed' })])
    assert.equal([settled.verdict, settled.text], [{ ok: true }, 'It passed'])
  })

  test('a list of tasks that is none counts as none', () => {
    const stream = claudeStream()
    stream.line(JSON.stringify({ type: 'system', subtype: 'background_tasks_changed', tasks: 'many' }))
    assert.equal(stream.line(result()), { sign: 'result' })
  })
})
