/**
 * Every test asserts that nobody asked its proxy for another address. This is what that is worth: CLIs that are not told to be
 * quiet do ask it, so they honour the proxy variables. It proves nothing of a program that would ignore them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, codex } from './install.ts'

realSuite('quiet', test => {
  test('a CLI that is not told to be quiet asks the proxy for its vendor\'s service', claudes, async rig => {
    await rig.bare('claude', ['--print', '--model', 'claude-sonnet-4-5'], '[[say hi]]', { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '', DISABLE_AUTOUPDATER: '' })
    assert.ok(rig.proxy.contacts.includes('CONNECT api.anthropic.com:443'), rig.proxy.contacts.join())
    rig.proxy.forget()
  })

  test('a CLI with its plugins on asks the proxy for its vendor\'s service', [codex], async rig => {
    const config = join(rig.codexHome, 'config.toml')
    await writeFile(config, (await readFile(config, 'utf8')).replace('plugins = false', 'plugins = true'))
    await rig.bare('codex', ['exec', '--json', '-'], '[[say hi]]')
    assert.ok(rig.proxy.contacts.length > 0)
    rig.proxy.forget()
  })
})
