/**
 * What one worker printed, as its provider reads it: a fold over its log that follows while it runs, and the verdict once it has
 * ended. Whoever settles a run whose runner died reads the same log the same way. A plugin that throws and a log that cannot be
 * read are this worker's failure and nobody else's.
 */
import { join } from 'node:path'
import { systemCode } from '../base/fail.ts'
import { tailOf } from '../io/files.ts'
import { Follower } from '../io/follow.ts'
import type { ExitFacts, LiveSign, Provider, Settled, Task } from '../plugin/provider.ts'
import type { WorkerFiles } from './layout.ts'
import { faultOf, ofPlugin, settledBy } from './plugin-calls.ts'

/** How much of stderr a provider sees, and how long an answer file may be, in bytes. */
const stderrTail = 64 * 1024
const answerLimit = 4 * 1024 * 1024

/** What is known of an end besides what the files hold. */
export interface Ended extends Pick<ExitFacts, 'code' | 'signal' | 'ended'> {
  /** Name of the file in the worker's folder that may hold its answer. */
  readonly answerFile?: string | undefined
}

export interface Output {
  /** Reads what was added, at most so many bytes of it. */
  poll(maxBytes: number): Promise<void>
  /** The answer was seen. */
  answered(): boolean
  /** Reads what is left, of the whole log at most `mostBytes`, and gives the verdict. */
  settle(ended: Ended, mostBytes?: number): Promise<Settled>
  /** For a worker that never ran. */
  close(): Promise<void>
}

/** @throws `Fail('plugin.broken')` when the provider has no reader to give */
export function openOutput(provider: Provider, task: Task, files: WorkerFiles, onSign: (sign: LiveSign) => void = () => undefined): Output {
  const reader = ofPlugin(provider.id, () => provider.read(task))
  let [answered, fault]: [boolean, Settled | undefined] = [false, undefined]
  let cut: Pick<ExitFacts, 'cutLine' | 'cutHead'> = {}
  const take = (line: string): void => {
    if (fault) return
    try {
      const sign = reader.line(line)
      if (sign?.sign === 'result') answered = true
      if (sign) onSign(sign)
    } catch (error) {
      fault = faultOf(provider.id, error)
    }
  }
  const follower = new Follower(files.stdout, {
    line: take,
    cut: (cutLine, cutHead) => { if (cutLine > (cut.cutLine ?? 0)) cut = { cutLine, cutHead } },
  })
  const guarded = async (reading: Promise<unknown>): Promise<void> => {
    await reading.catch((error: unknown) => { fault ??= unreadable(files.stdout, error) })
  }
  return {
    poll: maxBytes => guarded(follower.poll(maxBytes)),
    answered: () => answered,
    settle: async ({ answerFile, ...ended }, mostBytes) => {
      await guarded(follower.finish(mostBytes))
      if (fault) return fault
      const answer = answerFile === undefined ? '' : await tailIfReadable(join(files.folder, answerFile), answerLimit)
      const exit = { ...ended, stderrTail: await tailIfReadable(files.stderr, stderrTail), ...(answer ? { answer } : {}), ...cut }
      return settledBy(provider.id, () => reader.settle(exit))
    },
    close: () => follower.close(),
  }
}

/** A worker may do anything to its own log. */
function unreadable(path: string, error: unknown): Settled {
  const code = systemCode(error)
  if (code === undefined) throw error
  return { verdict: { ok: false, kind: 'invalid_output', error: `Cannot read what it printed: "${path}" (${code})` }, text: '' }
}

/** Its other files are its own too: one that cannot be read says nothing. */
const tailIfReadable = (path: string, bytes: number): Promise<string> => tailOf(path, bytes).catch((error: unknown) => {
  if (systemCode(error) === undefined) throw error
  return ''
})
