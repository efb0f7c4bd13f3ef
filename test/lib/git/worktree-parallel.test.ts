import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepareWorktree } from '../../../lib/git/worktree.ts'
import { assert, suite } from '../../kit/check.ts'
import { makeRepo, type Repo } from '../../kit/repo.ts'

const top = join(import.meta.dirname, '../../..')
const module = pathToFileURL(join(top, 'lib/git/worktree.ts')).href

/** A clone, whose checked-out branch follows a remote one. */
async function makeClone(): Promise<Repo & { readonly clone: string }> {
  const repo = await makeRepo({ 'f.txt': 'x\n', 'sub/g.txt': 'y\n' })
  const clone = join(repo.outside, 'clone')
  repo.git('clone', '-q', '.', clone)
  return { ...repo, clone }
}

const paths = (clone: string, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async workerId => (await prepareWorktree({ cwd: clone, runId: 'r', workerId, seedPaths: [] })).path))

const ids = (amount: number, prefix: string): string[] => Array.from({ length: amount }, (_, index) => `${prefix}${index}`)

/** Runs a shell loop for the time of `body`. The shell leads a group of its own, so that its sleeping child ends with it. */
async function during<T>(cwd: string, script: string, body: () => Promise<T>): Promise<T> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', `while :; do ${script}; done`], { cwd, stdio: 'ignore', detached: true })
  await once(child, 'spawn')
  try {
    return await body()
  } finally {
    const gone = once(child, 'exit')
    if (child.pid !== undefined && child.pid > 1) process.kill(-child.pid, 'SIGKILL')
    await gone
  }
}

function check(repo: Repo & { readonly clone: string }, made: readonly string[], amount: number): void {
  assert.is(new Set(made).size, amount)
  for (const path of made) assert.ok(existsSync(join(path, 'sub/g.txt')))
  assert.is(repo.git('-C', repo.clone, 'branch', '--list'), '* main')
  assert.is(repo.git('-C', repo.clone, 'worktree', 'list').split('\n').length, amount + 1)
  assert.not.match(repo.git('-C', repo.clone, 'worktree', 'list', '--porcelain'), /^(?:locked|prunable)/m)
}

suite('prepareWorktree in parallel', test => {
  test('prepareWorktree() makes 24 at once while others hold the config lock and prune', async () => {
    await using repo = await makeClone()
    const holdLock = `if ( set -C; : > .git/config.lock ) 2>/dev/null; then sleep 0.3; rm -f .git/config.lock; fi; sleep 0.02`
    const made = await during(repo.clone, holdLock, () =>
      during(repo.clone, 'git worktree prune --expire=now; sleep 0.02', () => paths(repo.clone, ids(24, 'w'))))
    check(repo, made, 24)
  }, 90_000)

  test('prepareWorktree() is safe in several processes at once', async () => {
    await using repo = await makeClone()
    const script = `import(${JSON.stringify(module)}).then(async ({ prepareWorktree }) => {
      const wanted = { cwd: ${JSON.stringify(repo.clone)}, runId: 'r', seedPaths: [] }
      const ids = ${JSON.stringify(ids(6, 'other'))}
      const made = await Promise.all(ids.map(workerId => prepareWorktree({ ...wanted, workerId })))
      console.log(made.map(each => each.path).join('\\n'))
    })`
    const other = spawn(process.execPath, [...process.execArgv, '-e', script], { cwd: top, stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    other.stdout.setEncoding('utf8').on('data', (text: string) => { printed += text })
    const closed = once(other, 'close')
    const made = await paths(repo.clone, ids(6, 'own'))
    await closed
    check(repo, [...made, ...printed.trim().split('\n')], 12)
assert.is(readFileSync(join(repo.clone, '.git/info/exclude'), 'utf8').split('/.alethe/worktrees/').length, 2)
  }, 90_000)
})
