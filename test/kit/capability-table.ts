/**
 * The table of providers in docs/providers.md, made from the plugins. `npm run schemas` writes it; a test fails while it differs.
 */
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Provider } from '../../lib/plugin/provider.ts'
import { discoverProviders } from '../../lib/run/discover.ts'
import { hostAt } from './host.ts'

const page = new URL('../../docs/providers.md', import.meta.url)
const begin = '<!-- capabilities: generated from plugins/providers by `npm run schemas` -->'
const end = '<!-- end -->'

const yes = (value: boolean): string => value ? 'yes' : 'no'

const columns: readonly (readonly [string, (provider: Provider) => string])[] = [
  ['provider', ({ id, aliases }) => [`\`${id}\``, ...aliases].join(', ')],
  ['task by', ({ can }) => can.promptVia === 'plan' ? 'as the plan says' : can.promptVia],
  ['largest task', ({ can: { maxPrompt } }) => `${maxPrompt.size.toLocaleString('en-US')} ${maxPrompt.unit}`],
  ['read-only', ({ can }) => can.readOnlyOnResume ? `${can.readOnly}; resumed ${can.readOnlyOnResume}` : can.readOnly],
  ['resume', ({ can }) => yes(can.resume)],
  ['model, effort', ({ can }) => `${yes(can.model)}, ${yes(can.effort)}`],
  ['tokens, cost', ({ can }) => `${yes(can.tokens)}, ${yes(can.cost)}`],
  ['cost cap', ({ can }) => yes(can.costCap)],
  ['no subagents', ({ can }) => yes(can.blocksSubagents)],
  ['no MCP', ({ can }) => yes(can.blocksMcp)],
  ['allowCommands', ({ can }) => yes(can.allowCommands)],
]

/** The page with its table as the plugins have it now. */
export async function pageText(): Promise<string> {
  const { found } = await discoverProviders(hostAt('/nowhere'), fileURLToPath(new URL('../../commands/run.ts', import.meta.url)))
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = [
    row(columns.map(([title]) => title)), row(columns.map(() => '---')),
    ...found.map(({ provider }) => row(columns.map(([, cell]) => cell(provider)))),
  ].join('\n')
  const text = await readFile(page, 'utf8')
  return `${text.slice(0, text.indexOf(begin) + begin.length)}\n${table}\n${text.slice(text.indexOf(end))}`
}

export const publishedPage = (): Promise<string> => readFile(page, 'utf8')

if (process.argv[1] && await realpath(process.argv[1]) === fileURLToPath(import.meta.url)) await writeFile(page, await pageText())
