import { Fail, type Problem } from '../../../lib/base/fail.ts'
import { forScreen } from '../../../lib/base/style.ts'
import { reportJson, reportOf, reportText } from '../../../lib/cli/errors.ts'
import { assert, suite } from '../../kit/check.ts'

const shown = (first: Problem, ...rest: readonly Problem[]): string =>
  forScreen(reportText(reportOf(new Fail(first, ...rest), {}), '/home/me/project'), { color: false })

const at = (column: number, source: string, facts: object = {}): Problem => ({
  code: 'document.shape', message: 'This is wrong', place: { file: '/home/me/project/plan.json', line: 7, column },
  facts: { source, ...facts },
})

suite('errors', test => {
  test('reportText() names place and path, shows the line and a caret under the word', () => {
    assert.is(shown({ ...at(13, '    "tier": "fast",'), path: 'workers.0.tier', hint: 'use cheap' }), [
      'error: plan.json:7:13: workers.0.tier: This is wrong [document.shape]',
      '    7 |     "tier": "fast",',
      '      |             ^^^^^^',
      'hint: use cheap',
    ].join('\n'))
  })

  test('reportText() does not repeat a path that the message names, nor shorten a place elsewhere', () => {
    const place = { file: '/home/me/project-2/plan.json', line: 1, column: 2 }
    assert.is(shown({ code: 'document.rule', message: 'workers.0.tier is not known', path: 'workers.0.tier', place }),
      'error: /home/me/project-2/plan.json:1:2: workers.0.tier is not known [document.rule]')
  })

  test('reportText() keeps the caret true behind wide characters, tabs and controls', () => {
    const [, line, caret] = shown(at(5, '日\t😀\u001bx = 1')).split('\n')
    assert.is(line, '    7 | 日 😀 x = 1')
    assert.is(caret, `      | ${' '.repeat(6)}^`)
    assert.is(shown(at(9, 'short')).split('\n')[2], `      | ${' '.repeat(5)}^`)
  })

  test('reportText() cuts a long line around the caret, and follows a caret of its own', () => {
    const [, line = '', caret = ''] = shown(at(5_000, `${'a'.repeat(4_999)}!${'b'.repeat(4_999)}`)).split('\n')
    assert.is(line[caret.indexOf('^')], '!')
    assert.ok(line.length < 130 && line.endsWith('…'))
    const [, windowed = '', under = ''] = shown(at(5_000, 'key: value', { caret: 6 })).split('\n')
    assert.is(windowed.slice(under.indexOf('^')), 'value')
  })

  test('reportText() tells every problem and hint once and counts what is over twenty', () => {
    const rule = (index: number): Problem => ({ code: 'document.rule', message: `Rule ${index}`, hint: 'read the rules' })
    const lines = shown(rule(0), ...Array.from({ length: 25 }, (_, index) => rule(index))).split('\n')
    assert.is(lines.filter(line => line.startsWith('hint:')).length, 1)
    assert.is(lines.filter(line => /Rule \d/.test(line)).length, 20)
    assert.is(lines.at(-1), 'error: 5 more problems, all of them with --json')
  })

  test('reportText() keeps every problem to one line that no text of a stranger can forge', () => {
    assert.is(shown({ code: 'document.rule', message: 'a\nerror: forged\u001b[2J', hint: 'b\nc' }),
      'error: a error: forged [document.rule]\nhint: b c')
  })

  test('reportJson() holds all problems, and facts replace no field', () => {
    const first: Problem = { code: 'quota.blocked', message: 'Full', hint: 'wait', facts: { code: 'forged', window: 'week' } }
    assert.equal(reportJson(reportOf(new Fail(first, { code: 'document.rule', message: 'Second' }), {})), {
      ok: false,
      error: { code: 'quota.blocked', window: 'week', message: 'Full', hint: 'wait' },
      errors: [
        { code: 'quota.blocked', window: 'week', message: 'Full', hint: 'wait' }, { code: 'document.rule', message: 'Second' },
      ],
    })
  })

  test('reportOf() keeps the stack and the causes of a bug, without secrets of the environment', () => {
    const report = reportOf(new Error('outer', { cause: new TypeError('key is s3cr3t-value') }), { API_KEY: 's3cr3t-value' })
    assert.is(report.exit, 70)
    const text = reportText(report, '/')
    assert.match(text, /Internal error: Error: outer\n {4}at /)
    assert.match(text, 'Caused by: TypeError: key is [API_KEY]')
    assert.not.match(JSON.stringify(reportJson(report)), 's3cr3t')
    assert.is(reportOf('a string', {}).kind, 'bug')
  })
})
