/**
 * Errors as data: every refusal and failure is a `Problem` with a stable code, a sentence and a hint to type next.
 * `codes` is the one table of codes with their exit codes; `Fail` carries problems through a throw. Anything thrown
 * that is not a `Fail` is a bug of ours (exit 70) and keeps its stack.
 */

/** Exit codes: 0 done, 1 the work failed, 2 refused, 70 our bug, 130 interrupted. */
export const exits = { done: 0, failed: 1, refused: 2, bug: 70, interrupted: 130 } as const

/** Every stable code with the exit code it leads to. Callers compare codes, never the text of a message. */
export const codes = {
  'usage.unknown-option': exits.refused,
  'usage.missing-value': exits.refused,
  'usage.bad-value': exits.refused,
  'usage.repeated': exits.refused,
  'usage.unexpected-argument': exits.refused,
  'usage.missing-argument': exits.refused,
  'document.unreadable': exits.refused,
  'document.syntax': exits.refused,
  'document.duplicate-key': exits.refused,
  'document.shape': exits.refused,
  'document.unknown-field': exits.refused,
  'document.rule': exits.refused,
  'plugin.broken': exits.refused,
  'provider.unknown': exits.refused,
  'provider.conserved': exits.refused,
  'provider.none-available': exits.refused,
  'provider.cannot': exits.refused,
  'budget.over-policy': exits.refused,
  'budget.unknown-cost': exits.refused,
  'quota.blocked': exits.refused,
  'run.inside-worker': exits.refused,
  'run.folder-not-empty': exits.refused,
  'run.folder-foreign': exits.refused,
  'run.unwritable': exits.refused,
  'run.not-found': exits.refused,
  'run.unreadable': exits.refused,
  'run.no-space': exits.failed,
  'run.start-failed': exits.failed,
  'run.interrupted': exits.interrupted,
  'stop.survivors': exits.failed,
  'output.unwritable': exits.failed,
  'git.failed': exits.refused,
  'git.timeout': exits.refused,
  'git.refused': exits.refused,
  'settings.unwritable': exits.refused,
  'lock.busy': exits.refused,
} as const satisfies Record<string, number>

export type Code = keyof typeof codes

/** A place in a text file; line and column count from 1, columns in characters (code points). */
export interface Place { readonly file: string; readonly line: number; readonly column: number }

export interface Problem {
  readonly code: Code
  /** One sentence without a full stop: the action that failed, then why. Values quoted. */
  readonly message: string
  /** A command to type, or what to change. */
  readonly hint?: string
  readonly place?: Place
  /** Path inside a document, such as `workers.0.tier`. */
  readonly path?: string
  /** Machine-readable facts for `--json`. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** A refusal or failure that was foreseen. Carries one or more problems; the first decides the exit code. */
export class Fail extends Error {
  readonly problems: readonly [Problem, ...Problem[]]
  constructor(first: Problem, ...rest: readonly Problem[]) {
    super(first.message)
    this.name = 'Fail'
    this.problems = [first, ...rest]
  }

  get problem(): Problem { return this.problems[0] }
  get exit(): number { return codes[this.problem.code] }
}

/** Shorthand for the common case of a single problem. */
export const fail = (code: Code, message: string, more: Omit<Problem, 'code' | 'message'> = {}): Fail =>
  new Fail({ code, message, ...more })

/** Marks a branch that the types rule out. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`)
}

/** The `code` of a system error such as `ENOENT`, or undefined for anything else. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
