import type { PlanFacts } from '../../../lib/model/plan-parts.ts'
import { withContract } from '../../../lib/model/contract.ts'
import { assert, suite } from '../../kit/check.ts'
import { type Change, findingsOf, planOf, policyWith, providerNamed, shortly, worker } from '../../kit/plans.ts'

const cannot = (field: string): string[] => [`provider.cannot workers.0.${field}`]
const rule = (field: string): string[] => [`document.rule workers.0.${field}`]
const own = { provider: 'own', command: 'run' }

suite('model/provider-rules', test => {
  const cases: [string, Change, string[]][] = [
    ['refuses read-only where the CLI always writes', { provider: 'eager' }, cannot('mode')],
    ['takes write where the CLI always writes', { provider: 'eager', mode: 'write' }, []],
    ['takes read-only that is only asked for', { provider: 'bare' }, []],
    ['refuses resume where it is not possible', { provider: 'bare', resume: 's' }, cannot('resume')],
    ['refuses a model where it is not possible', { provider: 'bare', model: 'm' }, cannot('model')],
    ['refuses an effort where it is not possible', { provider: 'bare', effort: 'e' }, cannot('effort')],
    ['takes resume, model and effort where they are possible', { resume: 's', model: 'm', effort: 'e' }, []],
    ['takes mcp anywhere, for earlier plans set it freely', { provider: 'bare', mcp: true }, []],
    ['takes allowCommands on an isolated writer', { mode: 'write', isolate: true, allowCommands: ['x'] }, []],
    ['refuses allowCommands in a shared checkout', { mode: 'write', allowCommands: ['x'] }, rule('allowCommands')],
    ['refuses allowCommands on a reader', { allowCommands: ['x'] }, rule('allowCommands')],
    ['refuses allowCommands where single commands cannot be allowed',
      { provider: 'metered', mode: 'write', isolate: true, allowCommands: ['x'] }, cannot('allowCommands')],
    ['takes an empty allowCommands anywhere', { provider: 'metered', allowCommands: [] }, []],
    ['needs a command where the plan gives it', { provider: 'own' }, rule('command')],
    ['takes every own-command field there',
      { ...own, args: ['x'], promptTransport: 'argument', outputFormat: 'json', allowUnsafe: false }, []],
    ['refuses each of them elsewhere',
      { command: 'x', args: [], promptTransport: 'stdin', outputFormat: 'text', allowUnsafe: false },
      [...rule('command'), ...rule('args'), ...rule('promptTransport'), ...rule('outputFormat'), ...rule('allowUnsafe')]],
    ['refuses own-command fields beside provider auto', { provider: 'auto', args: ['x'] }, rule('args')],
    ['refuses an unknown provider', { provider: 'ful' }, ['provider.unknown workers.0.provider']],
    ['takes an alias in any case', { provider: 'Full-CLI' }, []],
    ['refuses auto with a model', { provider: 'auto', model: 'm' }, rule('provider')],
    ['refuses auto with an effort', { provider: 'auto', effort: 'e' }, rule('provider')],
    ['refuses auto with resume', { provider: 'AUTO', resume: 's' }, rule('provider')],
    ['asks nothing of a provider that is not settled', { provider: 'nope', mcp: true, args: ['x'] },
      ['provider.unknown workers.0.provider']],
  ]
  for (const [title, change, expected] of cases) test(`providerFindings() ${title}`,
    () => { assert.equal(shortly(planOf(worker(change))), expected) })

  test('providerFindings() checks what the chosen provider of auto can', () => {
    assert.equal(shortly(planOf(worker({ provider: 'auto', mode: 'write', isolate: true, allowCommands: ['x'] }))),
      cannot('allowCommands'))
    const policy = policyWith({ providerOrder: ['full'] })
    assert.equal(shortly(planOf(worker({ provider: 'auto', mode: 'write', isolate: true, allowCommands: ['x'] })), { policy }),
      [])
  })

  test('providerFindings() runs no rule over a field whose shape is broken', () => {
    const broken = worker({ provider: 'bare', mode: 'write', isolate: 'yes', allowCommands: [1], mcp: 'on', model: 'm' })
    assert.equal(shortly(planOf(broken)).filter(line => !line.startsWith('document.shape')), cannot('model'))
    assert.equal(shortly(planOf(worker({ mode: 'write', isolate: 1, allowCommands: ['x'] }))),
      ['document.shape workers.0.isolate'])
  })

  test('providerFindings() refuses a conserved provider where the policy asks', () => {
    const policy = policyWith({ conserveProviders: ['full'] })
    assert.equal(shortly(planOf(worker()), { policy }), ['provider.conserved workers.0.provider'])
  })

  test('providerFindings() uses what a provider can when it resumes', () => {
    const full = providerNamed('full', { readOnlyOnResume: 'none' })
    const messages = (change: Change): string[] =>
      findingsOf(planOf(worker(change)), { providers: [full] }).map(({ message }) => message)
    assert.equal(messages({ resume: 's' }), ['Worker "w1": full cannot resume a session read-only'])
    assert.equal(messages({}), [])
  })
})

suite('model/provider-rules task size', test => {
  const contract = withContract('x', { readOnly: true }).length - 1
  /** A task whose prompt for a read-only worker has exactly `size` characters. */
  const taskOf = (size: number, letter = 'x'): string => letter.repeat(size - contract)
  const own = { provider: 'own', command: 'run', promptTransport: 'argument' }
  const cases: [string, Change, number, string, Partial<PlanFacts>?][] = [
    ['bytes by standard input', { provider: 'full' }, 9_000_000,
      'has 9000001 bytes with the worker contract, full takes at most 9000000'],
    ['characters by standard input', { provider: 'metered' }, 1_000_000,
      'has 1000001 characters with the worker contract, metered takes at most 1000000'],
    ['bytes as an argument', { provider: 'bare' }, 120_000,
      'has 120001 bytes with the worker contract, bare takes at most 120000 as an argument'],
    ['an argument of an own command', own, 120_000,
      'has 120001 bytes with the worker contract, own takes at most 120000 as an argument'],
    ['an argument on Windows', { provider: 'bare' }, 30_000,
      'has 30001 characters with the worker contract, bare takes at most 30000 as an argument', { platform: 'win32' }],
  ]
  for (const [title, change, size, message, facts] of cases) {
    test(`providerFindings() limits ${title}`, () => {
      const messages = (task: string): string[] =>
        findingsOf(planOf(worker({ ...change, task })), facts).map(finding => finding.message)
      assert.equal(messages(taskOf(size)), [])
      assert.equal(messages(taskOf(size + 1)), [`Worker "w1": its task ${message}`])
    })
  }

  test('providerFindings() counts bytes where the limit is in bytes', () => {
    const twoBytes = 'é'.repeat((120_000 - contract) / 2 + 1)
    assert.equal(shortly(planOf(worker({ provider: 'bare', task: twoBytes }))), ['document.rule workers.0.task'])
  })

  test('providerFindings() counts an emoji once where the limit is in characters', () => {
    assert.equal(shortly(planOf(worker({ provider: 'metered', task: taskOf(1_000_000, '😀') }))), [])
  })

  test('providerFindings() sets no limit to what an own command reads from standard input', () => {
    assert.equal(shortly(planOf(worker({ provider: 'own', command: 'run', task: taskOf(500_000) }))), [])
  })

  test('providerFindings() refuses NUL in an argument and lets it pass by standard input', () => {
    assert.equal(shortly(planOf(worker({ provider: 'bare', task: 'a\0b' }))), ['document.rule workers.0.task'])
    assert.equal(shortly(planOf(worker({ task: 'a\0b' }))), [])
  })

  test('providerFindings() places the size of a task file at taskFile', () => {
    const facts = { workers: [{ cwd: '/', isFolder: true, task: taskOf(120_001) }] }
    assert.equal(shortly(planOf(worker({ provider: 'bare', task: undefined, taskFile: 't' })), facts),
      ['document.rule workers.0.taskFile'])
  })
})
