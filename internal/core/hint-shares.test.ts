import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseWorkers, type HintedWorker, reachOf } from './hint-shares.ts'

const worker = (name: string, more: Partial<HintedWorker> = {}) => ({
  name,
  reach: 'os',
  room: 4,
  load: 0,
  hintedAt: 0,
  ...more,
})
const namesOf = (chosen: readonly Readonly<{ name: string }>[]) => chosen.map(({ name }) => name)

describe('who is notified of queued jobs', () => {
  it('is one worker, however many are idle', () => {
    const idle = Array.from({ length: 64 }, (_, n) => worker(`w${n}`, { hintedAt: 64 - n }))
    expect(namesOf(chooseWorkers(idle, 1))).toEqual(['w63'])
  })

  it('is the one with the least load, and among equals the one notified longest ago', () => {
    const some = [
      worker('busy', { load: 0.5, hintedAt: 0 }),
      worker('late', { load: 0.1, hintedAt: 9 }),
      worker('next', { load: 0.1, hintedAt: 3 }),
    ]
    expect(namesOf(chooseWorkers(some, 1))).toEqual(['next'])
  })

  it('is as many as have room for all jobs', () => {
    const some = [worker('a'), worker('b', { hintedAt: 1 }), worker('c', { hintedAt: 2 })]
    expect(namesOf(chooseWorkers(some, 6))).toEqual(['a', 'b'])
  })

  it('is a single one where all seem full', () => {
    const full = [worker('a', { room: 0, load: 2 }), worker('b', { room: 0, load: 1 })]
    expect(namesOf(chooseWorkers(full, 100))).toEqual(['b'])
  })

  it('is one of each reach, because the job may need any of them', () => {
    const some = [worker('a'), worker('b'), worker('c', { reach: 'vm' })]
    expect(namesOf(chooseWorkers(some, 1))).toEqual(['a', 'c'])
  })

  it('always holds the jobs when there is room, and leaves no reach out', () => {
    const workers = fc.array(
      fc.record({
        reach: fc.constantFrom('a', 'b'),
        room: fc.integer({ min: -1, max: 5 }),
        load: fc.double({ min: 0, max: 2, noNaN: true }),
        hintedAt: fc.nat(),
      }),
    )
    fc.assert(
      fc.property(workers, fc.integer({ min: 1, max: 50 }), (all, jobs) => {
        const chosen = chooseWorkers(all, jobs)
        for (const reach of new Set(all.map((each) => each.reach))) {
          const reached = chosen.filter((each) => each.reach === reach)
          const roomOf = (some: readonly HintedWorker[]) =>
            some.reduce((sum, { room }) => sum + Math.max(room, 0), 0)
          const most = roomOf(all.filter((each) => each.reach === reach))
          expect(reached.length).toBeGreaterThan(0)
          expect(roomOf(reached)).toBeGreaterThanOrEqual(Math.min(jobs, most))
          expect(roomOf(reached.slice(0, -1))).toBeLessThan(jobs)
        }
      }),
    )
  })
})

it('a reach is equal for the same workspaces in another order', () => {
  expect(reachOf({ level: 'os', workspaces: ['b', 'a'] })).toBe('os a b')
})
