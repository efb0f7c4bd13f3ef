/**
 * Runs a command on given arguments and prints its result: text or one JSON object on stdout, errors on stderr or in the object.
 * Touches no global, so that tests can call it.
 */
import { exits, fail } from '../base/fail.ts'
import { forScreen, type Screen } from '../base/style.ts'
import type { Host } from '../io/host.ts'
import { type Report, reportJson, reportOf, reportText } from './errors.ts'
import { helpText } from './help.ts'
import type { Options, Words } from './options.ts'
import { checkArguments, type Sorted, sortArguments } from './parse.ts'
import type { CommandSpec } from './spec.ts'
import type { Outlet } from './streams.ts'

export interface Setting {
  readonly argv: readonly string[]
  readonly host: Host
  /** Real path of the command's own file. */
  readonly entry: string
  readonly signal: AbortSignal
  readonly stdout: Outlet
  readonly stderr: Outlet
}

/** Controls and direction marks that JSON may hold unescaped. */
const looseMarks = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu
const escaped = (mark: string): string =>
  Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** One line of JSON that is safe on a terminal. */
const jsonLine = (data: object): string => `${JSON.stringify(data).replace(looseMarks, escaped)}\n`

/** Text for a screen, with one line end behind it; nothing for no text. */
const textLines = (text: string, screen: Screen): string => text.trim() === '' ? '' : `${forScreen(text, screen).trimEnd()}\n`

/** Runs, prints, and returns the exit code. Rejects only for a bug of its own. */
export async function execute<O extends Options, W extends Words, D extends object, E>(
  command: CommandSpec<O, W, D, E>, setting: Setting,
): Promise<number> {
  const { host, stdout, signal } = setting
  const sorted = sortArguments(command, setting.argv)
  const report = (error: unknown): Report => reportOf(isInterruption(error, signal) ? signal.reason : error, host.env)
  const code = await produce(command, sorted, setting).catch((error: unknown) => tell(report(error), sorted.json, setting))
  if (!stdout.fault) return signal.aborted && code !== exits.bug ? exits.interrupted : code
  // With --json too: an object on a stdout that takes nothing would tell nobody.
  return await tell(reportOf(fail('output.unwritable', `Cannot write the output: ${stdout.fault}`), host.env), false, setting)
}

async function produce<O extends Options, W extends Words, D extends object, E>(
  command: CommandSpec<O, W, D, E>, sorted: Sorted, { host, entry, signal, stdout, stderr }: Setting,
): Promise<number> {
  const { json } = sorted
  const { stdout: screen, stderr: watched } = host.terminal
  const print = (data: object, text: () => string): Promise<void> =>
    stdout.write(json ? jsonLine(data) : textLines(text(), screen))
  if (sorted.help) {
    await stdout.write(textLines(helpText(command, screen), screen))
    return exits.done
  }
  if (sorted.version) {
    const { versionNear } = await import('../io/version.ts')
    const version = await versionNear(entry)
    await print({ version }, () => version)
    return exits.done
  }
  const emit = (event: E): void => {
    const line = watched.tty && !json ? command.live?.(event, watched) : null
    if (line) void stderr.write(textLines(line, watched))
  }
  const data = await command.run({ ...checkArguments(sorted, command), host, signal, emit, entry })
  await print(data, () => command.text(data, screen))
  return command.exit?.(data) ?? exits.done
}

/** Did `run` end because it was told to? Functions of Node that take a signal reject with an error of their own. */
const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && (error === signal.reason || error.name === 'AbortError')

/** Prints an error in the form that was asked for; returns its exit code. */
export async function tell(
  report: Report, json: boolean, { host, stdout, stderr }: Pick<Setting, 'host' | 'stdout' | 'stderr'>,
): Promise<number> {
  if (json) await stdout.write(jsonLine(reportJson(report)))
  else await stderr.write(textLines(reportText(report, host.cwd), host.terminal.stderr))
  return report.exit
}
