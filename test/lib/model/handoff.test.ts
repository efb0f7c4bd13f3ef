import { parseHandoff } from '../../../lib/model/handoff.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

suite('parseHandoff()', test => {
  const cases: [string, string, object][] = [
    ['plain lines', 'Done.\nSTATUS: DONE\nSUMMARY: two files', { workerStatus: 'DONE', workerSummary: 'two files' }],
    ['any case', 'status: blocked', { workerStatus: 'BLOCKED' }],
    ['list marks and bold', '- **STATUS:** DONE\n* **SUMMARY**: all good', { workerStatus: 'DONE', workerSummary: 'all good' }],
    ['bold around the line', '**STATUS: NEEDS_CONTEXT**', { workerStatus: 'NEEDS_CONTEXT' }],
    ['block quotes', '> STATUS: DONE', { workerStatus: 'DONE' }],
    ['a numbered list', '1. VERDICT: PASS', { verdict: 'PASS' }],
    ['Windows line ends', 'STATUS: DONE\r\nSUMMARY: x\r\n', { workerStatus: 'DONE', workerSummary: 'x' }],
    ['the longest word', 'STATUS: DONE_WITH_CONCERNS', { workerStatus: 'DONE_WITH_CONCERNS' }],
    ['spaces for underscores', 'Status: done with concerns: slow', { workerStatus: 'DONE_WITH_CONCERNS' }],
    ['another word for concerns', 'STATUS: DONE_WITH_ISSUES', { workerStatus: 'DONE_WITH_CONCERNS' }],
    ['the same with hyphens', 'Status: done-with-caveats', { workerStatus: 'DONE_WITH_CONCERNS' }],
    ['a joined word that it does not know', 'STATUS: DONE_NOT_REALLY\nVERDICT: PASS-ISH', {}],
    ['plain words after a known one', 'STATUS: DONE with all tests passing', { workerStatus: 'DONE' }],
    ['a sentence after it', 'STATUS: done. all good', { workerStatus: 'DONE' }],
    ['a verdict of two words', 'VERDICT: not proven.', { verdict: 'NOT_PROVEN' }],
    ['the last of each', 'STATUS: DONE\nSTATUS: BLOCKED\nVERDICT: FAIL\nVERDICT: PASS', { workerStatus: 'BLOCKED', verdict: 'PASS' }],
    ['an unknown word after a known one', 'STATUS: BLOCKED\nSTATUS: whatever', { workerStatus: 'BLOCKED' }],
    ['a word that only begins like one', 'STATUS: DONEISH', {}],
    ['a choice copied from a brief', 'VERDICT: PASS | FAIL | NOT_PROVEN', {}],
    ['two verdicts in one line', 'VERDICT: PASS? no, FAIL', {}],
    ['prose about it', 'I will end with STATUS: DONE when ready', {}],
    ['an example in back-ticks', '`STATUS: DONE`', {}],
    ['a fence in the middle', '```\nSTATUS: DONE\n```\nbut I am stuck', {}],
    ['a last fence with more than the hand-off', 'x\n```\nSTATUS: DONE\nconst a = 1\n```', {}],
    ['a last fence that is the hand-off', 'x\n```\nSTATUS: DONE\nSUMMARY: y\n```\n', { workerStatus: 'DONE', workerSummary: 'y' }],
    ['a fence left open', 'x\n~~~\nSTATUS: DONE', { workerStatus: 'DONE' }],
    ['an empty summary', 'SUMMARY:', {}],
    ['nothing', '', {}],
  ]
  for (const [title, text, expected] of cases) test(`reads ${title}`, () => { assert.equal(parseHandoff(text), expected) })

  test('cuts a summary at 200 characters', () => {
    assert.is(parseHandoff(`SUMMARY: ${'x'.repeat(500)}`).workerSummary?.length, 200)
  })

  test('answers fast for marks without end', () => {
    const watch = stopwatch()
    for (const hostile of ['*'.repeat(1_000_000), ' '.repeat(1_000_000), '> - '.repeat(250_000), `STATUS:${'*'.repeat(1_000_000)}x`]) parseHandoff(hostile)
    watch.under(2_000)
  })
})
