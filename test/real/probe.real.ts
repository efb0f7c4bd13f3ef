/** `probe` tells the versions of the real CLIs and whether they are logged in, and keys stay out of what it prints. */
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { array, field } from './json.ts'
import { claudes, clis, codex } from './install.ts'
import type { Rig } from './rig.ts'

async function probed(rig: Rig, provider: string, env: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await rig.start('probe', [provider, '--json'], env).ended
  assert.equal([code, stderr], [0, ''])
  const report: unknown = array(field(JSON.parse(stdout), 'providers'))[0]
  return { ...report as Record<string, unknown>, stdout }
}

realSuite('probe', test => {
  test('the version is the one that was installed', clis, async (rig, cli) => {
    const { installed, version } = await probed(rig, cli.program)
    assert.equal([installed, version], [true, cli.version])
    assert.equal([rig.anthropic.asked.length, rig.openai.asked.length], [0, 0])
  })

  test('a key counts as a login and is not printed', claudes, async rig => {
    const { loggedIn, notes, stdout } = await probed(rig, 'claude')
    assert.is(loggedIn, true)
    assert.match(String(notes), /billed to an API account.*ANTHROPIC_API_KEY/)
    assert.not.match(String(stdout), /opens-nothing/)
  })

  test('the login of a plan is told from a key', claudes, async rig => {
    const { loggedIn, notes } = await probed(rig, 'claude')
    assert.equal([loggedIn, notes], [true, undefined])
  }, { login: 'plan' })

  test('without a login that is what it says', claudes, async rig => {
    assert.is((await probed(rig, 'claude', { ANTHROPIC_API_KEY: '' })).loggedIn, false)
  })

  test('a login with a key is seen, and without one that is what it says', [codex], async rig => {
    assert.is((await probed(rig, 'codex')).loggedIn, false)
    const login = await rig.bare('codex', ['login', '--with-api-key'], 'sk-opens-nothing\n')
    assert.is(login.code, 0, login.stderr)
    const { loggedIn, stdout } = await probed(rig, 'codex')
    assert.is(loggedIn, true)
    assert.not.match(String(stdout), /opens-nothing/)
  })
})
