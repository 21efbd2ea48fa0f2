import { expect, test } from 'vitest'
import { createDeadlines } from './deadlines.ts'

test('the thread starts before the first deadline is watched, and once', () => {
  let starts = 0
  const deadlines = createDeadlines(() => {
    starts += 1
  })
  expect(starts).toBe(0)
  for (const pid of [101, 102]) deadlines.watch({ pid, isHidden: false }, 1_000).forget()
  expect(starts).toBe(1)
  deadlines.stop()
})
