import { expect, test } from 'vitest'
import { createPacedStarts } from './paced-starts.ts'

const open = () => {
  let ms = 0
  const startedAt: number[] = []
  const inTurn = createPacedStarts({
    share: 0.25,
    now: () => ms,
    pause: async (waitMs) => {
      ms += waitMs
    },
  })
  const start = (blocksMs: number, task: Promise<unknown> = Promise.resolve(blocksMs)) =>
    inTurn(() => {
      startedAt.push(ms)
      ms += blocksMs
      return task
    })
  const pass = (by: number): void => {
    ms += by
  }
  return { start, startedAt, pass }
}

test('starts that block take a quarter of the time, whatever their number', async () => {
  const { start, startedAt } = open()
  expect(await Promise.all([start(10), start(20), start(5)])).toEqual([10, 20, 5])
  expect(startedAt).toEqual([0, 40, 120])
})

test('a start after a rest does not wait', async () => {
  const { start, startedAt, pass } = open()
  await start(10)
  pass(100)
  await start(10)
  expect(startedAt).toEqual([0, 110])
})

test('a clock that goes back makes no start wait longer', async () => {
  const { start, startedAt, pass } = open()
  pass(1_000_000)
  await start(10)
  pass(-1_000_000)
  await start(10)
  expect(startedAt).toEqual([1_000_000, 40])
})

test('the next start waits neither for the end of a task nor for its success', async () => {
  const { start } = open()
  void start(1, new Promise(() => undefined))
  await expect(start(1, Promise.reject(new Error('no git')))).rejects.toThrow('no git')
  expect(await start(7)).toBe(7)
})
