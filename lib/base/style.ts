/**
 * Colour without escape sequences: text carries marks that cannot be control characters, and only `forScreen` turns them into
 * sequences, after everything else that could drive a terminal is gone. So text of agents can at worst be coloured.
 */
import { clean } from './text.ts'

/** A terminal or a pipe. `columns` is 80 where there is no terminal: wrap to it, but cut only where `tty` holds. */
export interface Screen { readonly columns: number; readonly color: boolean; readonly tty: boolean }

/** SGR numbers, found by the position of their mark. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof styles

/** Noncharacters: Unicode keeps them for use inside programs, no text holds them. */
const firstMark = 0xfdd0
const names = Object.keys(styles)
const endMark = '\ufdef'
const anyMark = /[\ufdd0-\ufdef]/g
const reset = '\u001b[0m'

/** Marks `text` to be shown in a style where the screen has colour. Styles do not nest. */
export const paint = (style: Style, text: string): string =>
  `${String.fromCharCode(firstMark + names.indexOf(style))}${text}${endMark}`

/** The text that may be written: control characters and direction marks gone, styles as the screen has them. */
export function forScreen(text: string, screen: Pick<Screen, 'color'>): string {
  const safe = clean(text)
  if (!screen.color) return safe.replace(anyMark, '')
  const numbers = Object.values(styles)
  const sequence = (mark: string): string => {
    const number = numbers[mark.charCodeAt(0) - firstMark]
    return number === undefined ? reset : `\u001b[${number}m`
  }
  // A style ends with its line, so that a stray mark colours no more than that.
  const closing = (line: string): string => (line.match(anyMark)?.at(-1) ?? endMark) === endMark ? '' : reset
  return safe.split('\n').map(line => `${line.replace(anyMark, sequence)}${closing(line)}`).join('\n')
}
