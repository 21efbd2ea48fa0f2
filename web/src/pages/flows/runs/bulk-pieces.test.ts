import { expect, test } from 'vitest'
import { idsFor, NONE_SENT, type Sent, sendInPieces } from './bulk-pieces.ts'

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
])('%i ids are sent in pieces of %o', async (count, sizes) => {
  const ids = Array.from({ length: count }, (_, at) => String(at))
  const pieces: (readonly string[])[] = []
  const send = (piece: readonly string[]) => {
    pieces.push(piece)
    return Promise.resolve({ failed: 1 })
  }
  const sent = await sendInPieces(ids, NONE_SENT, { send, onSent: () => undefined })
  expect(sent).toEqual({ count, failed: sizes.length })
  expect(pieces.map(({ length }) => length)).toEqual(sizes)
  expect(pieces.flat()).toEqual(ids)
})

test('after an error, the next attempt sends only the ids that were not sent', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => String(at))
  const sentIds: string[] = []
  let sent: Sent = NONE_SENT
  const attempt = (mayFail: boolean) =>
    sendInPieces(ids, sent, {
      send: (piece) => {
        if (mayFail && sentIds.length > 0) return Promise.reject(new Error('The server is away.'))
        sentIds.push(...piece)
        return Promise.resolve({ failed: 2 })
      },
      onSent: (next) => {
        sent = next
      },
    })
  await expect(attempt(true)).rejects.toThrow('away')
  expect(sent).toEqual({ count: 25, failed: 2 })
  expect(await attempt(false)).toEqual({ count: 60, failed: 6 })
  expect(sentIds).toEqual(ids)
})
