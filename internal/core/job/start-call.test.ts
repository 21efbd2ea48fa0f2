import { expect, it } from 'vitest'
import { readEventCall } from './start-call.ts'

it('names the options of an event that do not exist', () => {
  const call = { target: 'order.paid', options: { keys: 'a' } }
  expect(() => readEventCall(call)).toThrow('of the event. options: Unrecognized key: "keys"')
})
