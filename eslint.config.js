/**
 * The rules a machine can hold: strict types without casts, one part that touches the machine (lib/io), one that prints
 * (lib/cli). Rules about whole files and imports between folders are tests: see test/gates/.
 */
import tseslint from 'typescript-eslint'

/** Modules that reach the machine or the network. */
const machine = {
  regex: '^(node:)?(fs|child_process|os|process|net|tls|http|https|http2|dgram|dns|worker_threads|cluster)(/.*)?$',
  message: 'Only lib/io touches the machine: ask for what you need there.',
}
const machineByImport = { selector: `ImportExpression[source.value=/${machine.regex.replaceAll('/', '\\/')}/]`, message: machine.message }

const noFetch = { name: 'fetch', message: machine.message }

const oneClock = 'Time comes from the clock of the host (lib/io), which tests can set.'
const dates = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: oneClock },
  { selector: 'CallExpression[callee.name="Date"]', message: oneClock },
]
const clocks = [
  { object: 'Date', property: 'now', message: oneClock },
  { object: 'performance', property: 'now', message: oneClock },
  { object: 'process', property: 'hrtime', message: oneClock },
]

const ofProcess = (message, ...names) => names.map(property => ({ object: 'process', property, message }))
const surroundings = ofProcess('Only lib/io reads and changes the process: take it from the host.', 'env', 'cwd', 'chdir', 'kill', 'umask')
const printing = ofProcess('Only lib/cli reads the command line, prints and exits: return data instead.', 'stdout', 'stderr', 'stdin', 'exit', 'exitCode', 'argv', 'on', 'once')

const noCasts = { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }] }

/** Rules of ESLint itself that catch mistakes types do not. */
const mistakes = [
  'no-async-promise-executor', 'no-case-declarations', 'no-cond-assign', 'no-constant-binary-expression', 'no-constant-condition', 'no-control-regex', 'no-debugger',
  'no-duplicate-case', 'no-empty', 'no-empty-character-class', 'no-empty-pattern', 'no-eval', 'no-ex-assign', 'no-extra-boolean-cast', 'no-fallthrough',
  'no-invalid-regexp', 'no-irregular-whitespace', 'no-loss-of-precision', 'no-misleading-character-class', 'no-prototype-builtins', 'no-self-assign',
  'no-sparse-arrays', 'no-template-curly-in-string', 'no-unmodified-loop-condition', 'no-unsafe-finally', 'no-unsafe-optional-chaining', 'no-unused-labels',
  'no-useless-backreference', 'no-useless-catch', 'no-useless-escape', 'use-isnan', 'valid-typeof', 'eqeqeq',
]

export default tseslint.config(
  { ignores: ['test/fixtures/', 'skills/*/scripts/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, rules: Object.fromEntries(mistakes.map(rule => [rule, 'error'])) },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...noCasts,
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Spreading a text into its code points is how columns are counted.
      '@typescript-eslint/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'string' }] }],
      // The compiler does this, and knows schemas that exist for their type.
      '@typescript-eslint/no-unused-vars': 'off',
      // Objects of closures, `node:path` among them, need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Matters of taste that fight short code.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unified-signatures': 'off',
    },
  },
  {
    files: ['lib/**/*.ts', 'plugins/**/*.ts', 'commands/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', noFetch],
      'no-restricted-imports': ['error', { patterns: [machine] }],
      'no-restricted-properties': ['error', ...clocks, ...surroundings, ...printing],
      'no-restricted-syntax': ['error', machineByImport, ...dates],
    },
  },
  {
    files: ['lib/io/**/*.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-imports': 'off', 'no-restricted-syntax': 'off', 'no-restricted-properties': ['error', ...printing] },
  },
  {
    files: ['lib/cli/**/*.ts'],
    rules: { 'no-console': 'off', 'no-restricted-properties': ['error', ...clocks, ...surroundings] },
  },
  {
    files: ['commands/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', noFetch, { name: 'process', message: 'A command returns data: lib/cli prints and exits, lib/io touches the machine.' }] },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Tests throw and print what nobody should.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      'no-template-curly-in-string': 'off',
    },
  },
  { files: ['**/*.{js,mjs,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
)
