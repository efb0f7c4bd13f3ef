import { bytes, clean, cleanLine, count, cutTo, duration, fitting, listed, nearest, plural, width, wrap } from '../../../lib/base/text.ts'
import { assert, suite } from '../../kit/check.ts'

suite('text', test => {
  test('nearest() finds slips of the finger and names that begin so', () => {
    const known = ['--strategy', '--max-workers', '--json', '--run-dir']
    for (const [typed, meant] of [
      ['--stratgy', '--strategy'], ['--Strategy', '--strategy'], ['--strat', '--strategy'], ['--max-worker', '--max-workers'],
      ['--jsno', '--json'], ['--rundir', '--run-dir'], ['--colour', undefined], ['', undefined],
      ['x'.repeat(5_000), undefined],
    ] as const) assert.is(nearest(typed, known), meant, typed)
    assert.is(nearest('a', []), undefined)
    assert.is(nearest('ab', ['xy']), undefined)
    assert.is(nearest('taks', ['task', 'title']), 'task')
    assert.is(nearest('of', ['on', 'off']), 'off')
    assert.is(nearest('max', ['max-calls', 'max-workers']), undefined)
  })

  test('plural() and listed() read as English', () => {
    assert.equal([plural(1, 'worker'), plural(0, 'worker'), plural(2, 'entry', 'entries')],
      ['1 worker', '0 workers', '2 entries'])
    assert.equal([listed([]), listed(['a', 'b']), listed(['a', 'b', 'c'], 2)], ['', 'a, b', 'a, b and 1 more'])
  })

  test('fitting() counts bytes and line ends, and keeps blocks whole and in order', () => {
    assert.equal(fitting(['ab', 'é', 'c'], 8), ['ab', 'é', 'c'])
    assert.equal(fitting(['ab', 'é', 'c'], 7), ['ab', 'é'])
    assert.equal(fitting(['a\nb', 'too long', 'c'], 6), ['a\nb'])
    assert.equal([fitting([], 0), fitting(['a'], 1)], [[], []])
  })

  test('duration() shows the two largest units and never 60 of one', () => {
    for (const [ms, text] of [
      [0, '0 ms'], [350.4, '350 ms'], [999.6, '1 s'], [12_340, '12.3 s'], [59_949, '59.9 s'], [59_950, '1 min'],
      [59_999, '1 min'], [60_000, '1 min'], [245_000, '4 min 5 s'],
      [3_599_700, '1 h'], [7_380_000, '2 h 3 min'], [48 * 3_600_000, '2 d'], [76 * 3_600_000, '3 d 4 h'],
    ] as const) assert.is(duration(ms), text, String(ms))
  })

  test('bytes() and count() change the unit before they would show a thousand', () => {
    for (const [size, text] of [
      [0, '0 B'], [1023, '1023 B'], [1024, '1 KiB'], [1536, '1.5 KiB'], [1024 ** 2 - 1, '1 MiB'], [2 * 1024 ** 3, '2 GiB'],
    ] as const) assert.is(bytes(size), text)
    for (const [amount, text] of [
      [0, '0'], [999, '999'], [999.7, '1k'], [1_234, '1.2k'], [12_345, '12.3k'], [999_960, '1M'], [1_200_000, '1.2M'],
      [5e12, '5000G'],
    ] as const) assert.is(count(amount), text)
  })

  test('clean() takes out whatever drives a terminal or turns the reading direction', () => {
    for (const [text, cleaned] of [
      ['a\u001b[31mred\u001b[0mb', 'aredb'], ['a\u009b2Jb', 'ab'], ['\u001b]0;title\u0007x', 'x'],
      ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
      ['\u001bPq#0\u001b\\x', 'x'], ['\u001b]0;never ended', ''], ['a\u001b', 'a'],
      ['a\u0000\u0008b\u007f', 'a  b '], ['a\u0085b', 'a\nb'],
      ['pay\u202Egnp.exe', 'paygnp.exe'], ['\u2066x\u2069\u200e\ufeff', 'x'], ['a\u{E0041}\u200b', 'a'],
      ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'], ['tab\tstays', 'tab\tstays'], ['👩\u200d💻 é', '👩\u200d💻 é'],
    ] as const) assert.is(clean(text), cleaned, JSON.stringify(text))
    assert.is(cleanLine('a\nb\tc  d\u001b[2J'), 'a b c  d')
  })

  test('clean() keeps the lines behind a string sequence that never ends', () => {
    assert.is(clean('\u001b]0;open\nkept'), '\nkept')
  })

  test('width() and cutTo() count terminal columns and halve no character', () => {
    assert.equal([width('abc'), width('日本'), width('e\u0301'), width('👩\u200d💻'), width('')], [3, 4, 1, 2, 0])
    for (const [text, columns, cut] of [
      ['abc', 3, 'abc'], ['abcd', 3, 'ab…'], ['日本語', 5, '日本…'], ['日本語', 6, '日本語'], ['日本語', 4, '日…'],
      ['ae\u0301b', 2, 'a…'], ['👩\u200d💻x', 2, '…'], ['éé', 2, 'éé'],
    ] as const) {
      assert.is(cutTo(text, columns), cut, text)
      assert.ok(width(cutTo(text, columns)) <= columns)
    }
  })

  test('wrap() breaks at blanks, keeps long words and no-break blanks whole', () => {
    assert.equal(wrap('one two three', 7), ['one two', 'three'])
    assert.equal(wrap('a verylongword b', 4), ['a', 'verylongword', 'b'])
    assert.equal(wrap('a [b\u00a0c]', 5), ['a', '[b\u00a0c]'])
    assert.equal(wrap('', 5), [])
  })
})
