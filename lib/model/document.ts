/**
 * Reads a JSON document that people write: strict JSON, with positions whatever stands before them (BOM, CRLF, emoji).
 * Comments, trailing commas, duplicate keys and every other syntax error are problems. Size, depth and number of values are
 * bounded, so that hostile text is refused fast. `checkShape` then checks the result.
 */
import { createScanner, type Node, parseTree, type ParseError } from 'jsonc-parser'
import { Fail, fail } from '../base/fail.ts'
import { type Document, dotted, inOrder, type Path, problemAt, quoted } from './finding.ts'
import { sourceText } from './source-text.ts'
import { type SyntaxFault, syntaxFaults } from './syntax.ts'

export { type Document, type Finding, type Path, problemsOf, refuse } from './finding.ts'
export { checkShape, type Shape } from './shape.ts'

/** Largest document read, in characters (and for its file, in bytes). */
export const documentLimit = 16 * 1024 * 1024
const deepest = 64
const mostValues = 200_000

/**
 * Parses strict JSON.
 * @param file the name that problems show
 * @throws Fail with every syntax problem: `document.syntax`, `document.duplicate-key`
 */
export function readDocument(text: string, file: string): Document {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const excess = excessOf(body)
  if (excess) throw fail('document.syntax', `Cannot read "${file}": ${excess}`, { place: { file, line: 1, column: 1 } })
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { disallowComments: true, allowTrailingComma: false })
  const source = sourceText(file, body)
  const faults = [...syntaxFaults(errors, body), ...root ? duplicateKeys(root, [], source.place) : []]
  const [first, ...rest] = inOrder(faults.map(({ offset, ...problem }) => problemAt(source, source.place(offset), problem)))
  if (first) throw new Fail(first, ...rest)
  const find = finder()
  return {
    file, value: root ? valueOf(root) : undefined,
    placeOf: (path, at) => source.place(root ? find(root, path, at) : 0),
    lineText: source.lineText,
  }
}

/**
 * What makes a text too much to parse. Brackets are counted with the parser's own scanner, and only a matching one closes, so the
 * count is never below the parser's recursion.
 */
function excessOf(text: string): string | undefined {
  if (text.length > documentLimit) return `it has ${text.length} characters, at most ${documentLimit} are read`
  const scanner = createScanner(text, true)
  const open: string[] = []
  let values = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const token = text.charAt(scanner.getTokenOffset())
    if (token === ',' || token === '{' || token === '[') values++
    if (token === '{' || token === '[') open.push(token)
    else if ((token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '[')) open.pop()
    if (open.length > deepest) return `it nests deeper than ${deepest} levels (it has ${text.length} characters)`
    if (values > mostValues) return `it holds more than ${mostValues} values (it has ${text.length} characters)`
  }
  return undefined
}

/** The members of an object that have a key; a broken document has others too. */
const membersOf = (node: Node): [Node, Node | undefined][] =>
  node.type === 'object' ? (node.children ?? []).flatMap(({ children }) => children?.[0] ? [[children[0], children[1]]] : []) : []

function duplicateKeys(node: Node, path: Path, place: (offset: number) => { readonly line: number }): SyntaxFault[] {
  if (node.type === 'array') return node.children?.flatMap((child, index) => duplicateKeys(child, [...path, index], place)) ?? []
  const seen = new Map<string, Node>()
  return membersOf(node).flatMap(([key, value]) => {
    const name = String(key.value)
    const inside = [...path, name]
    const before = seen.get(name)
    if (!before) seen.set(name, key)
    const within = value ? duplicateKeys(value, inside, place) : []
    if (!before) return within
    const message = `The key ${quoted(name)} stands here a second time; the first is in line ${place(before.offset).line}`
    const rest = { hint: 'remove one of them', path: dotted(inside), offset: key.offset }
    return [{ code: 'document.duplicate-key', message, ...rest }, ...within]
  })
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return node.children?.map(valueOf)
  if (node.type !== 'object') return node.value
  // fromEntries makes own members even of keys such as __proto__.
  return Object.fromEntries(membersOf(node).map(([key, value]) => [key.value, value && valueOf(value)]))
}

/** Finds offsets by path. Objects are indexed once, so that thousands of problems in one of them stay cheap. */
function finder(): (root: Node, path: Path, at?: 'key') => number {
  const indexes = new Map<Node, Map<unknown, [Node, Node | undefined]>>()
  const index = (node: Node): Map<unknown, [Node, Node | undefined]> => {
    const made = indexes.get(node) ?? new Map(membersOf(node).map(member => [member[0].value, member]))
    indexes.set(node, made)
    return made
  }
  return (root, path, at) => {
    let here = root
    let key: Node | undefined
    for (const step of path) {
      const [name, value] = here.type === 'array' ? [undefined, here.children?.[Number(step)]] : index(here).get(step) ?? []
      if (!value) return here.offset
      here = value
      key = name
    }
    return at === 'key' && key ? key.offset : here.offset
  }
}
