/** One line about an event of a running wave, for a person who watches. */
import { cleanLine, cutTo } from '../base/text.ts'
import { paint, type Screen } from '../base/style.ts'
import type { WaveEvent } from '../run/context.ts'

/** The line, or null for events that would only flood the screen. */
export function liveLine(event: WaveEvent, screen: Screen): string | null {
  const line = (style: 'dim' | 'green' | 'red' | 'yellow', word: string, text: string): string =>
    cutTo(`${paint(style, word.padEnd(8))} ${event.worker}  ${cleanLine(text)}`, screen.columns - 1)
  if (event.event === 'started') return line('dim', 'started', `on ${event.provider}`)
  if (event.event === 'ended') return line(event.status === 'succeeded' ? 'green' : 'red', event.status, event.error ?? '')
  const { sign } = event
  switch (sign.sign) {
    case 'tool': return line('dim', 'tool', sign.text)
    case 'retry': return line('yellow', 'retry', sign.text)
    case 'text':
    case 'started':
    case 'result': return null
  }
}
