import { expect, it } from 'vitest'
import { endOf, RELAY_ENDS, RELAY_STATES, statesBefore } from './session.ts'

it('a session goes from waiting to uploaded to delivered, and ends at any time before', () => {
  const table = Object.fromEntries(RELAY_STATES.map((state) => [state, statesBefore(state)]))
  expect(table).toEqual({
    waiting: [],
    uploaded: ['waiting'],
    delivered: ['uploaded'],
    expired: ['waiting', 'uploaded'],
    cancelled: ['waiting', 'uploaded'],
  })
})

it('nothing follows an end', () => {
  const followed = new Set(RELAY_STATES.flatMap(statesBefore))
  for (const end of RELAY_ENDS) expect(followed).not.toContain(end)
  expect(RELAY_STATES.map(endOf)).toEqual([null, null, ...RELAY_ENDS])
})
