/** Read-only workers whose model tries to write all the same: nothing is written, and the refusals are told. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '../kit/check.ts'
import { realSuite } from './each.ts'
import { claudes, codex } from './install.ts'
import { toolsOffered } from './look.ts'

const writing = '[[both touch touched.txt]]'

realSuite('read-only workers', test => {
  test('a model that tries to write changes nothing and its refusals are listed', claudes, async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: writing }] })
    const { status, readOnlyViolation, touchedFiles, permissionDenials = [] } = ran.outcome('a')
    assert.equal([ran.code, status, readOnlyViolation, touchedFiles], [0, 'succeeded', false, []])
    assert.is(rig.touched(), '')
    assert.equal(toolsOffered(rig.anthropic.asked), ['Bash', 'Glob', 'Grep', 'Read'])
    assert.match(permissionDenials.join(), /Bash/)
  })

  test('a model that tries to write changes nothing, and the sandbox\'s refusal is a warning', [codex], async rig => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'codex', task: writing }] })
    const { status, readOnlyViolation, touchedFiles, warnings = [] } = ran.outcome('a')
    assert.equal([ran.code, status, readOnlyViolation, touchedFiles], [0, 'succeeded', false, []])
    assert.is(rig.touched(), '')
    assert.match(warnings.join(), /A tool call was refused: .*read-only sandbox/)
    // What the model was told of its command.
    assert.match(rig.openai.asked.at(-1)?.raw ?? '', /Read-only file system/)
  })

  test('a rule of the user that allows Bash takes Bash from the worker, and nothing is written', claudes, async rig => {
    await mkdir(join(rig.home, '.claude'))
    await writeFile(join(rig.home, '.claude/settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] } }))
    const plan = { workers: [{ id: 'a', provider: 'claude', task: writing }] }
    const ran = await rig.run(plan)
    assert.equal([ran.outcome('a').status, ran.outcome('a').readOnlyViolation, rig.touched()], ['succeeded', false, ''])
    assert.equal(toolsOffered(rig.anthropic.asked), ['Glob', 'Grep', 'Read'])
    const preview = await rig.ask('dry-run', await rig.plan(plan))
    assert.match(JSON.stringify(preview.said), /read-only without Bash/)
  })

  test('a rule that allows Bash lets a worker in plan mode write, when the runner does not know of it', claudes, async rig => {
    // The control of the test above: without it, that one might pass for another reason. The rule is in a file that no probe reads.
    const settings = join(rig.path, 'settings.json')
    await writeFile(settings, JSON.stringify({ permissions: { allow: ['Bash'] } }))
    const said = await rig.bare('claude', ['--print', '--permission-mode', 'plan', '--model', 'claude-sonnet-4-5', '--settings', settings], writing)
    assert.is(said.code, 0, said.stderr)
    assert.ok(existsSync(join(rig.repo, 'touched.txt')))
  })
})
