import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { type Listener, listen } from './listen.ts'

let listener: Listener
afterEach(() => listener.stop())

/** Sends 20 MiB, one every 60 milliseconds, and starts to read only after the last one. */
const sendAll = ({ isLast }: Readonly<{ isLast: boolean }>): Promise<string> =>
  new Promise((resolve, reject) => {
    const head = ['POST / HTTP/1.1', 'Host: x', ...(isLast ? ['Connection: close'] : [])]
    const socket = connect(listener.port, '127.0.0.1')
    socket.pause()
    socket.on('error', reject)
    const write = async (): Promise<void> => {
      socket.write([...head, `Content-Length: ${20 * MIB}`, '', ''].join('\r\n'))
      for (let sent = 0; sent < 20; sent += 1) {
        const isTaken = socket.write(Buffer.alloc(MIB))
        if (!isTaken) await new Promise((drained) => socket.once('drain', drained))
        await pause(60)
      }
      let text = ''
      socket.setEncoding('utf8')
      socket.on('data', (part: string) => {
        text += part
        if (!isLast && text.endsWith('\r\n\r\nno')) socket.end()
      })
      socket.on('end', () => resolve(text))
      socket.resume()
    }
    write().catch(reject)
  })

const EITHER = [{ isLast: false }, { isLast: true }] as const

test.each(EITHER)(
  'a client that writes its whole body first gets the answer that was sent before: %o',
  async (sent) => {
    listener = await listen(
      { host: '127.0.0.1', port: 0 },
      () => new Response('no', { status: 413 }),
    )
    expect(await sendAll(sent)).toMatch(/^HTTP\/1\.1 413 /)
  },
)

test.each(EITHER)('so does one whose body was read in part: %o', async (sent) => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, async (request) => {
    await request.body?.getReader().read()
    return new Response('no', { status: 413 })
  })
  expect(await sendAll(sent)).toMatch(/^HTTP\/1\.1 413 /)
})

test('the next request on the connection is answered', async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 }, (request) =>
    request.method === 'POST' ? new Response('no', { status: 413 }) : new Response('yes'),
  )
  const first = await fetch(listener.url, { method: 'POST', body: new Uint8Array(4 * MIB) })
  expect([first.status, await first.text()]).toEqual([413, 'no'])
  expect(await (await fetch(listener.url)).text()).toBe('yes')
})
