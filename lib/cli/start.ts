/**
 * Runs a command as the program of this process. The exit code means a bug until the command has ended, so that a promise that
 * never settles, or an error nobody caught, is never a success.
 */
import { exits } from '../base/fail.ts'
import { realHost } from '../io/host.ts'
import { leaveClosedTerminal } from '../io/terminal.ts'
import { reportOf } from './errors.ts'
import { execute, tell } from './execute.ts'
import type { Options, Words } from './options.ts'
import { sortArguments } from './parse.ts'
import { abortOnSignal } from './signals.ts'
import type { CommandSpec } from './spec.ts'
import { outletOf } from './streams.ts'

/** @param entry real path of the command's own file */
export function start<O extends Options, W extends Words, D extends object, E>(
  command: CommandSpec<O, W, D, E>, entry: string,
): void {
  process.exitCode = exits.bug
  const argv = process.argv.slice(2)
  const host = realHost(process)
  const stdout = outletOf(process.stdout)
  const stderr = outletOf(process.stderr)
  const json = (): boolean => sortArguments(command, argv).json
  let over = false
  const crash = async (error: unknown): Promise<void> => {
    if (over) return
    over = true
    await tell(reportOf(error, host.env), json(), { host, stdout, stderr })
    process.exit(exits.bug)
  }
  // Also for rejections that nobody handles.
  process.on('uncaughtException', error => { void crash(error) })
  process.on('beforeExit', () => {
    void crash(new Error('The command ended before its work did: nothing is left that it could wait for'))
  })
  process.on('exit', () => { leaveClosedTerminal(host.terminal) })
  const signal = abortOnSignal(host.clock, () => {
    if (host.terminal.stderr.tty && !json()) void stderr.write('Interrupted, cleaning up (Ctrl-C again in 2 s ends at once)\n')
  })
  // Not at once: the command's file may define more below its declaration.
  queueMicrotask(() => {
    execute(command, { argv, host, entry, signal, stdout, stderr }).then(code => {
      over = true
      // Everything is written. What is still open must not keep a finished command.
      process.exit(code)
    }, crash)
  })
}
