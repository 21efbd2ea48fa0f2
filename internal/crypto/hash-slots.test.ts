import { expect, it } from 'vitest'
import { createHashSlots, type HashCaller } from './hash-slots.ts'

const caller = (address: string, signal = new AbortController().signal): HashCaller => ({
  address,
  signal,
})

/** Creates work that ends when the test releases it. */
const gate = () => {
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    work: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    },
    endNext: async () => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('runs two at once, and serves networks in turn', async () => {
  const slots = createHashSlots({ atOnce: 2, perCaller: 4, total: 10 })
  const { started, work, endNext } = gate()
  const all = ['f1', 'f2', 'f3', 'f4'].map((name) => slots.run(caller('203.0.113.1'), work(name)))
  all.push(slots.run(caller('203.0.113.2'), work('honest')))
  expect(started).toEqual(['f1', 'f2'])
  for (const _ of [1, 2, 3, 4, 5]) await endNext()
  expect(started).toEqual(['f1', 'f2', 'f3', 'honest', 'f4'])
  expect(await Promise.all(all)).toHaveLength(5)
})

it('refuses a network beyond its share with Retry-After, and counts IPv6 by /64', async () => {
  const slots = createHashSlots({ atOnce: 1, perCaller: 1, total: 10 })
  const { work, endNext } = gate()
  const all = [
    slots.run(caller('2001:db8::1'), work('running')),
    slots.run(caller('2001:db8::2'), work('waiting')),
  ]
  await expect(slots.run(caller('2001:db8::3'), work('refused'))).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'too_many_sign_ins',
    retryAfterS: 1,
  })
  for (const _ of all) await endNext()
  expect(await Promise.all(all)).toEqual(['running', 'waiting'])
})

it('does no work for a caller who left, before or while waiting', async () => {
  const slots = createHashSlots({ atOnce: 1, perCaller: 4, total: 10 })
  const { started, work, endNext } = gate()
  const first = slots.run(caller('203.0.113.1'), work('first'))
  const left = new AbortController()
  const waiting = slots.run(caller('203.0.113.1', left.signal), work('left'))
  const last = slots.run(caller('203.0.113.1'), work('last'))
  left.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await expect(slots.run(caller('203.0.113.9', left.signal), work('late'))).rejects.toThrow(
    'aborted',
  )
  await endNext()
  await endNext()
  expect(started).toEqual(['first', 'last'])
  expect(await Promise.all([first, last])).toEqual(['first', 'last'])
})

it('refuses a displaced caller, and frees a slot when the work fails', async () => {
  const slots = createHashSlots({ atOnce: 1, perCaller: 4, total: 2 })
  const { work, endNext } = gate()
  const failing = slots.run(caller('203.0.113.1'), () => Promise.reject(new Error('broken')))
  const flood = ['a', 'b'].map((name) => slots.run(caller('203.0.113.1'), work(name)))
  const displaced = expect(flood[1]).rejects.toMatchObject({ code: 'too_many_sign_ins' })
  const honest = slots.run(caller('203.0.113.2'), work('honest'))
  await expect(failing).rejects.toThrow('broken')
  await displaced
  await endNext()
  await endNext()
  expect([await flood[0], await honest]).toEqual(['a', 'honest'])
})
