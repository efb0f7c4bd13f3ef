import { assert, suite } from '../kit/check.ts'
import { codeAndComments, matchesIn, type Source, sources } from '../kit/source.ts'

interface Rule {
  readonly title: string
  readonly pattern: RegExp
  readonly folders: readonly string[]
  /** Files where it is allowed. */
  readonly except: readonly string[]
  /** Code that must be found, and code that must not. */
  readonly bad: readonly string[]
  readonly good: readonly string[]
}

const product = ['lib', 'plugins', 'commands']

const rules: readonly Rule[] = [
  {
    title: 'JSON is parsed in the readers only, so that every value from outside passes a schema or a getter',
    pattern: /\bJSON\s*\.\s*parse\b/g, folders: product, except: ['lib/io/files.ts', 'lib/io/lock.ts', 'lib/plugin/json.ts'],
    bad: ['JSON.parse(text)', 'lines.map(JSON.parse)'], good: ['parseJson(text)', '// JSON.parse(text)'],
  },
  {
    title: 'nobody reads the message of an error: it has a code',
    pattern: /\.message\s*\??\.\s*(?:includes|startsWith|endsWith|match|matchAll|indexOf|search)\b|\.(?:test|exec)\([^()]*\.message\s*\)/g,
    folders: product, except: [],
    bad: ['error.message.includes("x")', 'error.message?.startsWith("x")', 'cause.message.match(/x/)', '/x/.test(error.message)'],
    good: ['error.message', '`${error.message}`', 'message.includes("x")', 'error.code === "ENOENT"'],
  },
  {
    title: 'a signal that was sent is not a death, and a death by signal is not exit code 0',
    pattern: /\.killed\b|\b\w*[cC]ode\s*(?:\?\?|\|\|)\s*0\b/g, folders: [...product, 'test', 'bench'], except: [],
    bad: ['if (child.killed) return', 'done(code ?? 0)', 'result.exitCode ?? 0', 'code || 0'], good: ['child.kill()', 'code === 0', 'count ?? 0', 'killed'],
  },
]

const violations = ({ pattern, except }: Rule, files: readonly Source[]): string[] => files
  .filter(({ path, text }) => !except.includes(path) && text.search(pattern) >= 0)
  .flatMap(file => matchesIn(file.path, codeAndComments(file).code, pattern))

suite('patterns', test => {
  for (const rule of rules) {
    test(rule.title, async () => {
      const files = (await sources(...rule.folders)).filter(({ path }) => path !== 'test/gates/patterns.test.ts')
      assert.equal(violations(rule, files), [])
    })

    test(`the gate fires on "${rule.bad[0]}" and the like`, () => {
      for (const text of rule.bad) assert.is(violations(rule, [{ path: 'lib/run/a.ts', text }]).length, 1, text)
      for (const text of rule.good) assert.equal(violations(rule, [{ path: 'lib/run/a.ts', text }]), [], text)
      for (const path of rule.except) assert.equal(violations(rule, [{ path, text: rule.bad.join('\n') }]), [])
    })
  }
})
