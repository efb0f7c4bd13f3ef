/** Events apart from noise. */
import { eventLines, sessionId } from '../../../lib/plugin/event-lines.ts'
import { assert, suite } from '../../kit/check.ts'

const seen = (...lines: readonly string[]) => {
  const reader = eventLines()
  for (const line of lines) reader.next(line)
  return reader.seen()
}

suite('event lines', test => {
  test('objects are events, everything else that is not blank is noise', () => {
    assert.equal(seen('{"a":1}', '', '  ', 'hello', '[1]', '42', '{}'), { events: 2, noise: 3 })
    assert.equal(eventLines().next('\uFEFF{"a":1}'), { a: 1 })
  })

  test('an event that breaks off is remembered in bytes until another event follows', () => {
    assert.equal(seen('{"a":1}', '{"é":"x'), { events: 1, noise: 1, brokenBytes: 8 })
    assert.equal(seen('{"a":', 'SDK shut down'), { events: 0, noise: 2, brokenBytes: 5 })
    assert.equal(seen('{"a":', '{"a":1}'), { events: 1, noise: 1 })
    assert.equal(seen('{not json}'), { events: 0, noise: 1 })
  })

  test('an id that could be an option or a path is no session', () => {
    for (const good of ['01a22ed8-b69f', 'session_59ea', 'ses_dd11']) assert.is(sessionId(good), good)
    for (const bad of ['', '--last', '../x', 'a b', 'a/b', 'x'.repeat(129), undefined]) assert.is(sessionId(bad), undefined)
  })
})
