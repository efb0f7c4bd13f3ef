import { chmod, lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fail, type Problem } from '../../../lib/base/fail.ts'
import { changePolicy, loadPolicy, resetPolicy } from '../../../lib/run/policy.ts'
import { assert, suite, thrown } from '../../kit/check.ts'
import { providers } from '../../kit/plans.ts'
import { tempFolder } from '../../kit/temp.ts'

const isRoot = process.getuid?.() === 0
const refused = async (body: () => unknown): Promise<Partial<Problem>> => {
  const error = await thrown(body)
  if (error instanceof Fail) return error.problem
  throw error
}

suite('run/policy', test => {
  test('loadPolicy() gives the defaults where there is no file, and says so', async () => {
    await using temp = await tempFolder()
    const { maxConcurrent, exists, onboarded } = await loadPolicy(join(temp.path, 'none.json'), providers)
    assert.equal([maxConcurrent, exists, onboarded], [4, false, false])
  })

  test('changePolicy() makes folder and file, readable by the user alone, and marks it as set up', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'config', 'alethe', 'orchestrate.json')
    const policy = await changePolicy(path, { maxCalls: 3, defaultStrategy: 'save' }, providers)
    assert.equal([policy.defaultStrategy, policy.budget, policy.onboarded, policy.exists], ['economy', { maxCalls: 3 }, true, true])
    assert.equal(JSON.parse(await readFile(path, 'utf8')), { version: 1, onboarded: true, defaultStrategy: 'save', budget: { maxCalls: 3 } })
    assert.is((await lstat(path)).mode & 0o777, 0o600)
  })

  test('changePolicy() loses no change when many are made at once', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'p.json')
    await Promise.all([
      changePolicy(path, { maxCalls: 3 }, providers), changePolicy(path, { maxWallSeconds: 60 }, providers),
      changePolicy(path, { maxTotalTokens: 9 }, providers), changePolicy(path, { providerSwitch: 'never' }, providers),
    ])
    const { budget, providerSwitch } = await loadPolicy(path, providers)
    assert.equal([budget, providerSwitch], [{ maxCalls: 3, maxWallSeconds: 60, maxTotalTokens: 9 }, 'never'])
  })

  test('a damaged file is named with its place and never overwritten; reset moves it aside', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'p.json')
    const damaged = '{\n "maxWorkers": 0,\n}'
    await writeFile(path, damaged)
    for (const touch of [() => loadPolicy(path, providers), () => changePolicy(path, { maxCalls: 3 }, providers)]) {
      const { code, place, hint = '' } = await refused(touch)
      assert.equal([code, place?.file, place?.line], ['document.syntax', path, 2])
      assert.match(hint, 'policy reset')
    }
    assert.is(await readFile(path, 'utf8'), damaged)
    const { exists, kept, maxWorkers } = await resetPolicy(path, providers)
    assert.equal([exists, kept, maxWorkers], [false, `${path}.old`, 16])
    assert.is(await readFile(`${path}.old`, 'utf8'), damaged)
    assert.is((await resetPolicy(path, providers)).kept, undefined)
  })

  test('a file that is a link stays one', async () => {
    await using temp = await tempFolder()
    const [path, real] = [join(temp.path, 'p.json'), join(temp.path, 'dotfiles.json')]
    await writeFile(real, '{"maxWorkers": 5}')
    await symlink(real, path)
    await changePolicy(path, { maxConcurrent: 2 }, providers)
    assert.ok((await lstat(path)).isSymbolicLink())
    assert.equal(JSON.parse(await readFile(real, 'utf8')), { version: 1, onboarded: true, maxWorkers: 5, maxConcurrent: 2 })
  })

  test('a folder that cannot be written is said, and nothing is changed', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'file', 'p.json')
    await writeFile(join(temp.path, 'file'), '')
    const { code, message = '' } = await refused(() => changePolicy(path, {}, providers))
    assert.equal([code, message.includes(path)], ['settings.unwritable', true])
    if (isRoot) return
    await chmod(temp.path, 0o500)
    assert.is((await refused(() => changePolicy(join(temp.path, 'p.json'), {}, providers))).code, 'settings.unwritable')
    await chmod(temp.path, 0o700)
  })
})
