/** The worker contract: what every task ends with, so that workers stay workers and hand over in a form that can be read. */

const marker = 'Runtime contract:'

const rules = [
  'Do the work yourself: start no subagents, no other agent CLI and no orchestration of your own.',
  'Do not commit, push, tag, release or open a pull request.',
  'End with a short report: outcome, evidence, changed files, checks with their results, failures, risks. No transcript.',
  'Its last two lines are `STATUS:` with DONE, DONE_WITH_CONCERNS, BLOCKED or NEEDS_CONTEXT, and `SUMMARY:` with one sentence.',
]
const readOnlyRule = 'This job is read-only: change, create and delete no files.'

const text = (lines: readonly string[]): string => [marker, ...lines.map(line => `- ${line}`)].join('\n')
const usual = text(rules)
const readOnly = text([readOnlyRule, ...rules])

export interface ContractOptions {
  readonly readOnly?: boolean
  /** The worker gets the task's exact bytes: white space at its ends too, and even when it begins like a CLI's own command. */
  readonly exact?: boolean
}

/**
 * The prompt of a task: the contract after a blank line, exactly once. A task never begins with `/`, which agent CLIs take for
 * a command of their own.
 */
export function withContract(task: string, options: ContractOptions = {}): string {
  const whole = task.trimEnd()
  const exact = whole.endsWith(usual) || whole.endsWith(readOnly) ? taskOnly(whole) : task
  const bare = options.exact ? exact : exact.trim()
  const safe = bare.startsWith('/') && !options.exact ? `Task: ${bare}` : bare
  return `${safe}\n\n${options.readOnly ? readOnly : usual}\n`
}

/** The task of a prompt, without its contract. */
export function taskOnly(prompt: string): string {
  const at = prompt.lastIndexOf(`\n\n${marker}`)
  return at < 0 ? prompt : prompt.slice(0, at)
}
