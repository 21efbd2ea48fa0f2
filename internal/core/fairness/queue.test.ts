import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairQueue } from './queue.ts'

const drain = (queue: ReturnType<typeof createFairQueue<string>>): readonly string[] => {
  const taken: string[] = []
  for (let entry = queue.take(); entry !== null; entry = queue.take()) taken.push(entry)
  return taken
}

it('serves callers in turn, and the entries of a caller in their order', () => {
  const queue = createFairQueue<string>({ perCaller: 4, total: 10 })
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.offer(entry.charAt(0), entry)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

it('refuses a caller beyond its share, and every caller when all have as little', () => {
  const queue = createFairQueue<string>({ perCaller: 2, total: 3 })
  expect(queue.offer('a', 'a1')).toEqual({ isAccepted: true, displaced: null })
  expect(queue.offer('a', 'a2')).toEqual({ isAccepted: true, displaced: null })
  expect(queue.offer('a', 'a3')).toEqual({ isAccepted: false })
  expect(queue.offer('b', 'b1')).toEqual({ isAccepted: true, displaced: null })
  expect(queue.offer('c', 'c1')).toEqual({ isAccepted: true, displaced: 'a2' })
  expect(queue.offer('d', 'd1')).toEqual({ isAccepted: false })
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1'])
})

it('forgets what is removed, once', () => {
  const queue = createFairQueue<string>({ perCaller: 2, total: 3 })
  queue.offer('a', 'a1')
  queue.offer('a', 'a2')
  queue.remove('a', 'a1')
  queue.remove('a', 'a1')
  queue.remove('b', 'b1')
  expect(queue.size).toBe(1)
  expect(drain(queue)).toEqual(['a2'])
})

it('holds its bounds, and lets no caller wait behind more than one entry of each other caller', () => {
  const caller = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  fc.assert(
    fc.property(fc.array(fc.oneof(caller, fc.constant(null)), { maxLength: 200 }), (steps) => {
      const queue = createFairQueue<string>({ perCaller: 3, total: 8 })
      let count = 0
      for (const step of steps) {
        if (step === null) queue.take()
        else queue.offer(step, `${step}${count}`)
        count += 1
        expect(queue.size).toBeLessThanOrEqual(8)
      }
      queue.offer('honest', 'honest')
      const taken = drain(queue)
      const place = taken.indexOf('honest')
      if (place >= 0) expect(place).toBeLessThanOrEqual(5)
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        expect(taken.filter((entry) => entry.startsWith(name)).length).toBeLessThanOrEqual(3)
      }
    }),
  )
})
