import { expect, test } from 'vitest'
import { loadByTag } from './tag-load.ts'

test('a tag shows when jobs wait under it or a worker serves it, with both numbers', () => {
  const queues = [{ tag: 'gpu', queued: 3, oldestQueuedAgeS: 12.5 }]
  const workers = [{ tags: ['default', 'gpu'] }, { tags: ['default'] }]
  expect(loadByTag(queues, workers)).toEqual([
    { tag: 'default', liveWorkers: 2, queued: 0, oldestQueuedAgeS: null },
    { tag: 'gpu', liveWorkers: 1, queued: 3, oldestQueuedAgeS: 12.5 },
  ])
})

test('jobs under a tag that no worker serves are reported', () => {
  const queues = [{ tag: 'nobody', queued: 1, oldestQueuedAgeS: 60 }]
  expect(loadByTag(queues, [])).toMatchObject([{ tag: 'nobody', liveWorkers: 0 }])
})
