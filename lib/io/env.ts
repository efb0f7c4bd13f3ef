/** Environments of children, by rule: the caller's, minus what names a parent agent session or points git elsewhere, plus our marks. */
import { childGitEnv } from './git.ts'
import { markerName } from './process/table.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Set in every worker of a wave. */
export const workerFlag = 'ALETHE_ORCHESTRATE_WORKER'
/** Set in every process that the forks skill starts. */
const forkFlag = 'SPIRE_FORKS_CHILD'

/** True inside a worker or a fork: nothing that starts work may run there. */
export const insideWorker = (env: Env): boolean => Boolean(env[workerFlag]) || Boolean(env[forkFlag])

/** Does a name match one of `patterns`? `*` at the end of a pattern matches any rest. */
const matches = (name: string, patterns: readonly string[]): boolean =>
  patterns.some(pattern => pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)

/**
 * What every child of a wave starts from.
 * @param parentEnv variables of a parent agent session, dropped whoever the child is (absent, not blank)
 */
export function baseEnv(caller: Env, parentEnv: readonly string[]): Record<string, string> {
  const kept = Object.entries(childGitEnv(caller)).filter((entry): entry is [string, string] => entry[1] !== undefined && !matches(entry[0], parentEnv))
  return Object.fromEntries(kept)
}

/** One worker's environment. `defaults` are set only where the caller's environment has nothing. */
export function workerEnv(base: Readonly<Record<string, string>>, marker: string, own: {
  readonly set?: Readonly<Record<string, string | null>>
  readonly defaults?: Readonly<Record<string, string>>
}): Record<string, string> {
  const merged: Record<string, string | null> = { ...own.defaults, ...base, ...own.set, [workerFlag]: '1', [markerName]: marker }
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null))
}
