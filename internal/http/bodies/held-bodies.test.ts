import { expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { runWithBody, waitWithBody } from './held-bodies.ts'

/** A wait that lasts until `end` is called. */
const begin = (ws: string, bytes: number, customerId: string | null = null) => {
  let end = (): void => undefined
  let allowedMs = -1
  const ended = waitWithBody({ ws, customerId, bytes, timeoutMs: 30_000 }, (timeoutMs) => {
    allowedMs = timeoutMs
    return new Promise<void>((resolve) => {
      end = resolve
    })
  })
  return {
    allowedMs,
    end: async () => {
      end()
      await ended
    },
  }
}

test('a workspace whose waiting bodies take 64 MiB does not wait with more, and another one does', async () => {
  const waits = Array.from({ length: 64 }, () => begin('flood', MIB))
  expect(new Set(waits.map(({ allowedMs }) => allowedMs))).toEqual(new Set([30_000]))
  const [refused, other] = [begin('flood', 1), begin('other', MIB)]
  expect([refused.allowedMs, other.allowedMs]).toEqual([0, 30_000])
  await waits[0]?.end()
  const next = begin('flood', MIB)
  expect(next.allowedMs).toBe(30_000)
  for (const wait of [...waits, refused, other, next]) await wait.end()
  expect(begin('flood', MIB).allowedMs).toBe(30_000)
})

test('a body that is larger than all of them together may wait alone', async () => {
  const large = begin('large', 65 * MIB)
  expect([large.allowedMs, begin('large', 1).allowedMs]).toEqual([30_000, 0])
  await large.end()
})

test('a wait that fails gives its room back', async () => {
  const body = { ws: 'fails', customerId: null, bytes: 64 * MIB, timeoutMs: 1 }
  await expect(
    waitWithBody(body, async () => {
      throw new Error('It fails.')
    }),
  ).rejects.toThrow('It fails.')
  await expect(waitWithBody(body, async (timeoutMs) => timeoutMs)).resolves.toBe(1)
})

test('a workspace with 128 MiB of bodies in unanswered requests is refused more, and another one is not', async () => {
  const ends: (() => void)[] = []
  const hold = (ws: string, bytes: number) =>
    runWithBody(
      { ws, customerId: null, bytes },
      () => new Promise<void>((resolve) => ends.push(resolve)),
    )
  const running = [hold('many', 100 * MIB), hold('many', 28 * MIB), hold('few', MIB)]
  await expect(hold('many', 1)).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'too_many_bodies',
  })
  for (const end of ends) end()
  await Promise.all(running)
  const [next, bodiless] = [hold('many', 200 * MIB), hold('many', 0)]
  for (const end of ends) end()
  await Promise.all([next, bodiless])
})

test('a customer with a quarter of the bodies leaves room to the workspace and its other customers', async () => {
  const ends: (() => void)[] = []
  const hold = (customerId: string | null) =>
    runWithBody(
      { ws: 'shop', customerId, bytes: MIB },
      () => new Promise<void>((resolve) => ends.push(resolve)),
    )
  const running = Array.from({ length: 32 }, () => hold('acme'))
  await expect(hold('acme')).rejects.toMatchObject({ code: 'too_many_bodies' })
  const others = [hold('bakery'), hold(null)]
  expect(ends).toHaveLength(34)
  for (const end of ends) end()
  await Promise.all([...running, ...others])
  const waits = Array.from({ length: 16 }, () => begin('shop', MIB, 'acme'))
  const late = [begin('shop', MIB, 'acme'), begin('shop', MIB, 'bakery'), begin('shop', MIB)]
  expect(late.map(({ allowedMs }) => allowedMs)).toEqual([0, 30_000, 30_000])
  for (const wait of [...waits, ...late]) await wait.end()
})
