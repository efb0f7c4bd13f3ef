/** Command lines of the kimi provider, and how the two programs of that name are told apart. */
import type { Cli, Invocation, Task } from '../../../lib/plugin/provider.ts'
import kimi from '../../../plugins/providers/kimi.ts'
import { assert, suite } from '../../kit/check.ts'
import { taskWith } from '../../kit/reading.ts'

const invoke = (task: Partial<Task> = {}, legacy = false): Invocation => kimi.invoke(taskWith(task), { legacy })
const args = (task: Partial<Task> = {}, legacy = false): string => invoke(task, legacy).args.join(' ')
const helpOf = (help: string, asked: string[] = []): Cli => ({
  ask: words => {
    asked.push(words.join(' '))
    return Promise.resolve({ code: 0, stdout: words[0] === '--help' ? help : 'kimi, version 2.1.0', stderr: '' })
  },
  readText: () => Promise.resolve(null), env: {}, home: '/home/u',
})

suite('kimi invocation', test => {
  test('the task is attached to its option, so that a dash at its start is text', () => {
    assert.is(args({ prompt: '--yolo' }), '--output-format stream-json --prompt=--yolo')
    assert.equal([invoke().promptArgs, invoke().stdin], [[2], ''])
  })

  test('a read-only worker gets an agent file that names reading tools only', () => {
    const { args: words, files = {} } = invoke({ mode: 'read-only' })
    assert.is(words.join(' '), '--output-format stream-json --agent-file /run/w/read-only.md --prompt=Do it')
    const [, head = ''] = (files['read-only.md'] ?? '').split('---\n')
    assert.match(head, 'tools:\n  - Read\n  - Grep\n  - Glob\nsubagents: []\n')
  })

  test('a resumed session takes no agent file, which dry-run says', () => {
    const { args: words, files, notes = [] } = invoke({ mode: 'read-only', resume: { session: 'session_1' } })
    assert.is(words.join(' '), '--output-format stream-json --session session_1 --prompt=Do it')
    assert.equal([files, notes.length, kimi.can.readOnlyOnResume], [undefined, 1, 'advisory'])
    assert.match(notes[0] ?? '', 'only where it began read-only')
  })

  test('the effort goes by the environment, and quiet settings give way to the user\'s', () => {
    const { env, envDefaults, args: words } = invoke({ model: 'k3', effort: 'high' })
    assert.equal(env, { KIMI_MODEL_THINKING_EFFORT: 'high' })
    assert.equal(envDefaults, { KIMI_DISABLE_CRON: '1', KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_TELEMETRY: '1' })
    assert.equal(words.slice(2, 4), ['--model', 'k3'])
  })

  test('the older Python program is known by its --print and gets its own command line', async () => {
    assert.equal(await kimi.inspect?.(helpOf('  --print        Run in print mode\n')), { legacy: true })
    assert.equal(await kimi.inspect?.(helpOf('  --print-logs   x\n  -p, --prompt   x (no-print)\n')), { legacy: false })
    assert.is(args({ mode: 'read-only' }, true), '--print --output-format stream-json --work-dir /repo --prompt=Do it')
    assert.is((await kimi.probe?.(helpOf('--print')))?.notes?.length, 1)
  })

  test('probe never asks for the list of providers, which prints keys', async () => {
    const asked: string[] = []
    assert.equal(await kimi.probe?.(helpOf('', asked)), { version: '2.1.0', loggedIn: null })
    assert.equal(asked.sort(), ['--help', '--version'])
  })
})
