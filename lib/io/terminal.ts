/** A terminal that was closed under a running program. Closes descriptors of this process. */
import { closeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Host } from './host.ts'

/**
 * Lets go of standard streams whose terminal hung up. To be called last: Node sets the terminal back at its end and aborts
 * (SIGABRT, measured on 20.20) when that fails; it passes by descriptors that are closed.
 */
export function leaveClosedTerminal({ stdin, stdout, stderr }: Host['terminal']): void {
  for (const [fd, wasTerminal] of [stdin, stdout.tty, stderr.tty].entries()) {
    if (wasTerminal && !isatty(fd)) closeSync(fd)
  }
}
