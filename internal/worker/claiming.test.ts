import { expect, test } from 'vitest'
import { createClaiming } from './claiming.ts'

/** Claims answer when the test says so. */
const openClaiming = (room: () => number) => {
  const claims: Readonly<{ limit: number; give: (count: number) => void; fail: () => void }>[] = []
  const errors: unknown[] = []
  let mayGoOn = true
  const claiming = createClaiming({
    room,
    mayGoOn: () => mayGoOn,
    claim: (limit) =>
      new Promise((resolve, reject) => {
        claims.push({ limit, give: resolve, fail: () => reject(new Error('Away.')) })
      }),
    onError: (error) => errors.push(error),
  })
  return {
    claiming,
    claims,
    errors,
    end: () => {
      mayGoOn = false
    },
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one claim is under way at a time; who asks meanwhile gets one more look', async () => {
  const { claiming, claims } = openClaiming(() => 4)
  const asked = [claiming.ask(), claiming.ask(), claiming.ask()]
  expect(claims).toHaveLength(1)
  claims[0]?.give(0)
  await settle()
  expect(claims).toHaveLength(2)
  claims[1]?.give(0)
  await Promise.all(asked)
  expect(claims).toHaveLength(2)
})

test('a full catch is followed by another, one that was not full ends it', async () => {
  let room = 4
  const { claiming, claims } = openClaiming(() => room)
  const asked = claiming.ask()
  claims[0]?.give(4)
  room = 2
  await settle()
  claims[1]?.give(1)
  await asked
  expect(claims.map(({ limit }) => limit)).toEqual([4, 2])
})

test('without room nothing is claimed', async () => {
  const { claiming, claims } = openClaiming(() => 0)
  await claiming.ask()
  expect(claims).toHaveLength(0)
})

test('after an error it can be asked again', async () => {
  const { claiming, claims, errors } = openClaiming(() => 1)
  const asked = claiming.ask()
  claims[0]?.fail()
  await asked
  expect(errors).toHaveLength(1)
  const again = claiming.ask()
  claims[1]?.give(0)
  await again
})

test('settled waits for the claim under way, and a stop ends the chain', async () => {
  const { claiming, claims, end } = openClaiming(() => 1)
  await claiming.settled()
  void claiming.ask()
  let isSettled = false
  const settled = claiming.settled().then(() => {
    isSettled = true
  })
  await settle()
  expect(isSettled).toBe(false)
  end()
  claims[0]?.give(1)
  await settled
  expect(claims).toHaveLength(1)
})
