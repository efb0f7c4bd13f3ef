import { existsSync } from 'node:fs'
import { assert, suite } from './kit/check.ts'
import { tempFolder } from './kit/temp.ts'

suite('temp', test => {
  test('tempFolder() removes the folder when its scope ends', async () => {
    let kept: string
    {
      await using temp = await tempFolder()
      kept = temp.path
      assert.ok(existsSync(kept))
    }
    assert.not.ok(existsSync(kept))
  })
})
