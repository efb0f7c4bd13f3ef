import { Sharing } from '../../../lib/run/sharing.ts'
import { assert, suite } from '../../kit/check.ts'

const ids = (book: Sharing, root: string, id: string): string[] =>
  book.leave(root, id).map(other => `${other.id} ${other.mode}`).sort()

suite('Sharing', test => {
  test('leave() tells everyone who was there at any time during the stay, with their modes', () => {
    const book = new Sharing()
    book.enter('/a', 'one', 'write')
    book.enter('/a', 'two', 'read-only')
    assert.equal(ids(book, '/a', 'one'), ['two read-only'])
    book.enter('/a', 'three', 'write')
    assert.equal(ids(book, '/a', 'two'), ['one write', 'three write'])
    assert.equal(ids(book, '/a', 'three'), ['two read-only'])
  })

  test('leave() tells of nobody in another checkout, nor of those who had left before', () => {
    const book = new Sharing()
    book.enter('/a', 'one', 'write')
    book.enter('/b', 'two', 'write')
    assert.equal(ids(book, '/a', 'one'), [])
    book.enter('/b', 'three', 'write')
    assert.equal(ids(book, '/b', 'two'), ['three write'])
    book.enter('/a', 'four', 'write')
    assert.equal(ids(book, '/a', 'four'), [])
  })

  test('leave() of one who is not there tells of nobody', () => {
    const book = new Sharing()
    assert.equal(ids(book, '/a', 'one'), [])
    book.enter('/a', 'one', 'write')
    book.leave('/a', 'one')
    assert.equal(ids(book, '/a', 'one'), [])
  })
})
