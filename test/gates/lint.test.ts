import { ESLint } from 'eslint'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { repository } from '../kit/source.ts'

const eslint = new ESLint({ cwd: repository })

/** The rules that fire on each of `codes` as if they stood in `path`, which must exist: types come from the project. */
async function fires(path: string, codes: readonly string[]): Promise<string[][]> {
  const found: string[][] = codes.map(() => [])
  const starts = codes.map((_, at) => codes.slice(0, at).join('\n').split('\n').length + Math.min(at, 1))
  const [result] = await eslint.lintText(`${codes.join('\n')}\n`, { filePath: join(repository, path) })
  for (const { ruleId, message, line } of result?.messages ?? []) {
    found[starts.findLastIndex(start => start <= line)]?.push((ruleId ?? message).replace('@typescript-eslint/', ''))
  }
  return found
}

const places = {
  base: 'lib/base/fail.ts', io: 'lib/io/clock.ts', cli: 'lib/cli/command.ts', command: 'commands/run.ts', plugin: 'plugins/providers/codex.ts', test: 'test/kit/check.ts',
}

/** A line of code, the rule about it, and the places where it may stand. */
const lines: readonly (readonly [code: string, rule: string, allowed: readonly (keyof typeof places)[]])[] = [
  [`import { readFileSync } from 'node:fs'`, 'no-restricted-imports', ['io', 'test']],
  [`import { spawn } from 'child_process'`, 'no-restricted-imports', ['io', 'test']],
  [`export const load = () => import('node:fs/promises')`, 'no-restricted-syntax', ['io', 'test']],
  ['export const now = Date.now()', 'no-restricted-properties', ['io', 'test']],
  ['export const today = new Date()', 'no-restricted-syntax', ['io', 'test']],
  ['export const home = process.env["HOME"]', 'no-restricted-properties', ['io', 'test']],
  ['process.stdout.write("x")', 'no-restricted-properties', ['cli', 'test']],
  ['console.log("x")', 'no-console', ['cli', 'test']],
  ['await fetch("x")', 'no-restricted-globals', ['io', 'test']],
  ['export const cast = (x: unknown) => x as string', 'consistent-type-assertions', ['test']],
  ['export const sure = (x?: string) => x!', 'no-non-null-assertion', ['test']],
  ['export const whatever: any = 1', 'no-explicit-any', []],
  [`export const f = (k: 'a' | 'b') => { switch (k) { case 'a': return 1 } return 2 }`, 'switch-exhaustiveness-check', []],
  ['Promise.resolve(1)', 'no-floating-promises', []],
  ['export const pid = process.pid', 'no-restricted-globals', ['base', 'io', 'cli', 'plugin', 'test']],
]
/** Code that nothing is wrong with anywhere. */
const sound = ['export const iso = (at: number) => `${new Date(at).toISOString()} ${at}`', `export const kinds = ['a', 'b'] as const`]

suite('lint', test => {
  test('each rule fires everywhere but where its subject belongs', async () => {
    for (const place of Object.keys(places) as (keyof typeof places)[]) {
      const found = await fires(places[place], [...lines.map(([code]) => code), ...sound])
      for (const [at, [code, rule, allowed]] of lines.entries()) assert.is(found[at]?.includes(rule), !allowed.includes(place), `${rule} in ${place}: ${code}`)
      assert.equal(found.slice(lines.length), sound.map(() => []), place)
    }
  }, 60_000)
})
