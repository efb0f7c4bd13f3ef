import { Fail } from '../../../lib/base/fail.ts'
import { checkArguments, sortArguments } from '../../../lib/cli/parse.ts'
import { assert, suite, thrown } from '../../kit/check.ts'

const command = {
  name: 'try',
  options: {
    text: { type: 'string', help: 'a text' },
    dryRun: { type: 'boolean', help: 'a flag' },
    allowLowQuota: { type: 'boolean', help: 'a flag' },
    noOpen: { type: 'boolean', help: 'a flag whose name begins with no' },
    count: { type: 'integer', min: 0, max: 99, help: 'a count' },
    cost: { type: 'number', min: -5, help: 'a cost' },
    goal: { type: 'choice', choices: ['cheap', 'good'], help: 'a goal' },
    order: { type: 'list', help: 'some names' },
    kinds: { type: 'list', choices: ['read', 'write'], help: 'some kinds' },
    rule: { type: 'list', whole: true, help: 'a sentence' },
  },
  words: [{ name: 'words', help: 'any words', rest: true, optional: true }],
} as const

const read = (...argv: readonly string[]): object => {
  const { options, words } = checkArguments(sortArguments(command, argv), command)
  const used = Object.entries(options).filter(([, value]) => value !== false)
  return { ...Object.fromEntries(used), ...(words.length > 0 ? { words } : {}) }
}

const refusal = async (...argv: readonly string[]): Promise<string[]> => {
  const error = await thrown(() => read(...argv))
  if (!(error instanceof Fail)) throw error
  assert.is(error.exit, 2)
  return error.problems.map(({ code, message, hint }) => `${code}: ${message}${hint ? ` | ${hint}` : ''}`)
}

const seeHelp = 'use --help to see the options, and -- before words that begin with a dash'

suite('parse', test => {
  test('values reach a command as they were typed', () => {
    for (const text of [
      '007', '1e3', '0x10', '1.10', '', '12345678901234567890', 'true', 'false', 'null',
      '=x', 'a=b', ' ', '-', 'é\n"', '__proto__', 'NaN', '.5',
    ]) {
      assert.equal(read('--text', text), { text }, text)
      assert.equal(read(`--text=${text}`), { text }, text)
      assert.equal(read(text), { words: [text] }, text)
      assert.equal(read('--rule', text), { rule: [text] }, text)
    }
    for (const text of ['-x', '--', '--json', '--text', '-5']) assert.equal(read(`--text=${text}`), { text }, text)
  })

  test('booleans take no word, whatever their name', () => {
    assert.equal(read('--dry-run', 'x'), { dryRun: true, words: ['x'] })
    assert.equal(read('--allow-low-quota', 'plan.json'), { allowLowQuota: true, words: ['plan.json'] })
    assert.equal(read('--no-open', 'x'), { noOpen: true, words: ['x'] })
    assert.equal(read('x', '--dry-run', 'y', '--json', 'z'), { dryRun: true, words: ['x', 'y', 'z'] })
    assert.equal(read('--dry-run=true', '--allow-low-quota=false'), { dryRun: true })
    assert.equal(read('--dry-run', '--dry-run'), { dryRun: true })
  })

  test('lists take spaced, comma-separated and repeated values and end at an option', () => {
    for (const argv of [
      ['--order', 'a', 'b', 'c'], ['--order', 'a,b,c'], ['--order=a,b', '--order', 'c'], ['--order', 'a, b', ',c,'],
      ['--order=a', '--order=b', '--order=c'],
    ]) assert.equal(read(...argv), { order: ['a', 'b', 'c'] }, argv.join(' '))
    assert.equal(read('--order', 'a', '--dry-run', 'x'), { order: ['a'], dryRun: true, words: ['x'] })
    assert.equal(read('--order', 'a', '--', 'b'), { order: ['a'], words: ['b'] })
    assert.equal(read('--order', '007', '1e3'), { order: ['007', '1e3'] })
    assert.equal(read('--rule', 'first, then', 'x', '--rule=more'), { rule: ['first, then', 'more'], words: ['x'] })
  })

  test('an empty list is a list, not an absent option', () => {
    assert.equal(read('--order'), { order: [] })
    assert.equal(read('--order='), { order: [] })
    assert.equal(read('--order', ''), { order: [] })
    assert.equal(read('--order', '--dry-run', 'x'), { order: [], dryRun: true, words: ['x'] })
    assert.equal(read('x', '--order'), { order: [], words: ['x'] })
    assert.equal(read(), {})
  })

  test('-- ends options, and a lone dash is a word', () => {
    assert.equal(read('--', '--text', '-x', '--', '--help'), { words: ['--text', '-x', '--', '--help'] })
    assert.equal(read('-', 'a'), { words: ['-', 'a'] })
    assert.equal(read('--dry-run', '--'), { dryRun: true })
  })

  test('numbers are plain figures within their range', async () => {
    for (const [text, value] of [['0', 0], ['007', 7], ['99', 99]] as const) assert.equal(read('--count', text), { count: value })
    for (const [text, value] of [['1.50', 1.5], ['-5', -5], ['.5', 0.5], ['-.5', -0.5]] as const) {
      assert.equal(read('--cost', text), { cost: value })
    }
    for (const text of [
      '0x10', '1e3', '', ' 1', '1 ', '1.5', '100', '-1', '+1', '1_0', '１', 'Infinity', 'NaN', '99999999999999999999',
    ]) {
      assert.equal(await refusal(`--count=${text}`),
        [`usage.bad-value: Option --count takes a whole number from 0 to 99, not ${JSON.stringify(text)}`])
    }
    for (const text of ['1,5', '1e3', '-6', '5.', '.', '-']) {
      assert.match((await refusal(`--cost=${text}`)).join(), 'takes a number of at least -5')
    }
  })

  test('what is wrong is told with the nearest right thing', async () => {
    for (const [argv, told] of [
      [['--dry-rnu'], 'usage.unknown-option: There is no option "--dry-rnu" | use --dry-run'],
      [['--dryRun'], 'usage.unknown-option: There is no option "--dryRun" | use --dry-run'],
      [['--no-json'], `usage.unknown-option: There is no option "--no-json" | ${seeHelp}`],
      [['-x'], `usage.unknown-option: There is no option "-x" | ${seeHelp}`],
      [['--text'], 'usage.missing-value: Option --text needs a value'],
      [['--text', '--dry-run'],
        'usage.missing-value: Option --text needs a value | write --text=--dry-run when that is the value'],
      [['--rule'], 'usage.missing-value: Option --rule needs a value'],
      [['--text', 'a', '--text=a'], 'usage.repeated: Option --text was given more than once | write --text once'],
      [['--dry-run', '--dry-run=false'], 'usage.repeated: Option --dry-run was given more than once | write --dry-run once'],
      [['--dry-run=yes'], 'usage.bad-value: Option --dry-run takes no value, or true or false, not "yes"'],
      [['--goal', 'chaep'], 'usage.bad-value: Option --goal takes one of cheap, good, not "chaep" | use --goal cheap'],
      [['--kinds', 'read', 'wirte'], 'usage.bad-value: Option --kinds takes one of read, write, not "wirte" | use --kinds write'],
    ] as const) assert.equal(await refusal(...argv), [told], argv.join(' '))
  })

  test('keys of a prototype are unknown options and change nothing', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '__proto__.polluted', 'text.x', 'hasOwnProperty']) {
      assert.match((await refusal(`--${name}=1`)).join(), 'usage.unknown-option', name)
    }
    assert.is('polluted' in {}, false)
  })

  test('all problems are told at once, words only when the options are right', async () => {
    const told = await refusal('--bogus', 'x', '--count', 'y', '--text')
    assert.equal(told.map(line => line.split(':')[0]), ['usage.unknown-option', 'usage.missing-value', 'usage.bad-value'])
  })

  test('--json is seen whatever else is wrong, --help and --version by their letters', () => {
    assert.ok(sortArguments(command, ['--bogus', '--text', '--json']).json)
    assert.not(sortArguments(command, ['--json=false']).json)
    assert.not(sortArguments(command, ['--text=--json', '--', '--json']).json)
    assert.ok(sortArguments(command, ['-h']).help)
    assert.ok(sortArguments(command, ['-v']).version)
  })
})
