import { expect, test } from 'vitest'
import type { StatementResult } from '../database.ts'
import { raw } from '../sql.ts'
import { sendInOrder } from './send-in-order.ts'

test('a large batch passes alone: behind all before it, and before all behind it', async () => {
  const sent: string[] = []
  const answers = new Map<string, () => void>()
  const send = sendInOrder({
    isLarge: ([statement]) => statement?.sql.startsWith('large') === true,
    batch: ([statement]) => {
      const name = statement?.sql ?? ''
      sent.push(name)
      return new Promise<readonly StatementResult[]>((resolve) => {
        answers.set(name, () => resolve([]))
      })
    },
  })
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
  const all = ['a', 'b', 'large', 'c', 'd', 'large too'].map((name) => send([raw(name)]))
  await settle()
  expect(sent).toEqual(['a', 'b'])
  answers.get('a')?.()
  await settle()
  expect(sent).toEqual(['a', 'b'])
  answers.get('b')?.()
  await settle()
  expect(sent).toEqual(['a', 'b', 'large'])
  answers.get('large')?.()
  await settle()
  expect(sent).toEqual(['a', 'b', 'large', 'c', 'd'])
  answers.get('c')?.()
  answers.get('d')?.()
  await settle()
  answers.get('large too')?.()
  await Promise.all(all)
  expect(sent.at(-1)).toBe('large too')
})

test('a large batch that fails does not hold the others up', async () => {
  const send = sendInOrder({
    isLarge: ([statement]) => statement?.sql === 'large',
    batch: async ([statement]) => {
      if (statement?.sql === 'large') throw new Error('lost')
      return []
    },
  })
  const [large, behind] = [send([raw('large')]), send([raw('a')])]
  await expect(large).rejects.toThrow('lost')
  await expect(behind).resolves.toEqual([])
})
