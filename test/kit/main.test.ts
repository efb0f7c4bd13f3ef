import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { assert, suite } from './check.ts'
import { tempFolder } from './temp.ts'

const kit = pathToFileURL(join(import.meta.dirname, 'check.ts')).href
const head = `import { assert, suite } from '${kit}'\nimport { spawn } from 'node:child_process'\n`
const one = (title: string, body: string, limit = ''): string => `${head}suite('s', test => { test('${title}', async () => { ${body} }${limit}) })\n`

const good = one('holds', 'assert.ok(true)')

const bad: Record<string, string> = {
  'pending.test.ts': one('waits for ever', 'await new Promise(() => {})', ', 300'),
  'unsettled.test.ts': one('leaves early', 'process.exit(0)'),
  'syntax.test.ts': `${head}suite('s', test => {`,
  'empty.test.ts': head,
  'string.test.ts': one('throws a word', `throw 'just a word'`),
  'late.test.ts': `${one('holds', '')}setTimeout(() => { throw new Error('too late') }, 100)\n`,
  'child.test.ts': one('starts a child', `spawn('sleep', ['97'], { stdio: 'ignore' }).unref()`),
  'daemon.test.ts': one('starts a daemon', `spawn('sleep', ['98'], { stdio: 'ignore', detached: true }).unref()`),
  'bare.test.ts': one('starts a daemon without environment', `spawn('/bin/sleep', ['99'], { stdio: 'ignore', detached: true, env: {}, cwd: process.env.TMPDIR }).unref()`),
  'hang.test.ts': `${one('holds', '')}setInterval(() => {}, 1000)\n`,
}

/** Writes test files below `root`. */
async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

interface Run { readonly code: number | null; readonly text: string; readonly lastLine: string }

/** Runs the runner; `watch` sees what it printed so far. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more: string) => { text += more })
  const code = await new Promise<number | null>(done => { child.once('close', done) })
  return { code, text, lastLine: text.trimEnd().split('\n').at(-1) ?? '' }
}

/** The part of the printout that is about one file. */
const about = (text: string, file: string): string => text.split('\n--- ').find(part => part.startsWith(file)) ?? ''

/** A zombie that nobody reaped is dead. */
const alive = (pid: number): boolean => existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

suite('npm test', test => {
  test('tells every way to fail apart and counts each once', async () => {
    await using temp = await tempFolder()
    await write(temp.path, { ...bad, 'good.test.ts': good })
    const { code, text, lastLine } = await run(['--root', temp.path, '--limit', '5'])
    const expected: Record<string, RegExp> = {
      'pending.test.ts': /: 1 failed\n[^]*ran past 300 ms/,
      'unsettled.test.ts': /1 of 1 tests never settled: "s: leaves early"/,
      'syntax.test.ts': /does not load: it ended with code 1[^]*ERROR/,
      'empty.test.ts': /registers no test/,
      'string.test.ts': /: 1 failed\n[^]*just a word/,
      'late.test.ts': /ended with code 7 although no test failed[^]*too late|ended with code 1 although no test failed[^]*too late/,
      'hang.test.ts': /ran past 5 s and was ended/,
      'child.test.ts': /left processes behind: \d+ \(sleep 97\)/,
    }
    for (const [file, pattern] of Object.entries(expected)) assert.match(about(text, file), pattern)
    assert.is(about(text, 'good.test.ts'), '')
    assert.is(code, 1)
    assert.is(lastLine, '6 passed, 10 failed, 0 skipped')
  }, 60_000)

  const hides = 'finds left-over children that made their own group or dropped their environment, and ends them'
  if (process.platform === 'linux') test(hides, async () => {
    await using temp = await tempFolder()
    await write(temp.path, { 'daemon.test.ts': bad['daemon.test.ts']!, 'bare.test.ts': bad['bare.test.ts']! })
    const { text } = await run(['--root', temp.path])
    for (const [file, name] of [['daemon.test.ts', 'sleep 98'], ['bare.test.ts', '/bin/sleep 99']] as const) {
      const pid = new RegExp(`left processes behind: (\\d+) \\(${name}\\)`).exec(about(text, file))?.[1]
      assert.ok(pid)
      assert.not.ok(alive(Number(pid)))
    }
  }, 60_000)
  else test.skip(hides, 'needs /proc')

  test('runs a good folder with exit code 0, names what was skipped and leaves out fixtures and real CLIs', async () => {
    await using temp = await tempFolder()
    await write(temp.path, {
      'deep/good.test.ts': good, 'real/x.test.ts': bad['string.test.ts']!, 'fixtures/x.test.ts': bad['string.test.ts']!,
      'skips.test.ts': `${head}suite('s', test => { test.skip('needs a moon', 'there is none') })\n`,
    })
    const { code, text, lastLine } = await run(['--root', temp.path])
    assert.match(text, 'skipped skips.test.ts: needs a moon (there is none)')
    assert.match(text, /slowest: \S+ \d/)
    assert.is(lastLine, '1 passed, 0 failed, 1 skipped')
    assert.is(code, 0)
  }, 60_000)

  test('runs only the files that are asked for, and fails when there are none', async () => {
    await using temp = await tempFolder()
    await write(temp.path, { 'deep/good.test.ts': good, 'string.test.ts': bad['string.test.ts']! })
    assert.is((await run(['--root', temp.path, 'deep/'])).code, 0)
    const none = await run(['--root', temp.path, 'nowhere'])
    assert.is(none.code, 1)
    assert.is(none.lastLine, '0 passed, 0 failed, 0 skipped')
  }, 60_000)

  test('hides the caller from the tests and removes what they wrote', async () => {
    await using temp = await tempFolder()
    const seen = join(temp.path, 'seen.json')
    await write(temp.path, { 'env.test.ts': one('sees', `
      const { writeFileSync, readFileSync } = await import('node:fs')
      const { tmpdir, homedir } = await import('node:os')
      writeFileSync(tmpdir() + '/left', '')
      const stdin = readFileSync(0, 'utf8')
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, tmp: tmpdir(), home: homedir(), stdin }))
    `) })
    const foreign = {
      ALETHE_HOME: '/x', GIT_DIR: '/x', OPENAI_API_KEY: 'x', CLAUDE_CONFIG_DIR: '/x', CODEX_HOME: '/x', NODE_OPTIONS: '--no-warnings', CI: 'true',
    }
    const { code } = await run(['--root', temp.path], foreign)
    assert.is(code, 0)
    const { env, tmp, home, stdin } = JSON.parse(await readFile(seen, 'utf8')) as Record<'tmp' | 'home' | 'stdin', string> & { env: Record<string, string> }
    for (const name of Object.keys(foreign)) assert.is(env[name], undefined)
    for (const name of ['HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR']) {
      assert.ok(env[name]?.startsWith(dirname(tmp)), name)
    }
    assert.is(stdin, '')
    assert.not.ok(existsSync(tmp))
    assert.not.ok(existsSync(home))
  }, 60_000)

  test('ends its files and leaves nothing when it is interrupted', async () => {
    await using temp = await tempFolder()
    const ready = join(temp.path, 'ready')
    await write(temp.path, { 'long.test.ts': one('waits', `
      const { writeFileSync, renameSync } = await import('node:fs')
      writeFileSync(${JSON.stringify(`${ready}.part`)}, process.pid + ' ' + process.env.TMPDIR)
      renameSync(${JSON.stringify(`${ready}.part`)}, ${JSON.stringify(ready)})
      await new Promise(resolve => { setTimeout(resolve, 100_000) })`, ', 100_000') })
    const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'main.ts'), '--root', temp.path], { stdio: 'ignore' })
    const closed = new Promise<number | null>(done => { child.once('close', done) })
    for (let waited = 0; !existsSync(ready) && waited < 20_000; waited += 50) await sleep(50)
    const [pid, ...folder] = (await readFile(ready, 'utf8')).split(' ')
    child.kill('SIGTERM')
    assert.is(await closed, 130)
    if (process.platform === 'linux') assert.not.ok(alive(Number(pid)))
    assert.not.ok(existsSync(dirname(folder.join(' '))))
  }, 60_000)
})
