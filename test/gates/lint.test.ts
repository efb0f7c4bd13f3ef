import { ESLint } from 'eslint'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { repository } from '../kit/source.ts'

const eslint = new ESLint({ cwd: repository })

/** The rules that fire on `code` as if it stood in `path`, which must exist: types come from the project. */
async function fires(path: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(repository, path) })
  return [...new Set((result?.messages ?? []).map(({ ruleId, message }) => (ruleId ?? message).replace('@typescript-eslint/', '')))].sort()
}

const places = { model: 'lib/base/fail.ts', io: 'lib/io/clock.ts', cli: 'lib/cli/command.ts', command: 'commands/run.ts', plugin: 'plugins/providers/codex.ts', test: 'test/kit/check.ts' }

/** A line of code, the rule about it, and the places where it may stand. */
const lines: readonly (readonly [code: string, rule: string, allowed: readonly (keyof typeof places)[]])[] = [
  [`import { readFileSync } from 'node:fs'\nreadFileSync('x')`, 'no-restricted-imports', ['io', 'test']],
  [`import { spawn } from 'child_process'\nspawn('x')`, 'no-restricted-imports', ['io', 'test']],
  [`export const load = () => import('node:fs/promises')`, 'no-restricted-syntax', ['io', 'test']],
  ['export const now = Date.now()', 'no-restricted-properties', ['io', 'test']],
  ['export const now = new Date()', 'no-restricted-syntax', ['io', 'test']],
  ['export const home = process.env["HOME"]', 'no-restricted-properties', ['io', 'test']],
  ['process.stdout.write("x")', 'no-restricted-properties', ['cli', 'test']],
  ['console.log("x")', 'no-console', ['cli', 'test']],
  ['await fetch("x")', 'no-restricted-globals', ['io', 'test']],
  ['export const f = (x: unknown) => x as string', 'consistent-type-assertions', ['test']],
  ['export const f = (x?: string) => x!', 'no-non-null-assertion', ['test']],
  ['export const x: any = 1', 'no-explicit-any', []],
  [`export const f = (k: 'a' | 'b') => { switch (k) { case 'a': return 1 } return 2 }`, 'switch-exhaustiveness-check', []],
  ['Promise.resolve(1)', 'no-floating-promises', []],
]

suite('lint', test => {
  test('each rule fires everywhere but where its subject belongs', async () => {
    for (const [code, rule, allowed] of lines) {
      for (const place of Object.keys(places) as (keyof typeof places)[]) {
        assert.is((await fires(places[place], code)).includes(rule), !allowed.includes(place), `${rule} in ${place}: ${code}`)
      }
    }
  }, 120_000)

  test('commands may not use the process at all, and sound code passes everywhere', async () => {
    assert.equal(await fires(places.command, 'export const x = process.pid'), ['no-restricted-globals'])
    const sound = `export const f = (at: number) => \`\${new Date(at).toISOString()} \${at}\`\nexport const kinds = ['a', 'b'] as const`
    for (const path of Object.values(places)) assert.equal(await fires(path, sound), [], path)
  }, 120_000)
})
