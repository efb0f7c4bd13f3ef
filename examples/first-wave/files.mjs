/** What the three example workers share: the repository's text files, without what git ignores. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Paths that git tracks or would track, with '/' as separator. */
export const trackedFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\0').filter(Boolean)

export const isCode = path => /\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|c|cc|cpp|h|cs|sh)$/.test(path)
export const isTest = path => /(?:^|\/)tests?\/|\.(?:test|spec)\./.test(path)

/** The text of a file, '' for one that cannot be read as text. */
export const textOf = path => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** `1 file`, `2 files`. */
export const plural = (amount, one) => `${amount} ${one}${amount === 1 ? '' : 's'}`

/** Ends the answer with the lines that every worker hands over. */
export const handOver = (findings, summary) => {
  process.stdout.write(`${findings.join('\n')}\n\nSTATUS: DONE\nSUMMARY: ${summary}\n`)
}
