/** Why a worker did not succeed: the kinds, each with what to do next. */

/** Every failure kind with its hint: a command to type or the next step. */
export const failureHints = {
  rate_limited: 'wait for the reset or move the work to another provider',
  overloaded: 'the service is overloaded, not your plan: run the worker again in a few minutes',
  auth: 'log in to the CLI, then `probe` to check',
  billing: 'check the plan or credit of the account',
  model_unavailable: 'name a model that the CLI offers, or leave `model` out',
  context_too_long: 'shorten the task or point to files instead of copying them',
  budget: 'raise the limit in `budget` or split the work',
  quota_low: 'wait for the reset, or pass --allow-low-quota when the user agrees',
  permission: 'give the worker what it asked for (mode, allowCommands, isolate) or drop that step from its task',
  network: 'check the connection, then run the worker again',
  not_installed: 'install the CLI or put it on PATH, then `probe` to check',
  invalid_output: 'read stdout.log: the CLI broke off or printed something else than its format',
  no_result: 'read stdout.log and stderr.log: the CLI ended without an answer',
  nothing_ran: 'the CLI took the task for a command or a hook stopped it: nothing was sent to a model',
  timed_out: 'raise timeoutSeconds or split the task; `resume` goes on in the same session',
  stalled: 'raise idleTimeoutSeconds, or read stderr.log for silent retries',
  stopped: 'start it again when it is wanted',
  interrupted: 'run the worker again; `resume` goes on in the same session',
  checks_failed: 'read the output of the failed check',
  error: 'read stderr.log',
} as const satisfies Record<string, string>

export type FailureKind = keyof typeof failureHints
export const isFailureKind = (text: string): text is FailureKind => Object.hasOwn(failureHints, text)
