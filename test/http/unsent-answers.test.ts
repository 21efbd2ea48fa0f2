/** Answers that clients do not read must not fill the memory of a server. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUnsentAnswers } from '#http/bodies/unsent-answers.ts'
import type { Env } from '#http/received.ts'
import { countUnsent, responseWithText } from '#http/respond.ts'
import { type Listener, listen } from '#node/listener/listen.ts'

const MIB = 1_048_576
/** More than the system buffers of a connection. */
const ANSWER = 12 * MIB

let listener: Listener
beforeAll(async () => {
  const unsent = createUnsentAnswers(30 * MIB)
  const text = 'x'.repeat(ANSWER)
  const app = new Hono<Env>()
  app.get('/:ws', (context) => {
    const response = responseWithText(text, 200, new Headers())
    return countUnsent(unsent, context, { ws: context.req.param('ws'), response })
  })
  const events = new TextEncoder().encode(text)
  app.get('/:ws/events', (context) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(events) })
    const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    return countUnsent(unsent, context, { ws: context.req.param('ws'), response })
  })
  listener = await listen({ host: '127.0.0.1', port: 0 }, (request, bindings) =>
    app.fetch(request, bindings),
  )
})
afterAll(() => listener.stop())

/** Resolves when the answer has begun. */
const askWithoutReading = async (path: string): Promise<Socket> => {
  const socket = connect(listener.port, listener.host)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

const isCut = async (socket: Socket): Promise<boolean> => {
  socket.resume()
  let length = 0
  socket.on('data', (part: Buffer) => {
    length += part.length
    if (length > ANSWER) socket.destroy()
  })
  await once(socket, 'close')
  return length < ANSWER
}

it('the oldest unread answer of the workspace with the most is cut, and the others arrive', async () => {
  const other = await askWithoutReading('/other')
  const first = await askWithoutReading('/flood')
  const second = await askWithoutReading('/flood')
  const all = await Promise.all([isCut(other), isCut(first), isCut(second)])
  expect(all).toEqual([false, true, false])
  for (let at = 0; at < 5; at += 1) {
    const read = await fetch(`${listener.url}/flood`)
    expect((await read.text()).length).toBe(ANSWER)
  }
})

it('an unread part of an event stream counts, and one that was read does not', async () => {
  const open: Socket[] = []
  for (let at = 0; at < 4; at += 1) {
    const socket = await askWithoutReading('/reader/events')
    let length = 0
    socket.on('data', (part: Buffer) => {
      length += part.length
    })
    socket.resume()
    await expect.poll(() => length, { timeout: 20_000 }).toBeGreaterThan(ANSWER)
    open.push(socket)
  }
  const first = await askWithoutReading('/flood/events')
  for (let at = 0; at < 2; at += 1) open.push(await askWithoutReading('/flood/events'))
  expect(await isCut(first)).toBe(true)
  expect(open.map(({ destroyed }) => destroyed)).toEqual(open.map(() => false))
  for (const socket of open) socket.destroy()
})
