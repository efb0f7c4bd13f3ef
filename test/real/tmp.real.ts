import { realSuite } from './each.ts'
import { claudes } from './install.ts'
import { writeFileSync, readdirSync, readFileSync } from 'node:fs'
realSuite('tmp', test => {
  test('resume', claudes, async (rig, cli) => {
    const first = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[say hi there]]' }] })
    const second = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[say again]]', resume: first.outcome('a').sessionId! }] })
    const third = await rig.run({ workers: [{ id: 'a', provider: 'claude', task: '[[both touch x]]', resume: first.outcome('a').sessionId! }] })
    let n = 0
    for (const r of [first, second, third]) { n++
      const log = await r.file('a', 'stdout.log')
      writeFileSync(`/tmp/w/resume-${cli.key}-${n}.log`, log)
      console.log(log.split('\n').filter(l => l.includes('"type":"result"')).join('\n'), JSON.stringify(r.outcome('a').metrics)) }
    const dir = rig.home + '/.claude/projects/'
    for (const d of readdirSync(dir)) for (const f of readdirSync(dir + d)) if (f.endsWith('.jsonl')) writeFileSync(`/tmp/w/resume-${cli.key}.session`, readFileSync(dir + d + '/' + f))
    if (true) writeFileSync(`/tmp/w/resume-${cli.key}.claudejson`, readFileSync(rig.home + '/.claude.json'))
  })
})
