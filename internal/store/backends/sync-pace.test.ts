import { expect, it } from 'vitest'
import { createSyncPace } from './sync-pace.ts'

const paceAfter = (times: readonly number[]) => {
  const pace = createSyncPace()
  for (const ms of times) pace.note(ms)
  return pace
}

it('lets a lone commit wait for a fast disk, and not for a slow one', () => {
  const fast = paceAfter(Array.from({ length: 20 }, () => 0.3))
  expect(fast.isApart(1)).toBe(false)
  const slow = paceAfter(Array.from({ length: 20 }, () => 5))
  expect(slow.isApart(1)).toBe(true)
})

it('keeps the event loop free when several callers share a commit', () => {
  const fast = paceAfter(Array.from({ length: 20 }, () => 0.3))
  expect(fast.isApart(3)).toBe(true)
})

it('counts a disk as slow until it has shown otherwise', () => {
  expect(paceAfter([]).isApart(1)).toBe(true)
})

it('is not misled by one slow sync of a fast disk', () => {
  const pace = paceAfter([...Array.from({ length: 20 }, () => 0.3), 5])
  expect(pace.isApart(1)).toBe(false)
})
