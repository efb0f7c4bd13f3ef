import { assert, suite } from '../../kit/check.ts'
import { type Change, findingsOf, planOf, planWith, shortly, worker } from '../../kit/plans.ts'

const rule = (field: string): string[] => [`document.rule workers.0.${field}`]
const writer = { mode: 'write', isolate: true }
const own = { provider: 'own', command: 'run' }

suite('model/worker-rules', test => {
  const cases: [string, Change, string[]][] = [
    ['takes a plain worker', {}, []],
    ['refuses an id with a dot at the end', { id: 'a.' }, rule('id')],
    ['refuses a device name as id', { id: 'Con' }, rule('id')],
    ['refuses a device name with an ending', { id: 'lpt1.txt' }, rule('id')],
    ['refuses the id "constructor"', { id: 'constructor' }, rule('id')],
    ['takes a reason of 200 characters', { why: '😀'.repeat(200) }, []],
    ['refuses a reason of 201 characters', { why: 'x'.repeat(201) }, rule('why')],
    ['counts blanks of a reason once', { why: `${'x '.repeat(99)}${' \n'.repeat(50)}xx` }, []],
    ['refuses task beside taskFile', { taskFile: 't.md' }, rule('taskFile')],
    ['refuses a worker without a task', { task: undefined }, rule('task')],
    ['takes a task file alone', { task: undefined, taskFile: 't.md' }, []],
    ['refuses isolate without write', { isolate: true }, rule('isolate')],
    ['refuses isolate with read-only', { isolate: true, mode: 'read-only' }, rule('isolate')],
    ['takes isolate with write', writer, []],
    ['takes isolate false with read-only', { isolate: false }, []],
    ['refuses seedPaths without isolate', { mode: 'write', seedPaths: ['a'] }, rule('seedPaths')],
    ['takes an empty list of seedPaths', { mode: 'write', seedPaths: [] }, []],
    ['takes a seed path inside', { ...writer, seedPaths: ['src/a b.ts', 'x'] }, []],
    ['refuses a seed path outside', { ...writer, seedPaths: ['ok', '../x', '/etc'] },
      [...rule('seedPaths.1'), ...rule('seedPaths.2')]],
    ['refuses a pattern as seed path', { ...writer, seedPaths: ['src/*.ts'] }, rule('seedPaths.0')],
    ['refuses resume with isolate', { ...writer, resume: 's1' }, rule('resume')],
    ['takes resume without isolate', { mode: 'write', resume: 's1' }, []],
    ['refuses a tier beside a model', { tier: 'cheap', model: 'm' }, rule('tier')],
    ['refuses a tier beside an effort', { tier: 'strong', effort: 'high' }, rule('tier')],
    ['takes the standard tier beside a model', { tier: 'standard', model: 'm' }, []],
    ['refuses an unsafe flag', { ...own, args: ['-p', '--yolo'] }, rule('args.1')],
    ['takes an unsafe flag with allowUnsafe', { ...own, args: ['--yolo'], allowUnsafe: true }, []],
  ]
  for (const [title, change, expected] of cases) test(`workerFindings() ${title}`,
    () => { assert.equal(shortly(planOf(worker(change))), expected) })

  test('workerFindings() refuses a folder that does not exist', () => {
    const facts = { workers: [{ cwd: '/nowhere', isFolder: false, task: 't' }] }
    assert.equal(findingsOf(planWith(), facts).map(({ message }) => message),
      ['The folder of worker "w1" does not exist: "/nowhere"'])
  })

  test('workerFindings() tells why a task file cannot be used', () => {
    const facts = { workers: [{ cwd: '/', isFolder: true, taskFault: 'The task file "t" is empty' }] }
    assert.equal(findingsOf(planOf(worker({ task: undefined, taskFile: 't' })), facts).map(({ message }) => message),
      ['The task file "t" is empty'])
  })

  test('workerFindings() runs no rule over a field whose shape is broken, and all others', () => {
    const broken = worker({ id: 'a.', task: 7, isolate: 'yes', seedPaths: ['../x'], tier: 'best', model: 'm', mode: 'write' })
    assert.equal(shortly(planOf(broken)).filter(line => !line.startsWith('document.shape')),
      [...rule('id'), ...rule('seedPaths.0')])
  })

  test('workerFindings() reports every fault of every worker at once', () => {
    const plan = planOf(worker({ id: 'a.', isolate: true }), worker({ id: 'b', task: undefined, why: 'x'.repeat(201) }))
    assert.equal(shortly(plan), ['document.rule workers.0.id', 'document.rule workers.0.isolate', 'document.rule workers.1.why',
      'document.rule workers.1.task'])
  })
})
