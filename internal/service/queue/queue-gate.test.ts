import { expect, test } from 'vitest'
import type { Database, Row } from '#store/database.ts'
import { createQueueGate } from './queue-gate.ts'

const openGate = (queueMax: number) => {
  const answers: ((row: Row) => void)[] = []
  const db: Pick<Database, 'one'> = { one: () => new Promise((resolve) => answers.push(resolve)) }
  let now = 0
  const gate = createQueueGate({
    db: db as Database,
    now: () => now,
    limits: { queueMax },
    storage: { pass: async () => undefined },
  })
  const room = async (queued: number): Promise<number> => {
    const found = gate.room('ws')
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    answers.pop()?.({ n: queued })
    return found
  }
  return {
    gate,
    room,
    answers,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('an old count of a short queue is made again while callers use it', async () => {
  const { gate, room, answers, pass } = openGate(100)
  expect(await room(10)).toBe(90)
  pass(1_600)
  expect([await gate.room('ws'), await gate.room('ws')]).toEqual([90, 90])
  expect(answers.length).toBe(1)
  answers.pop()?.({ n: 20 })
  await expect.poll(() => gate.room('ws')).toBe(80)
})

test('callers wait for the count of a queue that may be full', async () => {
  const { gate, room, answers, pass } = openGate(100)
  expect(await room(60)).toBe(40)
  pass(1_600)
  expect(await gate.room('ws')).toBe(40)
  expect(answers.length).toBe(0)
  pass(1_000)
  expect(await room(100)).toBe(0)
})
