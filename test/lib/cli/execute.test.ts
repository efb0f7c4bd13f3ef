import { fail } from '../../../lib/base/fail.ts'
import { execute } from '../../../lib/cli/execute.ts'
import type { NoOptions } from '../../../lib/cli/options.ts'
import type { CommandSpec } from '../../../lib/cli/spec.ts'
import type { Host } from '../../../lib/io/host.ts'
import type { Outlet } from '../../../lib/cli/streams.ts'
import { assert, suite } from '../../kit/check.ts'
import { hostAt } from '../../kit/host.ts'

type Try = CommandSpec<NoOptions, readonly [], object, { readonly step: string }>

const command = (parts: Partial<Try>): Try => ({
  name: 'try', summary: 'Try', usage: 'try', examples: ['try', 'try --json'],
  run: () => ({ ok: 1 }), text: data => JSON.stringify(data), ...parts,
})

const parsed = (text: string): { error: { code: string; message: string } } => JSON.parse(text) as ReturnType<typeof parsed>

const terminal = { columns: 60, color: true, tty: true }

interface More { readonly tty?: boolean; readonly fault?: string; readonly signal?: AbortSignal }
interface Played { readonly code: number; readonly out: string; readonly err: string }

async function played(parts: Partial<Try>, argv: readonly string[] = [], more: More = {}): Promise<Played> {
  const said = { out: '', err: '' }
  const outlet = (name: 'out' | 'err', fault?: string): Outlet => ({ write: async text => { said[name] += text }, fault })
  const plain = hostAt('/nowhere')
  const host: Host = more.tty ? { ...plain, terminal: { stdin: true, stdout: terminal, stderr: terminal } } : plain
  const code = await execute(command(parts), {
    argv, host, entry: '/nowhere/try.ts', signal: more.signal ?? new AbortController().signal,
    stdout: outlet('out', more.fault), stderr: outlet('err'),
  })
  return { code, ...said }
}

suite('execute', test => {
  test('execute() prints text with one line end, or one JSON object', async () => {
    assert.equal(await played({ text: () => 'two\nlines\n\n' }), { code: 0, out: 'two\nlines\n', err: '' })
    assert.equal(await played({ text: () => '' }), { code: 0, out: '', err: '' })
    assert.equal(await played({}, ['--json']), { code: 0, out: '{"ok":1}\n', err: '' })
    assert.equal(await played({ exit: () => 1 }, ['--json']), { code: 1, out: '{"ok":1}\n', err: '' })
  })

  test('execute() renders for the screen at hand', async () => {
    assert.is((await played({ text: (_, screen) => `${screen.columns}` }, [], { tty: true })).out, '60\n')
    assert.is((await played({ text: (_, screen) => `${screen.columns} ${screen.color}` })).out, '80 false\n')
  })

  test('execute() escapes in JSON what a terminal or a reader could fall for', async () => {
    const text = '\u0085\u009b\u202E\u{E0041}\u2028\u001b'
    const { out } = await played({ run: () => ({ text }) }, ['--json'])
    assert.match(out, /^[ -~]*\n$/)
    assert.equal(JSON.parse(out), { text })
  })

  test('execute() tells errors on stderr, with --json in one object on stdout', async () => {
    const refusal = fail('quota.blocked', 'Cannot start: the quota is used up', { hint: 'usage' })
    const parts: Partial<Try> = { run: () => { throw refusal } }
    assert.equal(await played(parts), {
      code: 2, out: '', err: 'error: Cannot start: the quota is used up [quota.blocked]\nhint: usage\n',
    })
    const { code, out, err } = await played(parts, ['--json'])
    assert.equal([code, err], [2, ''])
    assert.is(parsed(out).error.code, 'quota.blocked')
  })

  test('execute() does not run a command for --help, --version or wrong options', async () => {
    const parts: Partial<Try> = { run: () => { throw new Error('ran') } }
    const help = await played(parts, ['--bogus', '--help'])
    assert.equal([help.code, help.err], [0, ''])
    assert.match(help.out, /^Try\n\nUsage: try\n/)
    assert.equal(await played(parts, ['--version', '--json']), { code: 0, out: '{"version":"unknown"}\n', err: '' })
    const wrong = await played(parts, ['--bogus', '--json'])
    assert.equal([wrong.code, wrong.err, parsed(wrong.out).error.code], [2, '', 'usage.unknown-option'])
  })

  test('execute() calls a fault of run or text a bug and keeps its stack', async () => {
    for (const parts of [{ run: () => { throw new TypeError('oops') } }, { text: () => { throw new TypeError('oops') } }]) {
      const { code, out, err } = await played(parts)
      assert.equal([code, out], [70, ''])
      assert.match(err, /^error: Internal error: TypeError: oops\n {4}at /)
    }
    const { code, out, err } = await played({ run: () => { throw new TypeError('oops') } }, ['--json'])
    const { error } = parsed(out)
    assert.equal([code, err, error.code, error.message], [70, '', 'bug', 'Internal error: oops'])
  })

  test('execute() shows events on a terminal alone, and never with --json', async () => {
    const parts: Partial<Try> = {
      run: ({ emit }) => { emit({ step: 'one' }); emit({ step: '' }); return {} },
      live: event => event.step && `at ${event.step}\u001b[2J`,
      text: () => '',
    }
    assert.is((await played(parts, [], { tty: true })).err, 'at one\n')
    assert.is((await played(parts)).err, '')
    assert.is((await played(parts, ['--json'], { tty: true })).err, '')
  })

  test('execute() ends an interrupted command as interrupted, whether it throws, returns or is ended by Node', async () => {
    const interrupted = async (run: Try['run']): Promise<Played> => {
      const controller = new AbortController()
      const stopped: Try['run'] = context => {
        controller.abort(fail('run.interrupted', 'Interrupted by SIGTERM'))
        return run(context)
      }
      return played({ run: stopped }, [], { signal: controller.signal })
    }
    const told = { code: 130, out: '', err: 'error: Interrupted by SIGTERM [run.interrupted]\n' }
    assert.equal(await interrupted(({ signal }) => { signal.throwIfAborted(); return {} }), told)
    const byNode = Object.assign(new Error('The operation was aborted'), { name: 'AbortError' })
    assert.equal(await interrupted(() => { throw byNode }), told)
    assert.equal(await interrupted(() => ({ stopped: true })), { code: 130, out: '{"stopped":true}\n', err: '' })
    assert.is((await interrupted(() => { throw fail('stop.survivors', 'One is left') })).code, 130)
    assert.is((await interrupted(() => { throw new TypeError('oops') })).code, 70)
  })

  test('execute() tells on stderr when stdout could not be written, also with --json', async () => {
    const { code, err } = await played({}, ['--json'], { fault: 'ENOSPC' })
    assert.equal([code, err], [1, 'error: Cannot write the output: ENOSPC [output.unwritable]\n'])
  })

  test('execute() calls whatever is thrown a bug, even nothing', async () => {
    assert.is((await played({ run: () => { throw undefined } })).err, 'error: Internal error: undefined\n')
  })
})
