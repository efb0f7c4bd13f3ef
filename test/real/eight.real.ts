/** Eight workers of both kinds at once, in one home and one repository: nobody disturbs anybody. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes } from './install.ts'

realSuite('eight at once', test => {
  test('eight isolated writers each leave their own change', claudes, async rig => {
    const policy = join(rig.path, 'policy.json')
    await writeFile(policy, JSON.stringify({ version: 1, maxWorkers: 16, maxConcurrent: 8 }))
    const ids = Array.from({ length: 8 }, (_, index) => `w${index}`)
    const workers = ids.map((id, index) => ({
      id, provider: index % 2 === 0 ? 'claude' : 'codex', mode: 'write', isolate: true, task: `[[write ${id}.txt]]`,
    }))
    const ran = await rig.run({ strategy: 'parallel', maxConcurrent: 8, workers }, { ALETHE_ORCHESTRATE_POLICY: policy })
    assert.equal([ran.code, ran.status], [0, 'done'], JSON.stringify(ran.workers))
    for (const id of ids) {
      assert.equal(ran.outcome(id).diffStats, { files: 1, added: 1, deleted: 0 })
      assert.match(await ran.file(id, 'diff.patch'), `diff --git a/${id}.txt b/${id}.txt`)
    }
    // All of them ran before the first had ended.
    const starts = ids.map(id => Date.parse(ran.outcome(id).startedAt))
    const ends = ids.map(id => Date.parse(ran.outcome(id).finishedAt))
    assert.ok(Math.max(...starts) < Math.min(...ends))
    assert.is(new Set(ids.map(id => ran.outcome(id).sessionId)).size, 8)
    assert.is(rig.touched(), '')
  }, { limitMs: 180_000 })
})
