import { expect, it } from 'vitest'
import { createFairTurns } from './turns.ts'

it('runs one task at a time, and an owner with one task does not wait for all tasks of another', async () => {
  const take = createFairTurns()
  const order: string[] = []
  let running = 0
  const task = (owner: string) =>
    take(owner, async () => {
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      running -= 1
      order.push(owner)
    })
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(task))
  expect(order.join('')).toBe('aabcaba')
})

it('goes on after a task that failed', async () => {
  const take = createFairTurns()
  const failed = take('a', () => Promise.reject(new Error('broken')))
  const next = take('a', async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
