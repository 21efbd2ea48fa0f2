/** The simulation of docs/scale.md, at a hundredth of its size. */
import { expect, test } from 'vitest'
import { PLAIN, type Setting } from './model.ts'
import { createAgenda, createFairQueue } from './queue.ts'
import { simulate } from './simulate.ts'

const SMALL: Setting = {
  ...PLAIN,
  cells: 4,
  workers: 20,
  cellsOfWorker: 2,
  servers: 2,
  tenants: 100,
  jobsPerMinute: 20_000,
  forMs: 6_000,
}

test('events come in the order of their times', () => {
  const agenda = createAgenda()
  const seen: number[] = []
  for (const at of [5, 1, 4, 1, 3, 2]) agenda.add(at, () => void seen.push(at))
  for (let event = agenda.take(); event !== null; event = agenda.take()) event.act()
  expect(seen).toEqual([1, 1, 2, 3, 4, 5])
})

test('tenants take turns, however much one of them has', () => {
  const queue = createFairQueue()
  for (const tenant of [1, 1, 1, 1, 2, 3]) queue.add({ tenant, queuedAt: 0 })
  expect(queue.take(4).map(({ tenant }) => tenant)).toEqual([1, 2, 3, 1])
  expect(queue.take(9).map(({ tenant }) => tenant)).toEqual([1, 1])
  expect(queue.size).toBe(0)
})

test('a seed gives the same figures twice, and another one others', () => {
  expect(simulate(SMALL)).toEqual(simulate(SMALL))
  expect(simulate({ ...SMALL, seed: 20 }).jobs).not.toBe(simulate(SMALL).jobs)
})

test('all jobs are run, and slots are as busy as they must be', () => {
  const { jobs, busySlots } = simulate(SMALL)
  const seconds = (SMALL.forMs * 0.9) / 1_000
  const perS = SMALL.jobsPerMinute / 60
  expect(jobs / seconds / perS).toBeCloseTo(1, 1)
  expect(busySlots).toBeCloseTo((perS * SMALL.jobMs) / 1_000 / (SMALL.workers * SMALL.slots), 1)
})

test('what is lost costs those who lost it', () => {
  const well = simulate(SMALL)
  const hints = simulate({ ...SMALL, jobsPerMinute: 240, hintLoss: 0.5 })
  expect(hints.wait.p99).toBeGreaterThan(well.wait.p99 * 10)
  const cell = simulate({ ...SMALL, lostCell: { fromMs: 2_000, untilMs: 4_000 } })
  expect(cell.refused).toBeGreaterThan(0)
  const hot = simulate({ ...SMALL, workers: 400, hotJobsPerS: 5_000 })
  expect(hot.writer.most).toBeGreaterThan(0.95)
  expect(hot.wait.p99).toBeLessThan(hot.hotWaitP99 + 50)
})
