/** The short texts of `validate`, `dry-run`, `probe` and of a person watching. */
import { forScreen } from '../../../lib/base/style.ts'
import { liveLine } from '../../../lib/report/live-text.ts'
import { checkedText, previewText } from '../../../lib/report/plan-text.ts'
import { probeText } from '../../../lib/report/probe-text.ts'
import type { PlanPreview } from '../../../lib/run/plan-record.ts'
import type { ProbedProvider } from '../../../lib/run/probe.ts'
import { assert, suite } from '../../kit/check.ts'

const screen = { columns: 40, color: false, tty: true }
const plain = (text: string | null): string | null => text === null ? null : forScreen(text, screen)

const preview = (more: object, workers: number): PlanPreview => ({
  dryRun: true, version: 1, strategy: 'research', requestedStrategy: 'auto', strategyReason: 'auto: 2 read-only workers', maxConcurrent: 4, defaultTimeoutSeconds: 1800,
  budget: { maxCalls: 3 }, planPath: '/p', policyPath: '/q', warnings: ['careful'], totals: { workers, estimatedPromptTokens: 1234 }, estimates: '',
  workers: Array.from({ length: workers }, (_, i) => ({
    id: `w${i}`, provider: 'p', requestedProvider: 'auto', routingNote: 'first of the order', mode: 'read-only', cwd: '/c', estimatedPromptTokens: 5, timeoutSeconds: 60,
    isolate: false, seedPaths: [], tier: 'cheap', modelNote: 'tier cheap', mcp: false, allowCommands: [], inGit: true, capsCost: false, installed: true, effectiveTimeoutSeconds: 60,
    promptChars: 20, subagents: 'blocked by the CLI', readOnlyBy: 'enforced', telemetry: { tokens: true, cost: false },
    argv: ['/bin/p', '--flag', "it's {task}"], notes: ['wrapped @x'], env: [], ...more,
  })),
})

suite('plan-text', test => {
  test('previewText() shows limits, each worker\'s command line as it could be typed, notes and warnings', () => {
    assert.is(previewText(preview({}, 1)), [
      'plan: 1 worker, at most 4 at once, strategy research (auto: 2 read-only workers)',
      'limits: maxCalls 3; tasks about 1.2k tokens',
      'w0: p (first of the order), read-only in shared checkout, default model (tier cheap), 60 s',
      '  subagents blocked by the CLI; read-only enforced',
      "  /bin/p --flag 'it'\\''s {task}'",
      '  wrapped @x',
      'warning: careful',
    ].join('\n'))
  })

  test('previewText() counts what it does not show', () => {
    const text = previewText(preview({}, 200))
    assert.match(text, '… 184 more')
    assert.ok(text.length < 12_000)
  })

  test('checkedText() is one line and the warnings', () => {
    assert.is(checkedText({ strategy: 's', strategyReason: 'r', workers: 2, warnings: ['a'] }), 'ok: 2 workers, strategy s (r)\nwarning: a')
  })
})

suite('live-text', test => {
  test('liveLine() fits the screen and keeps to what a person wants to see', () => {
    assert.is(plain(liveLine({ event: 'started', worker: 'w', provider: 'p' }, screen)), 'started  w  on p')
    assert.is(plain(liveLine({ event: 'ended', worker: 'w', status: 'failed', error: 'x'.repeat(100) }, screen))?.length, 39)
    assert.is(liveLine({ event: 'sign', worker: 'w', sign: { sign: 'text', text: 'much' } }, screen), null)
    assert.match(plain(liveLine({ event: 'sign', worker: 'w', sign: { sign: 'retry', text: 'attempt 2' } }, screen)) ?? '', 'attempt 2')
  })
})

const capabilities: ProbedProvider['capabilities'] = {
  resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false, blocksSubagents: false, blocksMcp: false,
  allowCommands: false, ownCommand: false, silent: false, promptVia: 'stdin', maxPrompt: { size: 1, unit: 'bytes' },
}

suite('probe-text', test => {
  test('probeText() tells unknown from not logged in', () => {
    const shown = (more: object): ProbedProvider => ({ provider: 'x', installed: true, capabilities, ...more })
    assert.is(probeText({ problems: ['broken x'], providers: [
      shown({ provider: 'a', executable: '/a', version: '1.0', loggedIn: false }),
      shown({ provider: 'b', executable: '/b', notes: ['old'] }),
      shown({ provider: 'c', installed: false }),
    ] }), [
      'a         1.0          not logged in, /a', 'b         version unknown login unknown, /b', '          old', 'c         not installed', 'warning: broken x',
    ].join('\n'))
  })
})
