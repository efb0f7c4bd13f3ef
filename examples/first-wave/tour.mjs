/** A worker without a model: where the code is. */
import { handOver, isCode, plural, textOf, trackedFiles } from './files.mjs'

const files = trackedFiles().filter(isCode).map(path => ({ path, lines: textOf(path).split('\n').length }))
const folders = new Map()
for (const { path, lines } of files) {
  const folder = path.includes('/') ? path.split('/').slice(0, 2).filter((part, index, all) => index === 0 || all.length > 2 || !part.includes('.')).join('/') : '.'
  folders.set(folder, (folders.get(folder) ?? 0) + lines)
}
const row = ([name, lines]) => `${String(lines).padStart(8)}  ${name}`
const byLines = (a, b) => b[1] - a[1]
const total = files.reduce((sum, file) => sum + file.lines, 0)

handOver(
  [
    'Lines by folder:', ...[...folders].sort(byLines).slice(0, 15).map(row),
    '', 'Largest files:', ...files.map(file => [file.path, file.lines]).sort(byLines).slice(0, 5).map(row),
  ],
  `${plural(total, 'line')} of code in ${plural(files.length, 'file')}`,
)
