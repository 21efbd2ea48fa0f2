import { expect, test } from 'vitest'
import { createClaiming } from './claiming.ts'

/** Opens a claim loop whose claims answer when the test lets them. */
const openClaiming = (room: () => number) => {
  const claims: Readonly<{
    limit: number
    /** Begins the commit of the claim. */
    take: () => void
    give: (count: number, mayBeMore?: boolean) => void
    fail: () => void
  }>[] = []
  const errors: unknown[] = []
  let mayGoOn = true
  const claiming = createClaiming({
    room,
    mayGoOn: () => mayGoOn,
    claim: (limit, take) =>
      new Promise((resolve, reject) => {
        const give = (count: number, mayBeMore = false): void =>
          resolve({ count, mayBeMore, nextDueMs: null })
        claims.push({ limit, take, give, fail: () => reject(new Error('Away.')) })
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

test('runs one claim at a time, and one more for requests during it', async () => {
  const { claiming, claims } = openClaiming(() => 4)
  const requests = [claiming.request()]
  claims[0]?.take()
  requests.push(claiming.request(), claiming.request())
  expect(claims).toHaveLength(1)
  claims[0]?.give(0)
  await settle()
  expect(claims).toHaveLength(2)
  claims[1]?.give(0)
  await Promise.all(requests)
  expect(claims).toHaveLength(2)
})

test('a claim that is not taken yet serves requests too, since it runs last in its commit', async () => {
  const { claiming, claims } = openClaiming(() => 4)
  const requests = [claiming.request(), claiming.request()]
  claims[0]?.take()
  claims[0]?.give(0)
  await Promise.all(requests)
  expect(claims).toHaveLength(1)
})

test('claims again after a full batch, and stops after a partial one', async () => {
  let room = 4
  const { claiming, claims } = openClaiming(() => room)
  const requests = claiming.request()
  claims[0]?.give(4)
  room = 2
  await settle()
  claims[1]?.give(1)
  await requests
  expect(claims.map(({ limit }) => limit)).toEqual([4, 2])
})

test('claims again after a single job where others may wait behind a full key', async () => {
  const { claiming, claims } = openClaiming(() => 4)
  const requests = claiming.request()
  claims[0]?.give(1, true)
  await settle()
  claims[1]?.give(1)
  await requests
  expect(claims).toHaveLength(2)
})

test('claims nothing without room', async () => {
  const { claiming, claims } = openClaiming(() => 0)
  await claiming.request()
  expect(claims).toHaveLength(0)
})

test('claims again after an error', async () => {
  const { claiming, claims, errors } = openClaiming(() => 1)
  const requests = claiming.request()
  claims[0]?.fail()
  await requests
  expect(errors).toHaveLength(1)
  const again = claiming.request()
  claims[1]?.give(0)
  await again
})

test('settled waits for the current claim, and a stop ends the loop', async () => {
  const { claiming, claims, end } = openClaiming(() => 1)
  await claiming.settled()
  void claiming.request()
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
