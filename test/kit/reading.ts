/** Short ways to feed a provider's reader and to look at its verdict. */
import type { ExitFacts, LiveSign, Provider, Settled, Task } from '../../lib/plugin/provider.ts'
import { exit } from './hostile.ts'

/** A task with nothing special about it. */
export const taskWith = (more: Partial<Task> = {}): Task => ({
  id: 'w', prompt: 'Do it', mode: 'write', cwd: '/repo', folder: '/run/w', isolated: true, inGit: true, mcp: false,
  timeoutSeconds: 60, allowCommands: [], ...more,
})

/** Events are written as JSON, texts stay lines as they are. */
export const lineOf = (event: unknown): string => typeof event === 'string' ? event : JSON.stringify(event)

export interface Reading extends Settled { readonly signs: readonly LiveSign[] }

/** Reads the events, then the ending. */
export function readWith<F>(provider: Provider<F>, events: readonly unknown[], end: Partial<ExitFacts> = {},
  task: Partial<Task> = {}): Reading {
  const reader = provider.read(taskWith(task))
  const signs = events.flatMap(event => reader.line(lineOf(event)) ?? [])
  return { ...reader.settle(exit(end)), signs }
}

/** `succeeded`, or the kind of the failure. */
export const kindOf = ({ verdict }: Settled): string => verdict.ok ? 'succeeded' : verdict.kind
/** The error text, '' for success. */
export const errorOf = ({ verdict }: Settled): string => verdict.ok ? '' : verdict.error
