/** Errors as they are printed: for people and models lines with place, excerpt and hint, with `--json` one object. */
import { relative, sep } from 'node:path'
import { exits, Fail, type Place, type Problem } from '../base/fail.ts'
import { maskFor } from '../base/mask.ts'
import { paint } from '../base/style.ts'
import { cleanLine, plural, width } from '../base/text.ts'

/** Problems shown as text; `--json` has all of them. */
const mostShown = 20
/** An excerpt shows at most this many characters, and the caret stands at most so far into it. */
const excerptLength = 110
const caretAt = 70

/** What a failed command tells, and the code it ends with. */
export type Report =
  | { readonly kind: 'fail'; readonly problems: readonly Problem[]; readonly exit: number }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string; readonly exit: number }

/** A `Fail` tells its problems; anything else is a bug of ours and keeps its stack, with the secrets of `env` masked. */
export function reportOf(error: unknown, env: Readonly<Record<string, string | undefined>>): Report {
  if (error instanceof Fail) return { kind: 'fail', problems: error.problems, exit: error.exit }
  const mask = maskFor(env)
  const message = `Internal error: ${error instanceof Error ? error.message : String(error)}`
  return { kind: 'bug', message: mask(message), stack: mask(stackOf(error)), exit: exits.bug }
}

/** The stack with its causes; a thrown value that is no error has none. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? error.message
  return error.cause === undefined ? own : `${own}\nCaused by: ${error.cause === error ? 'itself' : stackOf(error.cause)}`
}

/** One object; the facts of a problem stand beside its other fields and never replace them. */
export function reportJson(report: Report): object {
  const errors = report.kind === 'bug'
    ? [{ code: 'bug', message: report.message, stack: report.stack }]
    : report.problems.map(({ facts, ...problem }) => ({ ...problem, ...facts, ...problem }))
  return { ok: false, error: errors[0], errors }
}

/** Lines for stderr, with marks for colour, without a final newline. A problem or a hint that was told is not told again. */
export function reportText(report: Report, cwd: string): string {
  const label = paint('red', 'error:')
  if (report.kind === 'bug') return `${label} Internal error: ${report.stack}`
  const blocks = new Map(report.problems.map(problem => [problemLines(problem, cwd).join('\n'), problem.hint]))
  const hints = new Set<string>()
  const lines: string[] = []
  for (const [block, hint] of [...blocks].slice(0, mostShown)) {
    lines.push(`${label} ${block}`)
    if (hint === undefined || hints.has(hint)) continue
    hints.add(hint)
    lines.push(`${paint('cyan', 'hint:')} ${cleanLine(hint)}`)
  }
  if (blocks.size > mostShown) lines.push(`${label} ${plural(blocks.size - mostShown, 'more problem')}, all of them with --json`)
  return lines.join('\n')
}

function problemLines(problem: Problem, cwd: string): string[] {
  const { place, path, message, code, facts } = problem
  const where = [...(place ? [placeText(place, cwd)] : []), ...(path !== undefined && !message.includes(path) ? [path] : [])]
  const source = facts?.['source']
  const caret = facts?.['caret'] ?? place?.column
  return [
    `${cleanLine([...where, message].join(': '))} ${paint('dim', `[${code}]`)}`,
    ...(place && typeof source === 'string' && typeof caret === 'number' ? excerptLines(place.line, source, caret) : []),
  ]
}

/** The file as it is named from here, when it lies below. */
function placeText(place: Place, cwd: string): string {
  const near = relative(cwd, place.file)
  const file = place.file.startsWith(cwd) && !near.startsWith(`..${sep}`) && near !== '' ? near : place.file
  return `${file}:${place.line}:${place.column}`
}

/** The source line and a caret under the word at `column` (from 1, in characters); a long line is cut around it. */
function excerptLines(line: number, source: string, column: number): string[] {
  // Character by character, so that the caret's column stays true.
  const all = Array.from(source, character => cleanLine(character) || ' ')
  const from = column > caretAt ? column - caretAt : 0
  const shown = all.slice(from, from + excerptLength)
  const before = [from > 0 ? '…' : '', ...shown.slice(0, column - 1 - from)].join('')
  const after = shown.slice(column - 1 - from).join('')
  const word = /^(?:"(?:[^"\\]|\\.)*"?|[\p{L}\p{N}_.-]+)/u.exec(after)?.[0] ?? ''
  const number = String(line).padStart(5)
  const caret = paint('red', '^'.repeat(Math.max(1, width(word))))
  return [
    paint('dim', `${number} | ${before}${after}${all.length > from + excerptLength ? '…' : ''}`.trimEnd()),
    `${' '.repeat(number.length)} ${paint('dim', '|')} ${' '.repeat(width(before))}${caret}`,
  ]
}
