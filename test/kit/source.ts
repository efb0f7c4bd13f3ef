/** Reads the sources of this repository for the gates: which files there are, what they import, what is code and what is comment. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import ts from 'typescript'

/** One file; `path` is relative to the repository, with `/`. */
export interface Source { readonly path: string; readonly text: string }

export const repository = join(import.meta.dirname, '../..')

const noneIfMissing = (error: unknown): string[] => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

/** Every file below `folders`, sorted; recorded streams and other fixtures are no sources. A folder may be missing. */
export async function filesIn(...folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(folders.map(async folder => {
    const entries = await readdir(join(repository, folder), { recursive: true, withFileTypes: true }).catch(noneIfMissing)
    return entries.flatMap(entry => typeof entry === 'string' || !entry.isFile() ? [] : [join(entry.parentPath, entry.name)])
  }))
  return lists.flat().map(file => file.slice(repository.length + 1).split(sep).join('/')).filter(file => !file.startsWith('test/fixtures/')).sort()
}

/** Every TypeScript file below `folders`. */
export async function sources(...folders: readonly string[]): Promise<Source[]> {
  const paths = (await filesIn(...folders)).filter(path => path.endsWith('.ts'))
  return Promise.all(paths.map(async path => ({ path, text: await readFile(join(repository, path), 'utf8') })))
}

/** What a file imports, types and dynamic imports included: paths in the repository, or names of packages as written. */
export const importsOf = ({ path, text }: Source): string[] => ts.preProcessFile(text, true, true).importedFiles
  .map(({ fileName }) => fileName.startsWith('.') ? posix.normalize(posix.join(dirname(path), fileName)) : fileName)

export const parse = ({ path, text }: Source): ts.SourceFile => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

/** Calls `visit` with every node of a file. */
export function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, child => { eachNode(child, visit) })
}

export const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length

/** Two texts as long as the source, so that positions hold: what is not code, or not comment, is blank. */
export function codeAndComments(source: Source): { readonly code: string; readonly comments: string } {
  const file = parse(source)
  const blank = source.text.replaceAll(/[^\n]/g, ' ')
  let code = ''
  let comments = ''
  const walk = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return
    const children = node.getChildren(file)
    if (children.length > 0) return children.forEach(walk)
    const [start, end] = [node.getStart(file), node.end]
    if (end <= code.length) return
    comments += source.text.slice(code.length, start) + blank.slice(start, end)
    code += blank.slice(code.length, start) + source.text.slice(start, end)
  }
  walk(file)
  return { code: code + blank.slice(code.length), comments: comments + source.text.slice(comments.length) }
}

/** `path:line: text` for every match of `pattern` in `text`. */
export const matchesIn = (path: string, text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(found => `${path}:${lineOf(text, found.index)}: ${found[0]}`)
