/**
 * What every provider plugin must hold, as one suite: its shape, a pure `invoke`, a reader that nothing breaks, endings
 * that stay distinct, and for each recorded stream the verdict that its table expects. Reads the streams' folder: one
 * folder per case with `stdout`, `stderr`, `meta.json` (exit code, signal, `killedAt` where the recorder ended it) and,
 * for CLIs that write their answer to a file, `answer`.
 */
import { readdirSync } from 'node:fs'
import { type FailureKind, isFailureKind } from '../../lib/model/failure.ts'
import type { Usage } from '../../lib/model/usage.ts'
import type { ExitFacts, Provider, Settled, Task } from '../../lib/plugin/provider.ts'
import { checkProvider } from '../../lib/plugin/shape.ts'
import { assert, type Register, suite } from './check.ts'
import { exit, exits, hostile, shuffled } from './hostile.ts'
import { checkSettled, checkSign } from './settled.ts'
import { type Stream, streamAt } from './streams.ts'

/** Case (folder name) to how it must end. */
export type Expected = Readonly<Record<string, 'succeeded' | FailureKind>>

export interface Conformance {
  /** Folder of recorded streams, absolute. */
  readonly streams: string
  /** One line per stream: every stream has one and every line has a stream. */
  readonly expected: Expected
  /** What the provider's tasks need beside the usual, such as `own`. */
  readonly task?: Partial<Task>
}

const token = 'prompt-token-4711'
const baseTask: Task = {
  id: 'w1', prompt: `Do it, ${token}\n\nRuntime contract: report.`, mode: 'write', cwd: '/repo/a b', folder: '/runs/w1',
  isolated: true, inGit: true, mcp: false, timeoutSeconds: 60, allowCommands: [],
}

const used: Usage = { inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3, outputTokens: 4 }

/** Tasks that differ in all that an invocation may depend on. */
function tasksOf<Facts>(provider: Provider<Facts>, more: Partial<Task>): Task[] {
  const task: Task = { ...baseTask, ...more }
  const { can } = provider
  return [
    task,
    { ...task, mode: 'read-only', isolated: false, mcp: true, inGit: false },
    {
      ...task, ...(can.model ? { model: 'a-model' } : {}), ...(can.effort ? { effort: 'high' } : {}),
      ...(can.costCap ? { costCapUsd: 0.29 } : {}),
    },
    { ...task, ...(can.allowCommands ? { allowCommands: ['npm test'] } : {}) },
    ...(can.resume ? [{ ...task, isolated: false, resume: { session: 'session-1', costUsd: 0.25, usage: used } }] : []),
  ]
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) frozen(each)
    Object.freeze(value)
  }
  return value
}

const kindOf = ({ verdict }: Settled): string => verdict.ok ? 'succeeded' : verdict.kind

function run<Facts>(provider: Provider<Facts>, task: Task, lines: readonly string[], end: ExitFacts): Settled {
  const reader = provider.read(task)
  for (const line of lines) checkSign(reader.line(line))
  const settled = reader.settle(end)
  checkSettled(settled)
  return settled
}

function invocations<Facts>(provider: Provider<Facts>, more: Partial<Task>, test: Register): void {
  test('invoke() is pure and gives a complete command', () => {
    for (const task of tasksOf(provider, more)) {
      const first = provider.invoke(frozen(structuredClone(task)), frozen(structuredClone(provider.assumed)))
      assert.equal(provider.invoke(task, provider.assumed), first)
      for (const each of [first.file, ...first.args]) {
        assert.ok(typeof each === 'string' && !each.includes('\0'), `Argument ${JSON.stringify(each)} cannot be passed`)
      }
      assert.type(first.stdin, 'string')
      assert.is(first.file, task.own?.command ?? provider.executable, 'It starts another program than the one that is looked up')
    }
  })
  test('invoke() brings the task to the CLI once, in the way that the capabilities name', () => {
    for (const task of tasksOf(provider, more)) {
      const { args, stdin, promptArgs = [] } = provider.invoke(task, provider.assumed)
      const holding = args.flatMap((arg, index) => arg.includes(token) ? [index] : [])
      if (provider.can.promptVia === 'stdin') {
        assert.equal(holding, [], 'The task stands in the arguments')
        assert.ok(stdin.includes(token), 'The task is not in stdin')
      } else {
        assert.equal(holding.length + (stdin.includes(token) ? 1 : 0), 1, 'The task is given once')
        assert.equal(promptArgs, holding, 'promptArgs names the arguments that hold the task')
      }
    }
  })
}

function readers<Facts>(provider: Provider<Facts>, task: Task, streams: readonly Stream[], test: Register): void {
  test('the reader bears cut, empty, binary, huge and hostile lines in any order', () => {
    const lines = streams.flatMap(stream => stream.lines).slice(0, 60)
    const cut = lines.flatMap(line => [line.slice(0, line.length >> 1), line.slice(3)])
    for (const end of exits) run(provider, task, hostile, end)
    for (let seed = 1; seed <= 20; seed++) {
      const mixed = shuffled([...hostile.filter(line => line.length < 10_000), ...lines, ...cut], seed)
      run(provider, task, mixed, exits[seed % exits.length] ?? exit())
    }
  })
  test('the reader takes nothing, and noise, for no result', () => {
    for (const end of exits) assert.is.not(kindOf(run(provider, task, [], end)), 'succeeded')
    if (!provider.can.ownCommand) {
      for (const line of ['null', '[]', '42', '"x"', '{}', 'hello']) {
        assert.is.not(kindOf(run(provider, task, [line], exit())), 'succeeded', line)
      }
    }
  })
  test('two readers at the same time do not share anything', () => {
    for (const [index, stream] of streams.entries()) {
      const other = streams[(index + 1) % streams.length] ?? stream
      const [one, two] = [provider.read(task), provider.read(task)]
      for (let at = 0; at < Math.max(stream.lines.length, other.lines.length); at++) {
        for (const [reader, line] of [[one, stream.lines[at]], [two, other.lines[at]]] as const) {
          if (line !== undefined) reader.line(line)
        }
      }
      assert.equal(one.settle(stream.exit), run(provider, task, stream.lines, stream.exit), stream.name)
    }
  })
  test('time-outs, stalls, stops and kills before a result are told apart', () => {
    for (const lines of [[], ...streams.filter(stream => stream.lines.length > 2).map(stream => stream.lines.slice(0, 1))]) {
      const kind = (ended: ExitFacts['ended']): string =>
        kindOf(run(provider, task, lines, exit({ code: null, signal: 'SIGKILL', ended })))
      assert.equal([kind('timeout'), kind('stalled'), kind('stopped')], ['timed_out', 'stalled', 'stopped'])
      const others = ['succeeded', 'timed_out', 'stalled', 'stopped', 'rate_limited']
      assert.not(others.includes(kind('self')), 'A kill from outside is none of these')
    }
  })
}

/** Runs the suite for one provider. */
export function conformance<Facts>(provider: Provider<Facts>, { streams: folder, expected, task: more = {} }: Conformance): void {
  const names = readdirSync(folder).sort()
  const streams = names.map(name => streamAt(folder, name))
  const task: Task = { ...baseTask, ...more }
  suite(`provider ${provider.id}`, test => {
    test('it has the shape of a provider, and its id is the name of its file', async () => {
      assert.equal(checkProvider(provider, provider.id), { ok: true, provider })
      const module: unknown = await import(`../../plugins/providers/${provider.id}.ts`)
      assert.is(typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined, provider)
    })
    invocations(provider, more, test)
    readers(provider, task, streams, test)
    test('the table of expectations and the recorded streams name the same cases', () => {
      assert.equal(Object.keys(expected).sort(), names)
      for (const kind of Object.values(expected)) assert.ok(kind === 'succeeded' || isFailureKind(kind), kind)
    })
    for (const stream of streams) {
      const outcome = expected[stream.name]
      if (!outcome) continue
      test(`the recorded stream "${stream.name}" settles to ${outcome}`, () => {
        assert.is(kindOf(run(provider, task, stream.lines, stream.exit)), outcome)
      })
    }
  }, 30_000)
}
