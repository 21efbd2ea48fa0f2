import { expect, test } from 'vitest'
import { createSlotPool, type SlotPool, type SlotShare } from './slot-pool.ts'

type Loop = Readonly<{ share: SlotShare; started: () => number; end: () => void }>

/** Opens a loop with this number of jobs, which takes a slot whenever it may. */
const openLoop = (pool: SlotPool, jobs: number): Loop => {
  let left = jobs
  let started = 0
  const fill = (): void => {
    while (left > 0 && share.room() > 0) {
      left -= 1
      started += 1
      share.enter()
    }
    share.want(left > 0)
  }
  const share: SlotShare = pool.join(fill)
  queueMicrotask(fill)
  return {
    share,
    started: () => started,
    end: () => {
      share.leave()
      fill()
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a single loop has all slots', async () => {
  const pool = createSlotPool(3)
  const loop = openLoop(pool, 10)
  await turn()
  expect([loop.started(), pool.running(), loop.share.room()]).toEqual([3, 3, 0])
})

test('loops with work start as many jobs as one another, however much the first has queued', async () => {
  const pool = createSlotPool(4)
  const greedy = openLoop(pool, 1_000)
  await turn()
  expect(greedy.started()).toBe(4)
  const late = openLoop(pool, 1_000)
  await turn()
  const running = { greedy: 4, late: 0 }
  for (let at = 0; at < 200; at += 1) {
    const before = [greedy.started(), late.started()] as const
    // the loop with more running jobs ends more
    if (running.greedy >= running.late) {
      running.greedy -= 1
      greedy.end()
    } else {
      running.late -= 1
      late.end()
    }
    await turn()
    running.greedy += greedy.started() - before[0]
    running.late += late.started() - before[1]
    expect(running.greedy + running.late).toBe(4)
  }
  // the difference excludes the four with which the first loop began
  expect(Math.abs(greedy.started() - 4 - late.started())).toBeLessThanOrEqual(4)
})

test.each([1, 2])('with %i slots no loop starves', async (concurrency) => {
  const pool = createSlotPool(concurrency)
  const loops = [openLoop(pool, 500), openLoop(pool, 500), openLoop(pool, 500)]
  await turn()
  for (let at = 0; at < 90; at += 1) {
    const one = loops.toSorted((a, b) => b.started() - a.started())[0]
    one?.end()
    await turn()
    expect(pool.running()).toBeLessThanOrEqual(concurrency)
  }
  for (const { started } of loops) expect(started()).toBeGreaterThan(25)
})

test('a loop that wants a slot and has nothing in the end gives it to the others', async () => {
  const pool = createSlotPool(1)
  const busy = openLoop(pool, 10)
  await turn()
  const idle = pool.join(() => idle.want(false))
  idle.want(true)
  busy.end()
  await turn()
  expect([busy.started(), pool.running()]).toEqual([2, 1])
})
