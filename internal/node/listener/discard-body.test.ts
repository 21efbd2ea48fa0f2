import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { type Listener, listen } from './listen.ts'

let listener: Listener
afterEach(() => listener.stop())

/** Sends `pieces` megabytes, one every `everyMs` milliseconds, and starts to read only after the last one. */
const sendAll = (pieces: number, everyMs: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1')
    socket.pause()
    socket.on('error', reject)
    const write = async (): Promise<void> => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${pieces * MIB}\r\n\r\n`)
      for (let sent = 0; sent < pieces; sent += 1) {
        const isTaken = socket.write(Buffer.alloc(MIB))
        if (!isTaken) await new Promise((drained) => socket.once('drain', drained))
        await pause(everyMs)
      }
      let text = ''
      socket.setEncoding('utf8')
      socket.on('data', (part: string) => {
        text += part
        if (text.endsWith('\r\n\r\nno')) socket.end()
      })
      socket.on('end', () => resolve(text))
      socket.resume()
    }
    write().catch(reject)
  })

test('a client that writes its whole body first gets the answer that was sent before', async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('no', { status: 413 }))
  expect(await sendAll(20, 60)).toMatch(/^HTTP\/1\.1 413 /)
})

test('so does one whose body was read in part', async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, async (request) => {
    await request.body?.getReader().read()
    return new Response('no', { status: 413 })
  })
  expect(await sendAll(20, 60)).toMatch(/^HTTP\/1\.1 413 /)
})

test('the next request on the connection is answered', async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, (request) =>
    request.method === 'POST' ? new Response('no', { status: 413 }) : new Response('yes'),
  )
  const first = await fetch(listener.url, { method: 'POST', body: new Uint8Array(4 * MIB) })
  expect([first.status, await first.text()]).toEqual([413, 'no'])
  expect(await (await fetch(listener.url)).text()).toBe('yes')
})
