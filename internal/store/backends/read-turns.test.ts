import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { createReadTurns } from './read-turns.ts'

const spend = (ms: number): void => {
  for (const begin = cpuMs(); cpuMs() - begin < ms; );
}

test('reads that begin at once leave turns to other work, with what follows them', async () => {
  const turns = createReadTurns()
  const readAndShow = async (): Promise<void> => {
    await turns('one', async () => spend(3))
    spend(3)
  }
  const longest = await leastLongestTurnMs(() =>
    Promise.all(Array.from({ length: 50 }, readAndShow)),
  )
  expect(longest).toBeLessThan(50)
})

test('a read waits for one read of another owner, however many those are', async () => {
  const turns = createReadTurns()
  const order: string[] = []
  const read = (owner: string, ms: number) =>
    turns(owner, async () => {
      spend(ms)
      order.push(owner)
    })
  const flood = Array.from({ length: 20 }, () => read('flood', 12))
  for (let n = 0; n < 5; n += 1) await read('other', 1)
  const begun = order.length
  await Promise.all(flood)
  expect(begun).toBeLessThan(13)
})

test('reads of one owner keep their order, and a failure affects only its own read', async () => {
  const turns = createReadTurns()
  const order: number[] = []
  const read = (n: number) =>
    turns('one', async () => {
      spend(2)
      if (n === 7) throw new Error('No such table.')
      order.push(n)
    })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => read(n)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 7))
})

test('a read that waits for something else keeps back no others', async () => {
  const turns = createReadTurns()
  const lock = Promise.withResolvers<string>()
  const first = turns('one', async () => spend(12))
  const locked = turns('one', () => lock.promise)
  expect(await turns('one', async () => 'read')).toBe('read')
  lock.resolve('unlocked')
  expect(await locked).toBe('unlocked')
  await first
})

test('no read begins while something else is pending, and one that cannot end does not keep reads', async () => {
  const transaction = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  let wait: Promise<void> | null = transaction.promise
  const turns = createReadTurns(() => wait)
  const begun: number[] = []
  const all = [1, 2, 3].map((n) => turns('one', async () => void begun.push(n)))
  await nextTurn()
  expect(begun).toEqual([])
  wait = lost.promise
  transaction.resolve()
  await nextTurn()
  expect(begun).toEqual([])
  lost.reject(new Error('The disk fails.'))
  await Promise.all(all)
  expect(begun).toEqual([1, 2, 3])
})
