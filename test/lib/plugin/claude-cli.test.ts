/** Prompts and options of the Claude CLI. */
import { claudeFlags, safePrompt } from '../../../lib/plugin/claude-cli.ts'
import { assert, suite } from '../../kit/check.ts'
import { stopwatch } from '../../kit/stopwatch.ts'

const sent = (prompt: string): string => safePrompt(prompt).prompt

suite('Claude prompts and options', test => {
  test('a mention at the start or after white space is wrapped', () => {
    const table = {
      '@f.txt is it': '`@f.txt` is it',
      'look at @/etc/hostname please': 'look at `@/etc/hostname` please',
      '- @a/b.ts\n\t@c': '- `@a/b.ts`\n\t`@c`',
      'see @a.ts, @b.ts. And (x) @c)': 'see `@a.ts`, `@b.ts`. And (x) `@c`)',
      'call @make(1) or @make()!': 'call `@make(1)` or `@make()`!',
      'ask @alice': 'ask `@alice`',
    }
    for (const [prompt, expected] of Object.entries(table)) assert.is(sent(prompt), expected)
  })

  test('what Claude does not attach stays as it is', () => {
    for (const prompt of [
      'me@example.com', '`@path`', '(@path)', '"@path"', 'x@path', '\\@path', '@@path', 'a @ b', '@',
      'mail <me@example.com>, now', '@.',
    ]) assert.is(sent(prompt), prompt)
  })

  test('in code only a path that leaves the folder is wrapped', () => {
    const fence = '```ts\n@Component({ a: 1 })\nnpm i @angular/core\n```\n'
    assert.is(sent(`${fence}then @x`), `${fence}then \`@x\``)
    assert.is(sent('~~~\n@app.route("/")\n'), '~~~\n@app.route("/")\n', 'An open fence goes to the end')
    assert.is(sent('run `npm i @types/node` now'), 'run `npm i @types/node` now')
    for (const path of ['/etc/passwd', '~/.ssh/id', '../x', './x', 'C:\\x']) {
      assert.is(sent(`\`\`\`\ncat @${path}\n\`\`\``), `\`\`\`\ncat \`@${path}\`\n\`\`\``, path)
    }
  })

  test('a text that begins with a slash is no command', () => {
    assert.is(sent('/clear'), 'Task:\n/clear')
    assert.is(sent(' \n/tmp/x is broken'), 'Task:\n \n/tmp/x is broken')
    assert.is(sent('do /clear'), 'do /clear')
  })

  test('the notes tell what was changed', () => {
    assert.equal(safePrompt('plain').notes, [])
    assert.equal(safePrompt('/x @a @a @b').notes, [
      'wrapped in backticks, so that Claude does not attach files: @a @b',
      'put "Task:" before the leading "/", which Claude would take for a command',
    ])
    assert.match(safePrompt('@a @b @c @d @e @f @g').notes[0] ?? '', /@e and 2 more$/)
  })

  test('a prompt of 9 MB takes no more time than its length', () => {
    const watch = stopwatch()
    for (const part of ['@a ', '`', '```\n', `@${')'.repeat(1000)} `, ' '.repeat(100), '@']) {
      sent(part.repeat(Math.floor(9_000_000 / part.length)))
    }
    watch.under(8_000)
  })

  test('options are read from the help text, those it hides are added', () => {
    const flags = claudeFlags(
      '  --disallowedTools, --disallowed-tools <tools...>  Deny\n  -p, --print\n  sets --append-system-prompt[-file] in pre--x',
    )
    assert.equal(
      [...flags].sort(),
      [
        '--append-system-prompt', '--append-system-prompt-file', '--disallowed-tools', '--disallowedTools', '--max-turns',
        '--print',
      ],
    )
  })
})
