/** Recorded streams of CLIs under `test/fixtures/streams/<provider>/<case>/`, as the runner would hand them to a reader. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { ExitFacts } from '../../lib/plugin/provider.ts'

/** The folder of recorded streams of a provider. */
export const streamsOf = (id: string): string => fileURLToPath(new URL(`../fixtures/streams/${id}`, import.meta.url))

export interface Stream { readonly name: string; readonly lines: readonly string[]; readonly exit: ExitFacts }

const Meta = v.looseObject({
  code: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  killedAt: v.nullish(v.number()),
})

const maybeRead = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The lines as the runner hands them over: split at 0x0A only, one CR stripped. */
function linesOf(stdout: string): string[] {
  const lines = stdout.split('\n').map(line => line.endsWith('\r') ? line.slice(0, -1) : line)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Reads one case; a run that the recorder ended counts as stopped. */
export function streamAt(folder: string, name: string): Stream {
  const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8')
  const { code, signal, killedAt } = v.parse(Meta, JSON.parse(read('meta.json')))
  const answer = maybeRead(join(folder, name, 'answer'))
  return {
    name,
    lines: linesOf(read('stdout')),
    exit: {
      code, signal, ended: typeof killedAt === 'number' ? 'stopped' : 'self', stderrTail: read('stderr').slice(-65_536),
      ...(answer === undefined ? {} : { answer }),
    },
  }
}
