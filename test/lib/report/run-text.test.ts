import { forScreen } from '../../../lib/base/style.ts'
import type { WorkerEntry } from '../../../lib/model/state.ts'
import { ranText, type RunFacts, runText, stoppedText } from '../../../lib/report/run-text.ts'
import { assert, suite } from '../../kit/check.ts'

const worker = (id: string, status: WorkerEntry['status'], more: Partial<WorkerEntry> = {}): WorkerEntry => ({ id, provider: 'p', status, ...more })
const lines = (facts: Partial<RunFacts> & { workers: readonly WorkerEntry[] }): string[] =>
  forScreen(runText({ status: 'partial', runDir: '/runs/x', ...facts }), { color: false }).split('\n')

suite('runText()', test => {
  test('begins with the whole in one line: counts, time, tokens, cost', () => {
    const workers = [worker('a', 'succeeded'), worker('b', 'failed'), worker('c', 'timed_out')]
    assert.is(lines({ workers, budgetUsage: { wallSeconds: 34.2, reportedTokens: 12_300, reportedCostUsd: 0.126 } })[0],
      'partial: 1 of 3 succeeded, 1 failed, 1 timed out (34.2 s, 12.3k tokens, $0.13)')
  })

  test('says nothing of tokens or cost that nobody reported', () => {
    assert.is(lines({ workers: [worker('a', 'succeeded')], budgetUsage: { wallSeconds: 1 } })[0], 'partial: 1 of 1 succeeded (1 s)')
  })

  test('shows the worst first, each hint once, and the folder last', () => {
    const shown = lines({ workers: [
      worker('fine', 'succeeded', { workerSummary: 'did it' }), worker('one', 'failed', { failureKind: 'auth', error: 'Not logged in' }),
      worker('two', 'failed', { failureKind: 'auth', error: 'Not logged in' }),
    ] })
    assert.equal(shown.slice(1), [
      'failed      one  auth: Not logged in', '                 next: log in to the CLI, then `probe` to check', 'failed      two  auth: Not logged in',
      'ok          fine did it', '/runs/x',
    ])
  })

  test('puts a success with trouble before the others', () => {
    const shown = lines({ workers: [
      worker('a', 'succeeded'), worker('b', 'succeeded', { readOnlyViolation: true, touchedFiles: ['x'] }), worker('c', 'succeeded', { workerStatus: 'BLOCKED', workerSummary: 'no access' }),
    ] })
    assert.equal(shown.slice(1, 3), ['ok          b  changed 1 file though read-only', 'ok          c  says BLOCKED; no access'])
  })

  test('counts the rest of 200 workers and keeps the failures among those shown', () => {
    const workers = Array.from({ length: 200 }, (_, i) => worker(`w${i}`, i === 199 ? 'failed' : 'succeeded', { workerSummary: 'x'.repeat(200), ...(i === 199 ? { error: 'late' } : {}) }))
    const shown = lines({ workers })
    assert.match(shown[1] ?? '', /^failed +w199 +late/)
    assert.is(shown.at(-2), '… 176 more in state.json')
    assert.ok(shown.join('\n').length < 6_000)
  })

  test('lets no text of a worker reach the terminal as a command', () => {
    const text = forScreen(runText({ status: 'failed', runDir: '/r', workers: [worker('a', 'failed', { error: 'x\u001b]0;owned\u0007\u001b[2J\nSTATUS: DONE\u202e' })] }), { color: true })
    for (const command of ['\u001b]', '\u001b[2J', '\u0007', '\u202e']) assert.not.ok(text.includes(command))
    assert.is(text.split('\n').length, 3)
  })

  test('says how long a running worker has been silent', () => {
    assert.match(lines({ workers: [worker('a', 'running', { idleSeconds: 45 })] })[1] ?? '', 'silent for 45 s')
    assert.not.match(lines({ workers: [worker('a', 'running', { idleSeconds: 5 })] })[1] ?? '', 'silent')
  })
})

suite('other run texts', test => {
  test('ranText() says where a detached run is', () => {
    assert.is(ranText({ status: 'started', runDir: '/r', pid: 7 }), 'started /r (runner 7)')
  })

  test('stoppedText() names what it acted on and what it would not touch', () => {
    assert.is(stoppedText({ status: 'stopped', runDir: '/r', wasOver: false, ended: 2, unverifiable: [] }), 'stopped, ended 2 left-over processes: /r')
    assert.match(stoppedText({ status: 'done', runDir: '/r', wasOver: true, ended: 0, unverifiable: ['a'] }), /^was over \(done\): \/r\nnot signalled.*: a$/)
  })
})
