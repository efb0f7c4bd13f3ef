import { taskOnly, withContract } from '../../../lib/model/contract.ts'
import { parseHandoff } from '../../../lib/model/handoff.ts'
import { assert, suite } from '../../kit/check.ts'

const count = (text: string): number => text.split('Runtime contract:').length - 1

suite('model/contract', test => {
  test('withContract() appends the contract after a blank line and ends with a newline', () => {
    const prompt = withContract('  Fix it.\n\n')
    assert.ok(prompt.startsWith('Fix it.\n\nRuntime contract:\n- '))
    assert.ok(prompt.endsWith('.\n') && !prompt.endsWith('\n\n'))
  })

  test('withContract() says what every worker must keep to', () => {
    for (const word of ['subagents', 'agent CLI', 'commit', 'push', 'tag', 'release', 'pull request', 'evidence', 'changed files',
      'checks', 'failures', 'risks',
      'STATUS:', 'DONE_WITH_CONCERNS', 'BLOCKED', 'NEEDS_CONTEXT', 'SUMMARY:']) assert.ok(withContract('x').includes(word), word)
  })

  test('withContract() tells only readers to write nothing', () => {
    assert.ok(withContract('x', { readOnly: true }).includes('read-only'))
    assert.not.ok(withContract('x').includes('read-only'))
  })

  test('withContract() appends exactly once, also when the mode has changed', () => {
    assert.is(withContract(withContract('x')), withContract('x'))
    assert.is(withContract(withContract('x', { readOnly: true })), withContract('x'))
  })

  test('withContract() keeps a task that speaks of the contract', () => {
    const task = 'Explain this:\n\nRuntime contract:\n- old rules\n\nand then go on'
    assert.is(taskOnly(withContract(task)), task)
    assert.is(count(withContract(task)), 2)
  })

  test('withContract() never begins with a slash, but for who gets exact bytes', () => {
    assert.ok(withContract('/clear everything').startsWith('Task: /clear everything\n\n'))
    assert.ok(withContract(' \n/x').startsWith('Task: /x'))
    assert.is(withContract(withContract('/x')), withContract('/x'))
    assert.ok(withContract('/x', { exact: true }).startsWith('/x\n\n'))
  })

  test('withContract() keeps white space at both ends for who gets exact bytes, also when it is done twice', () => {
    const task = ' \t\r\nx \n\n\n'
    const prompt = withContract(task, { exact: true })
    assert.ok(prompt.startsWith(`${task}\n\nRuntime contract:`))
    assert.is(withContract(prompt, { exact: true }), prompt)
  })

  test('taskOnly() gives a text without contract back', () => { assert.is(taskOnly('just this'), 'just this') })

  test('the contract is no hand-off when a worker quotes it', () => {
    assert.equal(parseHandoff(withContract('x')), {})
  })
})
