import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JobProgress, progressBetween } from './progress.ts'
import { JOB_STATUSES } from './transitions.ts'

test('a quick job is reported as running although no look fell into its run', () => {
  expect(
    progressBetween({ status: 'queued', attempt: 0 }, { status: 'success', attempt: 1 }),
  ).toEqual([
    { status: 'running', attempt: 1 },
    { status: 'success', attempt: 1 },
  ])
})

test('each attempt in between is reported, with its return to the queue', () => {
  expect(
    progressBetween({ status: 'running', attempt: 1 }, { status: 'running', attempt: 3 }),
  ).toEqual([
    { status: 'queued', attempt: 1 },
    { status: 'running', attempt: 2 },
    { status: 'queued', attempt: 2 },
    { status: 'running', attempt: 3 },
  ])
})

test('the first look reports the current status, and the same look again nothing', () => {
  const now: JobProgress = { status: 'running', attempt: 2 }
  expect(progressBetween(null, now)).toEqual([now])
  expect(progressBetween(now, now)).toEqual([])
})

test('ends at what is now, and no two steps are the same', () => {
  const progress = fc.record({
    status: fc.constantFrom(...JOB_STATUSES),
    attempt: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(progress, progress, (seen, now) => {
      const steps = progressBetween(seen, now)
      const all = [seen, ...steps]
      expect(all.at(-1)).toEqual(now)
      for (let at = 1; at < all.length; at += 1) expect(all[at]).not.toEqual(all[at - 1])
    }),
  )
})
