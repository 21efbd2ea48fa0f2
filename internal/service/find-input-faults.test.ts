/** Checks inputs by hostile schemas on the real thread, and measures how long each turn of the main thread takes. */
import { expect, test } from 'vitest'
import { inputCheck, quickCheck } from '#core/action/input-schema.ts'
import type { ErrorDetail } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import { manifestReader } from '#node/manifest-thread.ts'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { findInputFaults, fitsQuickly } from './find-input-faults.ts'

const DEPS = { manifests: manifestReader }

/** Each definition refers twice to the one before, so that a check evaluates the first 2^`doublings` times. */
const doubling = (doublings: number): JsonValue => ({
  $defs: Object.fromEntries(
    Array.from({ length: doublings + 1 }, (_, n) => [
      `d${n}`,
      n === 0
        ? { minimum: 0 }
        : { allOf: [`d${n - 1}`, `d${n - 1}`].map((at) => ({ $ref: `#/$defs/${at}` })) },
    ]),
  ),
  $ref: `#/$defs/d${doublings}`,
})

test('a check that takes long does not block, and finds the same', async () => {
  const schema = doubling(17)
  const check = quickCheck(schema)
  for (const input of [1, -1]) {
    let faults: readonly ErrorDetail[] = []
    const longest = await leastLongestTurnMs(async () => {
      faults = await findInputFaults(DEPS, check, { ws: 'w', input })
    })
    expect(faults).toEqual(inputCheck(schema)?.(input))
    expect(longest).toBeLessThan(50)
  }
})

test('many short checks leave turns to others', async () => {
  const check = quickCheck(doubling(13))
  const longest = await leastLongestTurnMs(async () => {
    for (let n = 0; n < 40; n += 1)
      expect(await findInputFaults(DEPS, check, { ws: 'w', input: 1 })).toEqual([])
  })
  expect(longest).toBeLessThan(50)
})

test('checks that begin at once leave turns to others', async () => {
  const check = quickCheck(doubling(13))
  const longest = await leastLongestTurnMs(() =>
    Promise.all(
      Array.from({ length: 60 }, () => findInputFaults(DEPS, check, { ws: 'w', input: 1 })),
    ),
  )
  expect(longest).toBeLessThan(50)
})

test('a check that may not wait counts one that takes long as a fault', async () => {
  expect(await fitsQuickly(quickCheck(doubling(3)), { ws: 'w', input: 1 })).toBe(true)
  expect(await fitsQuickly(quickCheck(doubling(3)), { ws: 'w', input: -1 })).toBe(false)
  expect(await fitsQuickly(quickCheck(doubling(17)), { ws: 'w', input: 1 })).toBe(false)
  expect(await fitsQuickly(null, { ws: 'w', input: 1 })).toBe(true)
})
