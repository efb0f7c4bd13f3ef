/**
 * What a headless Claude CLI understands: which options it has, and how a prompt reaches it as mere text. Shared by
 * every caller of that CLI. Pure.
 */
import { shorten } from './text.ts'

/** Options that work but stand in no line of `--help` (measured on claude 2.1.197). */
const hiddenFlags = ['--max-turns', '--append-system-prompt-file'] as const

/** The options of an installed CLI, from what its `--help` prints. */
export const claudeFlags = (help: string): readonly string[] =>
  [...new Set([...hiddenFlags, ...[...help.matchAll(/(?<![\w-])--[a-zA-Z][\w-]*/g)].map(([flag]) => flag)])]

/** A prompt that is safe to send, and what was changed in it. */
export interface SafePrompt { readonly prompt: string; readonly notes: readonly string[] }

const mostNamed = 5

/** Fenced blocks (closed, or open to the end) and code inside a line. */
const codePattern = /^ {0,3}(```|~~~)[^\n]*\n(?:[\s\S]*?^ {0,3}\1|[\s\S]*)|`[^`\n]+`/gm

/** `@` and a word after it, at the start of the text or after white space: there, and only there, Claude attaches a file. */
const mentionPattern = /(?<!\S)@[^\s`@][^\s`]*/g
/** Where the word of a mention ends: punctuation after it stays outside, brackets only where none is open in it. */
function wordEnd(mention: string): number {
  const closing = /[([{]/.test(mention) ? '.,;:!?' : '.,;:!?)]}>\'"'
  let end = mention.length
  while (end > 1 && closing.includes(mention.charAt(end - 1))) end--
  return end
}

/** In code, decorators and package scopes stay as they are; a path that leaves the folder is wrapped there too. */
const leavesFolder = /^@["']?(?:[/~\\]|\.{1,2}[/\\]|[A-Za-z]:)/

function codeSpans(prompt: string): (at: number) => boolean {
  const spans = [...prompt.matchAll(codePattern)].map(match => [match.index, match.index + match[0].length] as const)
  let next = 0
  // Positions are asked for in rising order.
  return at => {
    for (let span = spans[next]; span && span[1] <= at; span = spans[next]) next++
    const span = spans[next]
    return span !== undefined && span[0] <= at
  }
}

/**
 * Wraps `@word` in backticks, so that Claude does not attach the file of that name (it would, also outside its folder),
 * and puts a line before a leading `/`, which would be a command. Both measured on claude 2.1.197 and 2.1.332:
 * `` `@path` `` and text after another line are sent as they stand. E-mail addresses are no mentions.
 */
export function safePrompt(original: string): SafePrompt {
  const inCode = codeSpans(original)
  const wrapped: string[] = []
  const quoted = original.replace(mentionPattern, (mention: string, at: number) => {
    if (inCode(at) && !leavesFolder.test(mention)) return mention
    const end = wordEnd(mention)
    if (end < 2) return mention
    const word = mention.slice(0, end)
    wrapped.push(word)
    return `\`${word}\`${mention.slice(end)}`
  })
  const isCommand = /^\s*\//.test(quoted)
  const named = [...new Set(wrapped)]
  const rest = named.length - mostNamed
  const words = `${named.slice(0, mostNamed).map(word => shorten(word, 80)).join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return {
    prompt: isCommand ? `Task:\n${quoted}` : quoted,
    notes: [
      ...(named.length > 0 ? [`wrapped in backticks, so that Claude does not attach files: ${words}`] : []),
      ...(isCommand ? ['put "Task:" before the leading "/", which Claude would take for a command'] : []),
    ],
  }
}
