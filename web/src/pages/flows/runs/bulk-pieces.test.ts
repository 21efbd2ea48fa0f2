import { expect, test } from 'vitest'
import { idsFor, inPieces } from './bulk-pieces.ts'

test('ended runs are replayed and open ones canceled', () => {
  const runs = [
    { id: 'a', status: 'failed' },
    { id: 'b', status: 'running' },
    { id: 'c', status: 'completed' },
    { id: 'd', status: 'waiting_approval' },
  ] as const
  expect(idsFor('replay', runs)).toEqual(['a', 'c'])
  expect(idsFor('cancel', runs)).toEqual(['b', 'd'])
})

test.each([
  [0, []],
  [25, [25]],
  [60, [25, 25, 10]],
])('%i ids are sent in pieces of %o', (count, sizes) => {
  const ids = Array.from({ length: count }, (_, at) => String(at))
  expect(inPieces(ids).map(({ length }) => length)).toEqual(sizes)
  expect(inPieces(ids).flat()).toEqual(ids)
})
