import { expect, test } from 'vitest'
import { createSharedGate } from './shared-gate.ts'

/** Starts tasks of owners that run until they are ended. */
const open = (limit: number, perOwner: number) => {
  const gate = createSharedGate(limit, perOwner)
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const settled: Promise<void>[] = []
  return {
    running,
    start: async (...owners: readonly string[]): Promise<void> => {
      for (const owner of owners) {
        const task = async (): Promise<void> => {
          running.push(owner)
          await new Promise<void>((end) => ends.set(owner, end))
        }
        settled.push(gate(owner, task))
      }
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    },
    /** Ends the newest task of an owner. */
    end: async (owner: string): Promise<void> => {
      running.splice(running.lastIndexOf(owner), 1)
      ends.get(owner)?.()
      for (let turn = 0; turn < 9; turn += 1) await Promise.resolve()
    },
  }
}

test('an owner has a limited number of tasks, and the last place is for owners who have none', async () => {
  const { running, start } = open(4, 3)
  await start('a', 'a', 'a', 'a')
  expect(running).toEqual(['a', 'a', 'a'])
  await start('b', 'b')
  expect(running).toEqual(['a', 'a', 'a', 'b'])
})

test('tasks of two owners leave a place to a third, however many wait', async () => {
  const { running, start } = open(4, 3)
  await start('a', 'b', 'a', 'b', 'a', 'b')
  expect(running).toEqual(['a', 'b', 'a'])
  await start('c')
  expect(running).toEqual(['a', 'b', 'a', 'c'])
})

test('a free place goes to the waiting owner with fewest tasks, not to the one that waits longest', async () => {
  const { running, start, end } = open(4, 3)
  await start('a', 'a', 'b', 'c', 'a', 'b', 'd')
  expect(running).toEqual(['a', 'a', 'b', 'c'])
  await end('c')
  expect(running).toEqual(['a', 'a', 'b', 'd'])
  await end('d')
  expect(running).toEqual(['a', 'a', 'b'])
  await end('b')
  expect(running).toEqual(['a', 'a', 'b'])
})

test('a task that fails gives its place back', async () => {
  const gate = createSharedGate(1, 1)
  await expect(gate('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await gate('a', () => Promise.resolve(1))).toBe(1)
})
