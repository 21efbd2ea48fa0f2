import { expect, test } from 'vitest'
import { readAs } from '#store/read-owner.ts'
import { takeTurn } from './take-turn.ts'

test('a turn of one workspace does not wait for all those of another', async () => {
  let taken = 0
  const flood = Array.from({ length: 200 }, () =>
    readAs('flood', () => takeTurn().then(() => (taken += 1))),
  )
  await readAs('other', takeTurn)
  expect(taken).toBeLessThan(3)
  await readAs('other', takeTurn)
  expect(taken).toBeLessThan(5)
  await Promise.all(flood)
  expect(taken).toBe(200)
})

test('turns are taken one at a time', async () => {
  let iterations = 0
  let isOpen = true
  const count = (): void => {
    iterations += 1
    if (isOpen) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 50 }, takeTurn))
  isOpen = false
  expect(iterations).toBeGreaterThanOrEqual(49)
})
