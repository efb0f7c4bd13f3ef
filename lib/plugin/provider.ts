/**
 * What a provider plugin is: data about a CLI, a pure `invoke` that says how to start it, and `read`, a fold over its
 * output that ends in a verdict. Plugins import from `lib/plugin/` only; the core performs every effect.
 */
import type { Capabilities } from '../model/capabilities.ts'
import type { OwnCommand } from '../model/planned.ts'
import type { FailureKind } from '../model/failure.ts'
import type { QuotaReading } from '../model/quota.ts'
import type { Usage } from '../model/usage.ts'

export type { Capabilities } from '../model/capabilities.ts'
export type { OwnCommand } from '../model/planned.ts'

/** One worker's job as a provider sees it. */
export interface Task {
  readonly id: string
  /** The exact text, worker contract included. */
  readonly prompt: string
  readonly mode: 'read-only' | 'write'
  /** Where the process starts. */
  readonly cwd: string
  /** The worker's own folder (absolute): `answerFile` and `files` live there. */
  readonly folder: string
  readonly isolated: boolean
  readonly inGit: boolean
  readonly mcp: boolean
  readonly timeoutSeconds: number
  readonly allowCommands: readonly string[]
  readonly model?: string
  readonly effort?: string
  readonly costCapUsd?: number
  /** The session to go on with, and what it had used when it ended. */
  readonly resume?: { readonly session: string; readonly usage?: Usage; readonly costUsd?: number }
  readonly own?: OwnCommand
}

/** How to start the CLI. */
export interface Invocation {
  /** A name looked up on PATH, or a path. */
  readonly file: string
  readonly args: readonly string[]
  /** Variables to set, or to remove where null. */
  readonly env?: Readonly<Record<string, string | null>>
  /** Variables to set only where the caller's environment has none. */
  readonly envDefaults?: Readonly<Record<string, string>>
  /** What the process reads; it gets the end of the file after it. */
  readonly stdin: string
  /** A file in `task.folder` into which the CLI writes its last answer. */
  readonly answerFile?: string
  /** Files the core writes into `task.folder` first, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Folders the core makes in `task.folder` first, by name. */
  readonly folders?: readonly string[]
  /** Lines for `dry-run`: what was changed or left out, and why. */
  readonly notes?: readonly string[]
  /** True when `task.costCapUsd` is enforced by an argument. */
  readonly costCapped?: boolean
  /** Positions in `args` that hold the task, so that printouts can leave it out. */
  readonly promptArgs?: readonly number[]
}

/** What a watcher may show of one line. `result` starts the post-result grace. */
export type LiveSign =
  | { readonly sign: 'started'; readonly session?: string }
  | { readonly sign: 'text'; readonly text: string }
  | { readonly sign: 'tool'; readonly text: string }
  | { readonly sign: 'retry'; readonly text: string }
  | { readonly sign: 'result' }

/** How the process ended. `unseen`: nobody was there to see it. */
export interface ExitFacts {
  readonly code: number | null | 'unseen'
  readonly signal: string | null
  /** `self`: by itself; `lingered`: it had answered and was ended after the grace. */
  readonly ended: 'self' | 'timeout' | 'stalled' | 'stopped' | 'lingered' | 'overflow'
  /** The last lines of stderr, at most 64 KiB. */
  readonly stderrTail: string
  /** Content of `answerFile`, when it exists. */
  readonly answer?: string
  /** Length in bytes of the longest line that was cut, when one was. */
  readonly cutLine?: number
  /** How that line begins, at most 200 bytes. */
  readonly cutHead?: string
}

/** A provider's verdict over a finished log. Absent figures are absent, never zero. */
export interface Settled {
  readonly verdict:
    | { readonly ok: true }
    | { readonly ok: false; readonly kind: FailureKind; readonly error: string; readonly resetsAt?: string; readonly resetHint?: string }
  /** The final text, '' where there is none. */
  readonly text: string
  readonly session?: string
  /** Used by this process alone. */
  readonly usage?: Usage
  /** The thread's total after this run, for CLIs that count per thread: what a resume must subtract. */
  readonly sessionUsage?: Usage
  readonly costUsd?: number
  readonly costByModel?: Readonly<Record<string, number>>
  readonly billedModels?: readonly string[]
  readonly turns?: number
  readonly denials?: readonly string[]
  /** Non-fatal things worth a look. */
  readonly warnings?: readonly string[]
  readonly quota?: QuotaReading
}

/** A fold over stdout with bounded memory; its state hides in a closure. Neither method ever throws. */
export interface Reader {
  line(line: string): LiveSign | null
  settle(exit: ExitFacts): Settled
}

/** An installed CLI that may be asked things: each call has a closed stdin and a time-out, and is made once per run. */
export interface Cli {
  /** Runs the CLI with `args`; `code` is null when it was killed or could not start. */
  ask(args: readonly string[], timeoutMs?: number): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Text of a file, or null when it cannot be read (or is larger than 1 MiB). */
  readText(path: string): Promise<string | null>
}

/** What `probe` shows of a CLI. `loggedIn` is null when the CLI has no way to tell. */
export interface ProbeReport { readonly version: string | null; readonly loggedIn: boolean | null; readonly notes?: readonly string[] }

export interface Provider<Facts = unknown> {
  readonly kind: 'provider'
  readonly api: 1
  /** Equals the file's base name. */
  readonly id: string
  readonly summary: string
  readonly aliases: readonly string[]
  /** Who sells the models, for prices. */
  readonly vendor?: string
  /** The program, looked up on PATH. */
  readonly executable: string
  /** Place in the default provider order; absent: never chosen by `auto`. */
  readonly rank?: number
  readonly can: Capabilities
  /** Signals in order before TERM and KILL. */
  readonly stop: readonly NodeJS.Signals[]
  /** Variables of a parent session, dropped from every child; `*` at the end matches a prefix. */
  readonly parentEnv: readonly string[]
  /** What is believed of a CLI that cannot be asked. */
  readonly assumed: Facts
  /** What the installed CLI can do; asked once per run. */
  inspect?(cli: Cli): Promise<Facts>
  probe?(cli: Cli): Promise<ProbeReport>
  /** Warnings about one task, for `validate` and `dry-run`. */
  advise?(task: Task): readonly string[]
  invoke(task: Task, facts: Facts): Invocation
  read(task: Task): Reader
}

/** Gives a provider its types; returns it unchanged. */
export const defineProvider = <Facts>(provider: Provider<Facts>): Provider<Facts> => provider
