import { expect, it } from 'vitest'
import { readEventCall } from './start-call.ts'

it('names the options of an event that do not exist', () => {
  const call = { target: 'order.paid', options: { keys: 'a' }, inputJson: 'null' }
  expect(() => readEventCall(call, 10)).toThrow('of the event. options: Unrecognized key: "keys"')
})
