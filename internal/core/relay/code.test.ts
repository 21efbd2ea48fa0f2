import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeRelayCode, RELAY_CODE, RELAY_CODE_RANDOM_BYTES } from './code.ts'

const random = fc.uint8Array({
  minLength: RELAY_CODE_RANDOM_BYTES,
  maxLength: RELAY_CODE_RANDOM_BYTES,
})

it('a code is six digits, whatever the dice say', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      fc.pre(bytes.some((byte) => byte !== 255))
      expect(makeRelayCode(bytes)).toMatch(RELAY_CODE)
    }),
  )
})

it('a code keeps its zeros, and draws again where the first draw would favour some codes', () => {
  expect(makeRelayCode(new Uint8Array(RELAY_CODE_RANDOM_BYTES))).toBe('000000')
  const unfair = new Uint8Array(RELAY_CODE_RANDOM_BYTES)
  unfair.set([255, 255, 255, 255, 0, 0, 0, 42])
  expect(makeRelayCode(unfair)).toBe('000042')
  expect(() => makeRelayCode(new Uint8Array(RELAY_CODE_RANDOM_BYTES).fill(255))).toThrow(/random/)
})
