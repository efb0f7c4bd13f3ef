/** Starts one worker's program with its task and stays until it is gone. Writes the prompt and whatever files the provider asks for. */
import { join } from 'node:path'
import { Fail, fail } from '../base/fail.ts'
import { workerEnv } from '../io/env.ts'
import { makeFolder, writeWhole } from '../io/files.ts'
import { type Child, start } from '../io/process/start.ts'
import { unsafeForCmd } from '../io/which.ts'
import type { Invocation, Task } from '../plugin/provider.ts'
import { providerOf, type WaveContext } from './context.ts'
import { markerOf, workerFiles } from './layout.ts'
import type { Output } from './output.ts'
import type { ResolvedWorker } from './resolve.ts'
import { supervise, type Supervised } from './supervise.ts'

export interface Performance { readonly invocation: Invocation; readonly task: Task; readonly output: Output }
export type Done = Supervised & Pick<Child, 'identity'>

/** A program that cannot be started is a `Fail` that comes back, not one that is thrown: it is this worker's alone. */
export async function perform(wave: WaveContext, worker: ResolvedWorker, { invocation, task, output }: Performance): Promise<Done | Fail> {
  try {
    await layOut(wave, worker, invocation, task)
    return await supervised(wave, worker, await begin(wave, worker, invocation, task), { invocation, task, output })
  } catch (error) {
    await output.close()
    if (error instanceof Fail && error.problem.code === 'run.start-failed') return error
    throw error
  }
}

async function layOut(wave: WaveContext, worker: ResolvedWorker, invocation: Invocation, task: Task): Promise<void> {
  await writeWhole(workerFiles(wave.folder, worker.id).prompt, invocation.stdin === '' ? task.prompt : invocation.stdin)
  for (const name of invocation.folders ?? []) await makeFolder(join(task.folder, name))
  for (const [name, content] of Object.entries(invocation.files ?? {})) await writeWhole(join(task.folder, name), content)
}

function begin(wave: WaveContext, worker: ResolvedWorker, invocation: Invocation, task: Task): Promise<Child> {
  const files = workerFiles(wave.folder, worker.id)
  const [file = '', ...before] = worker.launch ?? []
  if (wave.host.platform === 'win32' && unsafeForCmd(file, invocation.args)) {
    throw fail('run.start-failed', `Cannot start "${file}": it is a batch file, and cmd.exe would rewrite its arguments`, { hint: 'name the real program, or hand the task over by stdin' })
  }
  const env = workerEnv(wave.env, markerOf(wave.runId, worker.id), {
    ...(invocation.env ? { set: invocation.env } : {}), ...(invocation.envDefaults ? { defaults: invocation.envDefaults } : {}),
  })
  return start({
    file, args: [...before, ...invocation.args], cwd: task.cwd, env,
    stdin: invocation.stdin === '' ? null : files.prompt, stdout: files.stdout, stderr: files.stderr,
  })
}

async function supervised(wave: WaveContext, worker: ResolvedWorker, child: Child, { task, output }: Performance): Promise<Done> {
  const files = workerFiles(wave.folder, worker.id)
  const provider = providerOf(wave, worker)
  const startedAt = new Date(wave.host.clock.now()).toISOString()
  wave.board.worker(worker.id, { status: 'running', startedAt, cwd: task.cwd, pid: child.identity.pid, process: child.identity, stopSignals: [...provider.stop] })
  wave.emit({ event: 'started', worker: worker.id, provider: worker.provider })
  const done = await supervise({
    child, output, stdoutPath: files.stdout, stderrPath: files.stderr, signals: provider.stop, marker: markerOf(wave.runId, worker.id),
    ticker: wave.ticker, stop: wave.stop, monotonic: () => wave.host.clock.monotonic(), pace: wave.pace,
    timeoutMs: task.timeoutSeconds * 1000,
    ...(worker.idleTimeoutSeconds === undefined || provider.can.silent ? {} : { idleMs: worker.idleTimeoutSeconds * 1000 }),
    progress: (outputBytes, idleMs) => { wave.board.worker(worker.id, { outputBytes, idleSeconds: Math.round(idleMs / 1000) }) },
  })
  return { ...done, identity: child.identity }
}
