/** A newer node may send messages that this one does not know. The link to it stays open [wire 9.6]. */
import { expect, test } from 'vitest'
import { readMessage } from './protocol.ts'

const read = (message: object) => readMessage(JSON.stringify(message))

test('hints of kinds that only a newer node has are left out, the others are kept', () => {
  expect(read({ t: 'hints', hints: { jobChanged: ['j1'], moonRisen: ['m1'] }, more: 1 })).toEqual({
    t: 'hints',
    hints: { jobChanged: ['j1'] },
  })
})

test('a message of a newer kind is none, and a malformed one is refused', () => {
  expect(read({ t: 'moon', phase: 'full' })).toBeNull()
  expect(() => read({ t: 'hints', hints: { jobChanged: 'j1' } })).toThrow()
  expect(() => read({})).toThrow()
})
