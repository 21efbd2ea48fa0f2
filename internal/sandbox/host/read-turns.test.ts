import { expect, it, vi } from 'vitest'
import { createTurns, guestTurns, SLICE_MS, type Turn } from './read-turns.ts'

/** A clock that moves only by reading, and an event loop that turns only when the test lets it. */
const createLoop = () => {
  let time = 0
  const immediates: (() => void)[] = []
  const turns = createTurns({
    now: () => time,
    nextIteration: (callback) => void immediates.push(callback),
  })
  const told: string[] = []
  /** A guest with the given number of frames to read, each taking 1 ms. */
  const guest = (name: string, frames: number): Turn => {
    let left = frames
    return (mayGoOn) => {
      while (left > 0 && mayGoOn()) {
        told.push(name)
        time += 1
        left -= 1
      }
      return left > 0
    }
  }
  const iterate = (): boolean => {
    const due = immediates.splice(0)
    for (const callback of due) callback()
    return due.length > 0
  }
  return { turns, guest, told, iterate }
}

it('reads at once when no other reader waits', () => {
  const { turns, guest, told } = createLoop()
  turns.request(guest('a', 2))
  turns.request(guest('b', 1))
  expect(told).toEqual(['a', 'a', 'b'])
})

it('reads no longer than a slice in one iteration, for all readers together', () => {
  const { turns, guest, told, iterate } = createLoop()
  turns.request(guest('flood', 100))
  expect(told).toHaveLength(SLICE_MS)
  turns.request(guest('other', 100))
  expect(told).toHaveLength(SLICE_MS)
  iterate()
  expect(told).toHaveLength(2 * SLICE_MS)
})

it('gives every reader a turn before one has a second', () => {
  const { turns, guest, told, iterate } = createLoop()
  turns.request(guest('flood', 1_000))
  turns.request(guest('flood 2', 1_000))
  turns.request(guest('honest', 1))
  for (let iteration = 0; iteration < 3; iteration += 1) iterate()
  expect(told).toContain('honest')
  expect(told.indexOf('honest')).toBeLessThanOrEqual(3 * SLICE_MS)
})

it('is idle when there is nothing to read', () => {
  const { turns, guest, iterate } = createLoop()
  turns.request(guest('a', 10))
  let iterations = 0
  while (iterate()) iterations += 1
  expect(iterations).toBeLessThan(5)
})

it('go on for the guests of the process after the timers were replaced for a while', async () => {
  vi.useFakeTimers()
  guestTurns.request(() => false)
  vi.useRealTimers()
  const until = performance.now() + 2 * SLICE_MS
  guestTurns.request(() => {
    while (performance.now() < until);
    return false
  })
  await new Promise<void>((resolve) => {
    guestTurns.request(() => {
      resolve()
      return false
    })
  })
}, 5_000)
