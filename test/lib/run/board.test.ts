import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { State } from '../../../lib/model/state.ts'
import { Board } from '../../../lib/run/board.ts'
import { assert, suite } from '../../kit/check.ts'
import { tempFolder } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const state = (): State => ({ version: 1, status: 'running', workers: { a: { id: 'a', provider: 'p', status: 'queued' } } })
const fail = (error: unknown): void => { throw error }

suite('Board', test => {
  test('writes many changes once, soon after the first', async () => {
    await using temp = await tempFolder()
    const path = join(temp.path, 'state.json')
    const board = new Board(path, state(), fail)
    await board.flush()
    const first = (await stat(path)).ino
    for (let i = 0; i < 1000; i++) board.worker('a', { status: 'running', outputBytes: i })
    await until(async () => (await readFile(path, 'utf8')).includes('"outputBytes": 999'))
    assert.is.not((await stat(path)).ino, first)
  })

  test('tells of a write that failed and keeps the last good state', async () => {
    await using temp = await tempFolder()
    await mkdir(join(temp.path, 'state.json'))
    const faults: unknown[] = []
    const board = new Board(join(temp.path, 'state.json'), state(), error => faults.push(error))
    board.set({ status: 'done' })
    await until(() => faults.length === 1)
    assert.is(board.state.status, 'done')
  })

  test('refuses a worker that is not in the wave', () => {
    const board = new Board('/nowhere', state(), fail)
    assert.throws(() => { board.worker('b', { status: 'running' }) }, /no worker "b"/)
  })
})
