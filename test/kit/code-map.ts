/**
 * The map of the code in AGENTS.md: each file with the first sentence of its docstring. `npm run schemas` writes it; a test fails
 * while it differs.
 */
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFiles } from '../../lib/io/find.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = `${root}AGENTS.md`
const begin = '<!-- map: generated from the docstrings by `npm run schemas` -->'
const end = '<!-- end -->'
const mapped = ['commands', 'lib', 'plugins']

/** The first sentence of the docstring that a file opens with. */
export function firstSentence(source: string): string {
  const [, inside = ''] = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(source) ?? []
  const text = inside.split('\n').map(line => line.replace(/^\s*\* ?/, '')).join(' ').replaceAll(/\s+/g, ' ').trim()
  return /^.*?[.:](?= [A-Z`]|$)/.exec(text)?.[0].replace(/[.:]$/, '') ?? text
}

/** The page with the map as the files are now. */
export async function mapText(): Promise<string> {
  const files = (await Promise.all(mapped.map(folder => findFiles('**/*.ts', root + folder)))).flat()
  const lines: string[] = []
  let folder = ''
  for (const file of files) {
    const path = file.slice(root.length)
    if (dirname(path) !== folder) {
      folder = dirname(path)
      lines.push('', `### ${folder}`, '')
    }
    lines.push(`- \`${path}\`: ${firstSentence(await readFile(file, 'utf8'))}`)
  }
  const text = await publishedMap()
  return `${text.slice(0, text.indexOf(begin) + begin.length)}\n${lines.join('\n').trimStart()}\n\n${text.slice(text.indexOf(end))}`
}

export const publishedMap = (): Promise<string> => readFile(page, 'utf8')

if (process.argv[1] && await realpath(process.argv[1]) === fileURLToPath(import.meta.url)) await writeFile(page, await mapText())
