/** A worker without a model: relative links and paths in Markdown that lead nowhere. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { handOver, plural, textOf, trackedFiles } from './files.mjs'

const documents = trackedFiles().filter(path => path.endsWith('.md'))
const broken = documents.flatMap(path =>
  [...textOf(path).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(match => match[1])
    .filter(target => !/^[a-z][a-z0-9+.-]*:|^\//i.test(target) && !existsSync(join(dirname(path), decodeURI(target))))
    .map(target => `  ${path}: ${target}`))

handOver(
  broken.length > 0 ? ['Links that lead nowhere:', ...broken] : ['Every relative link leads to a file.'],
  `${plural(broken.length, 'broken link')} in ${plural(documents.length, 'Markdown file')}`,
)
