import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createTurns } from './turns.ts'

const options = { atOnce: 2, maxWaiting: 8, patienceMs: 1_000 }

describe('turns', () => {
  it('go to the caller with the fewest running, then to the one that waits longest', async () => {
    const turns = createTurns(options)
    const order: string[] = []
    const ask = (owner: string) => turns.take(owner).then(() => order.push(owner))
    await Promise.all([ask('greedy'), ask('greedy'), ask('first')])
    const waiting = [ask('greedy'), ask('greedy'), ask('modest'), ask('other')]
    turns.giveBack('first')
    await waiting[2]
    turns.giveBack('modest')
    await waiting[3]
    expect(order).toEqual(['greedy', 'greedy', 'first', 'modest', 'other'])
    turns.giveBack('other')
    turns.giveBack('greedy')
    turns.giveBack('greedy')
    await Promise.all(waiting)
  })

  it.each([1, 2, 3])(
    'come at once to an owner that runs nothing, where another fills all %i',
    async (atOnce) => {
      const turns = createTurns({ ...options, atOnce })
      const isTaken = (taking: Promise<void>) =>
        Promise.race([taking.then(() => true), Promise.resolve().then(() => false)])
      for (let at = 0; at < atOnce; at += 1) await turns.take('greedy')
      const more = turns.take('greedy')
      for (let at = 0; at < 3; at += 1) {
        await turns.take('modest')
        turns.giveBack('modest')
      }
      await turns.take('modest')
      const second = turns.take('modest')
      const third = turns.take('third')
      expect(await Promise.all([more, second, third].map(isTaken))).toEqual([false, false, false])
      turns.giveBack('greedy')
      await third
      expect(await isTaken(more)).toBe(false)
      for (const owner of ['third', 'modest', 'greedy', 'greedy', 'greedy'].slice(0, atOnce + 2))
        turns.giveBack(owner)
      await Promise.all([more, second])
    },
  )

  it('go to each owner in turn where one runs at a time', async () => {
    const turns = createTurns({ ...options, atOnce: 1 })
    const order: string[] = []
    const run = async (owner: string): Promise<void> => {
      await turns.take(owner)
      order.push(owner)
      turns.giveBack(owner)
    }
    await Promise.all([turns.take('greedy'), turns.take('slow')])
    const all = ['greedy', 'greedy', 'greedy', 'modest', 'other'].map(run)
    turns.giveBack('greedy')
    turns.giveBack('slow')
    await Promise.all(all)
    expect(order.slice(0, 2)).toEqual(['modest', 'other'])
  })

  it('are refused where one owner fills half the line, and where the line is full', async () => {
    const turns = createTurns(options)
    await Promise.all([turns.take('a'), turns.take('a'), turns.take('b')])
    const waiting = Array.from({ length: 4 }, () => turns.take('a'))
    await expect(turns.take('a')).rejects.toMatchObject({ code: 'parser_busy' })
    waiting.push(...Array.from({ length: 4 }, () => turns.take('b')))
    await expect(turns.take('c')).rejects.toMatchObject({ code: 'parser_busy' })
    for (const owner of ['a', 'a', 'b']) turns.giveBack(owner)
    for (let at = 0; at < 8; at += 1) turns.giveBack(at < 4 ? 'b' : 'a')
    await Promise.all(waiting)
  })

  it('are not waited for longer than the limit', async () => {
    vi.useFakeTimers()
    const turns = createTurns({ ...options, atOnce: 1 })
    await Promise.all([turns.take('a'), turns.take('c')])
    const late = expect(turns.take('b')).rejects.toMatchObject({ code: 'parser_busy' })
    await vi.advanceTimersByTimeAsync(1_000)
    await late
    turns.giveBack('a')
    await turns.take('b')
    vi.useRealTimers()
  })

  it('are not kept for a caller that has gone', async () => {
    const turns = createTurns({ ...options, atOnce: 1, maxWaiting: 2 })
    const caller = new AbortController()
    await turns.take('a')
    const gone = expect(turns.take('a', caller.signal)).rejects.toMatchObject({
      code: 'caller_gone',
    })
    await expect(turns.take('a')).rejects.toMatchObject({ code: 'parser_busy' })
    caller.abort()
    await gone
    const next = turns.take('a')
    await expect(turns.take('a', caller.signal)).rejects.toMatchObject({ code: 'caller_gone' })
    turns.giveBack('a')
    await next
  })

  it('are never more than there are, and all come', async () => {
    const owners = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(owners, fc.integer({ min: 1, max: 3 }), async (asked, atOnce) => {
        const turns = createTurns({ atOnce, maxWaiting: 100, patienceMs: 1_000 })
        let now = 0
        let most = 0
        const work = asked.map(async (owner) => {
          await turns.take(owner)
          now += 1
          most = Math.max(most, now)
          await Promise.resolve()
          now -= 1
          turns.giveBack(owner)
        })
        await Promise.all(work)
        expect(most).toBeLessThanOrEqual(atOnce + 1)
      }),
    )
  })
})
