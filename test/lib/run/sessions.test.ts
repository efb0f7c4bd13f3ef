import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail } from '../../../lib/base/fail.ts'
import { homeOf } from '../../../lib/run/home.ts'
import { holdSession, rememberSession, sessionOf } from '../../../lib/run/sessions.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { hostAt } from '../../kit/host.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('sessions', test => {
  test('sessionOf() gives back what was remembered, whatever characters the id has', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const record = { session: '../../etc/passwd\n', provider: 'p', cwd: '/w', costUsd: 0.5 }
    await rememberSession(host, record)
    assert.equal(await sessionOf(host, record.session), record)
    assert.is(await sessionOf(host, 'other'), null)
    assert.equal((await readdir(join(homeOf(host), 'sessions'))).map(name => name.length), [37])
  })

  test('sessionOf() takes a damaged record for none', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    await rememberSession(host, { session: 's', provider: 'p', cwd: '/w' })
    const folder = join(homeOf(host), 'sessions')
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"session":')
    assert.is(await sessionOf(host, 's'), null)
  })

  test('holdSession() lets one worker at a time go on with a session', async () => {
    await using temp = await tempFolder()
    const host = hostAt(temp.path)
    const release = await holdSession(host, 's')
    const error = await thrown(() => holdSession(host, 's'))
    assert.is(error instanceof Fail && error.problem.code, 'lock.busy')
    await (await holdSession(host, 'other'))()
    await release()
    await (await holdSession(host, 's'))()
  })
})
