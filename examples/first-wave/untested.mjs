/** A worker without a model: which source files no test reaches through its imports. */
import { dirname, posix } from 'node:path'
import { handOver, isCode, isTest, plural, textOf, trackedFiles } from './files.mjs'

const files = new Set(trackedFiles().filter(isCode))
const importsOf = path => [...textOf(path).matchAll(/(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)]
  .map(match => posix.join(posix.dirname(path), match[1]))
  .flatMap(target => [target, `${target}.ts`, `${target}.js`, `${target}/index.ts`, `${target}/index.js`, target.replace(/\.js$/, '.ts')])
  .filter(target => files.has(target))

const reached = new Set()
const queue = [...files].filter(isTest)
for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
  for (const target of importsOf(path)) {
    if (reached.has(target)) continue
    reached.add(target)
    queue.push(target)
  }
}
const sources = [...files].filter(path => !isTest(path) && /\.[cm]?[jt]sx?$/.test(path))
const untested = sources.filter(path => !reached.has(path)).sort((a, b) => dirname(a).localeCompare(dirname(b)) || a.localeCompare(b))

handOver(
  untested.length > 0 ? ['No test imports these, directly or through another file:', ...untested.map(path => `  ${path}`)] : ['Every source file is reached by a test.'],
  `${untested.length} of ${plural(sources.length, 'source file')} not reached by any test's imports`,
)
