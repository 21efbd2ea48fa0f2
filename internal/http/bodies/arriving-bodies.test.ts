import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createArrivingBodies } from './arriving-bodies.ts'

const open = () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  return {
    readable,
    send: (bytes: number) => writer.write(new Uint8Array(bytes)),
    end: () => writer.close(),
  }
}
const UNKNOWN = { isKnown: false }
const none = (): void => undefined

test('the body that has been arriving longest makes room, and others arrive', async () => {
  const bodies = createArrivingBodies(1_000)
  const stalled = [open(), open(), open()]
  const reads = stalled.map(({ readable }) => bodies.read(readable, none, UNKNOWN))
  for (const { send } of stalled) await send(300)
  const quick = open()
  const read = bodies.read(quick.readable, none, UNKNOWN)
  await quick.send(300)
  await expect(reads[0]).rejects.toMatchObject({ kind: 'unavailable' })
  await quick.end()
  expect((await read).length).toBe(300)
  for (const { end } of stalled.slice(1)) await end()
  expect((await Promise.all(reads.slice(1))).map(({ length }) => length)).toEqual([300, 300])
})

test('neither those with nor those without a credential take the half of the others', async () => {
  for (const isKnown of [true, false]) {
    const bodies = createArrivingBodies(1_000)
    const slow = open()
    const read = bodies.read(slow.readable, none, { isKnown })
    await slow.send(400)
    const flood = [open(), open(), open(), open()]
    const others = flood.map(({ readable }) => bodies.read(readable, none, { isKnown: !isKnown }))
    for (const other of others) other.catch(() => undefined)
    for (const { send } of flood) await send(300)
    await expect(others[0]).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(others[1]).rejects.toMatchObject({ kind: 'unavailable' })
    await slow.send(99)
    await slow.end()
    expect(await read).toHaveLength(499)
  }
})

test('what has arrived no longer counts', async () => {
  const bodies = createArrivingBodies(1_000)
  for (let at = 0; at < 5; at += 1) {
    const { readable, send, end } = open()
    const read = bodies.read(readable, none, UNKNOWN)
    await send(900)
    await end()
    expect((await read).length).toBe(900)
  }
})

test('a body that made room counts no more, although more of it arrives', async () => {
  const bodies = createArrivingBodies(1_000)
  const whole = new ReadableStream<Uint8Array>({
    start: (out) => {
      for (let at = 0; at < 4; at += 1) out.enqueue(new Uint8Array(600))
      out.close()
    },
  })
  await expect(bodies.read(whole, none, UNKNOWN)).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterS: 5,
  })
  const { readable, send, end } = open()
  const read = bodies.read(readable, none, UNKNOWN)
  await send(900)
  await end()
  expect((await read).length).toBe(900)
})

test('a body in small parts takes little more memory than its bytes', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let sent = 0
  let usedBytes = 0
  const bytes = 300_000
  const used = (): number => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  const trickle = new ReadableStream<Uint8Array>({
    pull: (out) => {
      sent += 1
      if (sent <= bytes) {
        out.enqueue(Uint8Array.of(sent % 251))
        return
      }
      usedBytes = used() - before
      out.close()
    },
  })
  const read = await createArrivingBodies(1_000_000).read(trickle, none, UNKNOWN)
  expect(read.every((byte, at) => byte === (at + 1) % 251)).toBe(true)
  expect(read).toHaveLength(bytes)
  expect(usedBytes).toBeLessThan(8 * bytes)
})

test('a body beyond its own limit is refused', async () => {
  const { readable, send } = open()
  const tooLarge = (): void => {
    throw new RangeError('too large')
  }
  const read = createArrivingBodies(1_000).read(readable, tooLarge, UNKNOWN)
  void send(10)
  await expect(read).rejects.toThrow('too large')
})
