import { afterEach, expect, test, vi } from 'vitest'
import { waitUntil } from './wait-until.ts'

afterEach(() => vi.restoreAllMocks())

test('a wait whose time ends between its look and its pause asks for no negative delay', async () => {
  // each reading of the clock is later, as on a busy machine
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 4))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const look = async (): Promise<null> => null
  await waitUntil({
    timeoutMs: 9,
    subscribe: () => () => undefined,
    look,
    isOver: () => false,
  })
  const delays = timers.mock.calls.map(([, delay]) => delay)
  expect(delays.length).toBeGreaterThan(0)
  expect(delays.every((delay) => delay !== undefined && delay >= 0)).toBe(true)
})
