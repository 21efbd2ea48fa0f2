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
    countUnsent(unsent, context, { ws: context.req.param('ws'), response })
    return response
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
