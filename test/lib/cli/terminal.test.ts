import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, suite } from '../../kit/check.ts'
import { cleanEnv, loaderArgs } from '../../kit/command.ts'
import { tempFolder } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/cli', import.meta.url))
/** The util-linux program that gives a command a terminal; elsewhere it takes other arguments. */
const script = '/usr/bin/script'

/** A shell that passes a hang-up on, as interactive ones do, and writes down how the command ended. */
const hungUp = (line: string): string => `trap 'kill -HUP $pid' HUP; ${line} & pid=$!; wait $pid; wait $pid; echo $? > code`

interface InTerminal extends AsyncDisposable {
  text(): string
  type(keys: string): void
  hangUp(): void
  readonly ended: Promise<number | null>
}

function inTerminal(
  name: string, args: readonly string[], cwd: string, env: Record<string, string> = {}, wrap = (line: string): string => line,
): InTerminal {
  const line = wrap([process.execPath, ...loaderArgs, join(fixtures, name), ...args].map(word => `'${word}'`).join(' '))
  const child = spawn(script, ['-qefc', line, '/dev/null'], {
    cwd, env: cleanEnv({ cwd, env: { TERM: 'xterm', SHELL: '/bin/sh', ...env } }), stdio: ['pipe', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => { text += chunk })
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return {
    text: () => text, type: keys => child.stdin.write(keys), hangUp: () => child.kill('SIGKILL'), ended,
    [Symbol.asyncDispose]: async () => { child.kill('SIGKILL'); await ended },
  }
}

suite('command on a terminal', test => {
  if (process.platform !== 'linux' || !existsSync(script)) {
    test.skip('a command on a terminal has colour, events and a hint at Ctrl-C', 'no util-linux script here')
    return
  }

  test('a command has colour and knows its terminal, and obeys NO_COLOR', async () => {
    await using folder = await tempFolder()
    await using coloured = inTerminal('greet.ts', ['Ada'], folder.path)
    assert.is(await coloured.ended, 0)
    assert.is(coloured.text(), '\u001b[1mhello\u001b[0m Ada!\r\n')
    await using plain = inTerminal('greet.ts', ['Ada'], folder.path, { NO_COLOR: '1' })
    await plain.ended
    assert.is(plain.text(), 'hello Ada!\r\n')
  })

  test('a command shows events and says what Ctrl-C does', async () => {
    await using folder = await tempFolder()
    await using started = inTerminal('trouble.ts', ['returns'], folder.path)
    await until(() => started.text().includes('ready'))
    started.type('\u0003')
    assert.is(await started.ended, 130)
    assert.match(started.text(), 'live: waiting\r\n')
    assert.match(started.text(), 'Interrupted, cleaning up')
    assert.not.match(started.text(), '\u001b[2J')
  })

  test('a command whose terminal is closed cleans up and does not crash', async () => {
    await using folder = await tempFolder()
    await using started = inTerminal('trouble.ts', ['returns', '--note', 'note'], folder.path, {}, hungUp)
    await until(() => started.text().includes('ready'))
    started.hangUp()
    await until(() => existsSync(join(folder.path, 'note')) && readFileSync(join(folder.path, 'note'), 'utf8') === 'cleaned\n')
    await until(() => existsSync(join(folder.path, 'code')) && readFileSync(join(folder.path, 'code'), 'utf8') === '130\n')
  })
})
