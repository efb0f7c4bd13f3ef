import { realSuite } from './each.ts'
import { clis } from './install.ts'
import { writeFileSync } from 'node:fs'
realSuite('smoke', test => {
  test('says', clis, async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: cli.program, task: '[[say hi there]]' }] })
    console.log(cli.key, ran.code, JSON.stringify(ran.workers, null, 1))
    console.log(rig.serverOf(cli).asked.map(a => [a.method, a.path, a.raw.length, a.headers.join()]))
    writeFileSync(`/tmp/w/req-${cli.key}.json`, JSON.stringify(rig.serverOf(cli).asked, null, 1))
  })
})
