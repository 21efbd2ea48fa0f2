import { expect, it } from 'vitest'
import { createLogGauge } from './log-gauge.ts'

/** Counts commits of this many rows until the log is full. */
const commitsUntilFull = (gauge: ReturnType<typeof createLogGauge>, rows: number): number => {
  let commits = 0
  for (; !gauge.isFull(); commits += 1) gauge.note(rows, 0)
  return commits
}

it('learns how many pages a row takes', () => {
  const gauge = createLogGauge()
  expect(commitsUntilFull(gauge, 1)).toBe(250)
  // they were half as many as it had assumed
  gauge.noteMoved(500)
  expect(commitsUntilFull(gauge, 1)).toBe(500)
})

it('counts large values by their size', () => {
  const gauge = createLogGauge()
  gauge.note(1, 5_000_000)
  expect(gauge.isFull()).toBe(true)
  gauge.noteMoved(1_300)
  expect(gauge.isFull()).toBe(false)
})

it('still moves the log after one that held nothing', () => {
  const gauge = createLogGauge()
  gauge.note(10, 0)
  gauge.noteMoved(0)
  expect(commitsUntilFull(gauge, 1)).toBe(4_000)
})
