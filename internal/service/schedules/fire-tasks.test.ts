import { expect, test } from 'vitest'
import { createFireTasks } from './fire-tasks.ts'

test('a failure that comes after the turn of its task is thrown once, in the next turn', async () => {
  const tasks = createFireTasks({ patienceMs: 0 })
  const slow = Promise.withResolvers<never>()
  tasks.begin('a', (keep) => keep(() => slow.promise))
  tasks.begin('b', () => slow.promise)
  await tasks.wait()
  expect(tasks.take()).toEqual([])
  slow.reject(new Error('late'))
  await tasks.settled()
  expect(() => tasks.take()).toThrow('late')
  expect(tasks.take()).toEqual([])
})
