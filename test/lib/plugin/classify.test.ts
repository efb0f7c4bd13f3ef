/** What statuses and error messages mean, and which prose means nothing. */
import { errorText, kindOfStatus, stderrMeaning } from '../../../lib/plugin/classify.ts'
import { assert, suite } from '../../kit/check.ts'

const kind = (message: string): string => errorText(message)?.kind ?? 'unknown'

suite('error meanings', test => {
  test('kindOfStatus() knows the statuses that tell a cause', () => {
    assert.equal([401, 402, 403, 404, 413, 429, 500, 503, 529].map(kindOfStatus),
      [
        'auth', 'billing', 'auth', 'model_unavailable', 'context_too_long', 'rate_limited', 'overloaded', 'overloaded',
        'overloaded',
      ])
    for (const status of [0, 200, 400, 418, 600, -1, 500.5, Number.NaN]) {
      assert.is(kindOfStatus(status), undefined, String(status))
    }
  })

  test('errorText() knows what CLIs print', () => {
    const table = {
      'API Error: Request rejected (429) · This request would exceed your rate limit.': 'rate_limited',
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}': 'overloaded',
      'API Error: 500 Internal server error. This is a server-side issue': 'overloaded',
      'Failed to authenticate. API Error: 403 Your account does not have access': 'auth',
      'Prompt is too long · the request is ~250000 tokens (limit 200000)': 'context_too_long',
      'Credit balance is too low': 'billing',
      'Not logged in · Please run /login': 'auth',
      'There\'s an issue with the selected model (nope-1). It may not exist': 'model_unavailable',
      'API Error: Unable to connect to API (ConnectionRefused)': 'network',
      'Request timed out': 'network',
      'exceeded retry limit, last status: 429 Too Many Requests': 'rate_limited',
      'unexpected status 401 Unauthorized: no, url: http://127.0.0.1': 'auth',
      'Claude AI usage limit reached|1749924000': 'rate_limited',
      'Weekly limit reached · resets 2:30am (America/New_York)': 'rate_limited',
      'error: --dangerously-skip-permissions cannot be used with root/sudo privileges': 'permission',
    }
    for (const [message, expected] of Object.entries(table)) assert.is(kind(message), expected, message)
  })

  test('errorText() does not take prose about errors for errors', () => {
    for (const message of [
      '2 tests failed', 'handles 429, quota, usage limit reached; resets 3pm', '429 files changed', '404 tests passed, 1 failed',
      'lines 418-429 handle rate limits',
      'I fixed the "Not logged in" message', 'The model is overloaded with parameters', 'expected 401 but got 200',
      'Error: 500 tests were skipped', 'the prompt is too long to read', '',
    ]) assert.is(kind(message), 'unknown', message)
  })

  test('errorText() keeps the words about the reset, over line breaks too', () => {
    const hint = (message: string): string | undefined => errorText(message)?.resetHint
    assert.is(hint('You\'ve hit your limit · resets 12:43am (UTC)'), 'resets 12:43am (UTC)')
    assert.is(hint('You’ve hit your session\nlimit ·\nresets 10am (Europe/Zurich)'), 'resets 10am (Europe/Zurich)')
    assert.is(hint('Claude AI usage limit reached|1749924000'), '|1749924000')
    assert.is(
      hint('You’ve hit your usage limit. Upgrade, or try again at Dec 1st, 2026 12:45 AM.'),
      'try again at Dec 1st, 2026 12:45 AM',
    )
    assert.is(hint('Claude AI usage limit reached|'), undefined)
    assert.is(hint('Prompt is too long; resets 3pm'), undefined)
  })

  test('stderrMeaning() finds the line that tells most', () => {
    assert.equal(stderrMeaning('Warning: slow\nerror: unknown option \'--x\'\n'), { line: 'error: unknown option \'--x\'' })
    assert.equal(
      stderrMeaning('12 | minified {code}\nError: bad\nNot logged in · Please run /login'),
      { line: 'Not logged in · Please run /login', meaning: { kind: 'auth' } },
    )
    assert.equal(stderrMeaning('Warning: only this'), { line: 'Warning: only this' })
    assert.is(stderrMeaning(' \n\n'), undefined)
  })
})
