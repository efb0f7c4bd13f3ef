import { join } from 'node:path'
import { oursIn, rawAt, rawInput, rawPath, rawPaths, shownPath } from '../../../lib/io/raw-path.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'

suite('raw paths', test => {
  test('rawPaths() and rawInput() carry any bytes there and back', () => {
    const bytes = Buffer.concat([Buffer.from('é ☃\n\0'), Buffer.from([0xff, 0xfe, 0x2f, 0x41, 0]), Buffer.from('plain\0')])
    const paths = rawPaths(bytes)
    assert.is(paths.length, 3)
    assert.ok(rawInput(paths).equals(bytes))
    assert.equal(paths.map(shownPath), ['é ☃\n', '\ufffd\ufffd/A', 'plain'])
    assert.is(shownPath(rawPath('é ☃')), 'é ☃')
    assert.ok(rawAt('/ü', rawPath('é')).equals(Buffer.from('/ü/é')))
  })

  test('oursIn() knows our own folder and the given ones, and nothing that only begins alike', async () => {
    await using temp = await tempFolder()
    const isOurs = await oursIn(temp.path, [join(temp.path, 'rüns'), temp.path, join(temp.path, '..'), '/elsewhere'])
    const names = ['.alethe/', '.alethe/x', 'rüns/', 'rüns/run/state.json', '.alethe2/x', 'rünsx', 'sub/.alethe/x', 'f']
    assert.equal(names.filter(name => isOurs(rawPath(name))), ['.alethe/', '.alethe/x', 'rüns/', 'rüns/run/state.json'])
  })
})
