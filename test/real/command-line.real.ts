/** What workers are started with: the command line that dry-run shows, and an environment without the traces of a parent session. */
import { realpath } from 'node:fs/promises'
import { assert } from '../kit/check.ts'
import { until } from '../kit/until.ts'
import { realSuite } from './each.ts'
import { array, field } from './json.ts'
import { clis } from './install.ts'
import { calls, commandOf, environOf } from './look.ts'
import { type Rig, startLimitMs } from './rig.ts'

/** What a Claude or a codex sets for the programs that it starts. */
const parent = {
  CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'parent', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SSE_PORT: '1',
  AI_AGENT: 'claude-code_agent', CODEX_THREAD_ID: 'parent', CODEX_SANDBOX: 'seatbelt', GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere',
}

/** Runs `look` at the process of worker `a` while its model keeps it waiting. */
async function whileRunning(rig: Rig, worker: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>, look: (pid: number, runDir: string) => Promise<void>): Promise<void> {
  const started = await rig.start('run', [await rig.plan({ workers: [{ id: 'a', task: '[[hang]]', ...worker }] }), '--detach', '--json'], env).ended
  const runDir = field(JSON.parse(started.stdout), 'runDir') as string
  await until(() => calls([...rig.anthropic.asked, ...rig.openai.asked]).length > 0, startLimitMs)
  const { said } = await rig.ask('status', runDir)
  await look(field(array(said.workers)[0], 'pid') as number, runDir)
  const stopped = await rig.ask('stop', runDir)
  assert.equal([stopped.code, stopped.said.status], [0, 'stopped'])
}

realSuite('command line', test => {
  test('a worker is started with the words that dry-run shows', clis, async (rig, cli) => {
    const worker = { provider: cli.program, mode: 'write', effort: 'high', costCapUsd: 1.5 }
    const preview = await rig.ask('dry-run', await rig.plan({ workers: [{ id: 'a', task: '[[hang]]', ...worker }] }))
    await whileRunning(rig, worker, {}, async (pid, runDir) => {
      const shown = array(field(array(preview.said.workers)[0], 'argv')).map(word => String(word).replace('{run}', runDir))
      // A script is started by its interpreter, which the words of the process name too.
      const words = commandOf(pid)
      assert.equal(words.slice(-shown.length + 1), shown.slice(1))
      assert.is(await realpath(words.at(-shown.length)!), await realpath(shown[0]!))
    })
  })

  test('traces of a parent session and of git do not reach a worker, whose marks do', clis, async (rig, cli) => {
    await whileRunning(rig, { provider: cli.program }, parent, async (pid, runDir) => {
      const env = environOf(pid)
      assert.equal(Object.keys(parent).filter(name => name in env), [])
      assert.is(env['ALETHE_ORCHESTRATE_WORKER'], '1')
      assert.match(env['ALETHE_RUN_MARKER'] ?? '', new RegExp(`^${runDir.slice(-8)}/a$`))
      assert.equal([env['HOME'], env['PATH']], [rig.env['HOME'], rig.env['PATH']])
    })
  })

  test('a worker starts no wave of its own', clis, async (rig, cli) => {
    const ended = await rig.start('run', [await rig.plan({ workers: [{ id: 'a', provider: cli.program, task: '[[say hi]]' }] }), '--json'], { ALETHE_ORCHESTRATE_WORKER: '1' }).ended
    assert.equal([ended.code, field(JSON.parse(ended.stdout), 'error', 'code')], [2, 'run.inside-worker'])
    assert.is(rig.serverOf(cli).asked.length, 0)
  })
})
