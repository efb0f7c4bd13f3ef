import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert, suite } from '../kit/check.ts'
import { cliRig } from '../kit/cli.ts'

const workers = 200
/** Most bytes of stdout; what is over is in the run's folder or behind --json. */
const ceilings: Readonly<Record<string, number>> = { validate: 4 * 1024, 'dry-run': 12 * 1024, run: 6 * 1024, status: 6 * 1024, wait: 6 * 1024, stop: 1024 }

const sized = (name: string, { stdout, stderr }: { stdout: string; stderr: string }): string[] => {
  assert.is(stderr, '', name)
  const bytes = Buffer.byteLength(stdout)
  assert.ok(bytes <= (ceilings[name] ?? 0), `${name} printed ${bytes} bytes:\n${stdout}`)
  return stdout.trimEnd().split('\n')
}

suite('lead economy', test => {
  test('what commands print of 200 workers stays under its ceiling, with the worst news first and the folder last', async () => {
    await using rig = await cliRig()
    await rig.fake('wordy', `case "$1" in
*7) printf '%0900d\\n' 0 >&2; echo "出力は信用できない 出力は信用できない 出力は信用できない $1" >&2; exit 3;;
*) echo 'Looked at everything'; echo 'SUMMARY: 出力は信用できない出力は信用できない出力は信用できない出力は信用できない出力は信用できない出力は信用できない出力は信用できない'; echo "STATUS: DONE";;
esac`)
    const plan = await rig.plan({ maxConcurrent: 16, title: 'Look at everything', workers: Array.from({ length: workers }, (_, at) => ({
      id: `worker-with-a-long-name-${String(at).padStart(3, '0')}`, task: `${'Look at everything in this folder. '.repeat(10)}${at}`,
      // Every fourth program is missing, each under a name of its own.
      command: at % 4 === 0 ? `missing-program-${at}` : 'wordy', args: [String(at), '--option', 'x'.repeat(200)], timeoutSeconds: 60,
    })) })
    const policy = join(rig.work, 'policy.json')
    await writeFile(policy, JSON.stringify({ version: 1, maxWorkers: 1000, maxConcurrent: 64 }))
    const onPlan = [plan, '--policy', policy]
    const [validated, previewed] = [sized('validate', await rig.run('validate', onPlan)), sized('dry-run', await rig.run('dry-run', onPlan))]
    assert.match(validated[0] ?? '', /^ok: 200 workers, /)
    assert.match(validated.at(-1) ?? '', /more warnings: --json/)
    assert.match(previewed[0] ?? '', /^Look at everything: 200 workers, /)

    const ran = sized('run', await rig.run('run', onPlan))
    const [folder = ''] = rig.runFolders()
    assert.match(ran[0] ?? '', /^partial: \d+ of 200 succeeded, \d+ failed/)
    assert.match(ran[1] ?? '', /^failed /)
    assert.is(ran.at(-1), folder)
    for (const name of ['status', 'wait']) {
      const lines = sized(name, await rig.run(name))
      assert.equal(lines.slice(1), ran.slice(1), name)
    }
    assert.equal(sized('stop', await rig.run('stop')), [`was over (partial): ${folder}`])
  }, 120_000)
})
