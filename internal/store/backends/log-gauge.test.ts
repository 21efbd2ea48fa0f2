import { expect, it } from 'vitest'
import { createLogGauge } from './log-gauge.ts'

/** Counts commits of this many rows until a checkpoint is due. */
const commitsUntilDue = (gauge: ReturnType<typeof createLogGauge>, rows: number): number => {
  let commits = 0
  for (; !gauge.isDue(); commits += 1) gauge.note(rows, 0)
  return commits
}

it('learns how many pages a row takes', () => {
  const gauge = createLogGauge()
  expect(commitsUntilDue(gauge, 1)).toBe(250)
  // they were half as many as it had assumed
  gauge.noteCheckpoint(500, 10)
  expect(commitsUntilDue(gauge, 1)).toBe(500)
})

it('counts large values by their size', () => {
  const gauge = createLogGauge()
  gauge.note(1, 5_000_000)
  expect(gauge.isDue()).toBe(true)
  gauge.noteCheckpoint(1_300, 10)
  expect(gauge.isDue()).toBe(false)
})

it('counts pages that are returned to the disk, and learns nothing about rows from them', () => {
  const gauge = createLogGauge()
  gauge.note(1, 0)
  for (let at = 0; at < 8; at += 1) gauge.noteReclaimed(128)
  expect(gauge.isDue()).toBe(true)
  gauge.noteCheckpoint(400, 10)
  expect(commitsUntilDue(gauge, 1)).toBe(250)
})

it('is due again after a checkpoint of an empty log', () => {
  const gauge = createLogGauge()
  gauge.note(10, 0)
  gauge.noteCheckpoint(0, 10)
  expect(commitsUntilDue(gauge, 1)).toBe(4_000)
})

it('lets fewer pages gather after a long checkpoint, and more after a short one', () => {
  const gauge = createLogGauge()
  let commits = commitsUntilDue(gauge, 1)
  const commitsAfter = (ms: number): number => {
    gauge.noteCheckpoint(commits * 4, ms)
    commits = commitsUntilDue(gauge, 1)
    return commits
  }
  expect(commitsAfter(30)).toBe(125)
  expect(commitsAfter(10)).toBe(125)
  for (let at = 0; at < 9; at += 1) commitsAfter(500)
  expect(commitsAfter(500)).toBe(32)
  for (let at = 0; at < 9; at += 1) commitsAfter(1)
  expect(commitsAfter(1)).toBe(250)
})
