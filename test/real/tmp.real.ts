import { realSuite } from './each.ts'
import { newClaude } from './install.ts'
realSuite('tmp', test => {
  test('bg', [newClaude], async (rig, cli) => {
    const ran = await rig.run({ workers: [{ id: 'a', provider: 'claude', mode: 'write', isolate: true, allowCommands: ['sleep'], task: '[[bg sleep 5]]' }] })
    console.log(JSON.stringify(ran.outcome('a'), null, 1))
    console.log((await ran.file('a', 'stdout.log')).split('\n').map(l => l.slice(0, 230)).join('\n'))
    console.log(JSON.stringify((rig.anthropic.asked.at(-1)!.body as any).messages.slice(-3), null, 1).slice(-3000))
  })
})
