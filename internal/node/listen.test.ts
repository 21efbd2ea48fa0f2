import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

/** Blocks the event loop, as a busy machine does. */
const block = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('requests that came before the stop are answered, though their connections were not accepted yet', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const clients = Array.from({ length: 8 }, () =>
    spawn('curl', ['--silent', '--show-error', listener.url]),
  )
  const answers = clients.map((client) => text(client.stdout))
  await Promise.all(clients.map((client) => once(client, 'spawn')))
  block(500)
  await listener.stop()
  expect(await Promise.all(answers)).toEqual(clients.map(() => 'fine'))
})

test.each(['h2c', 'websocket'])(
  'a request that offers an upgrade to %s is answered',
  async (to) => {
    const listener = await listen(
      { host: '127.0.0.1', port: 0 },
      async (asked) => new Response(`${asked.method} ${await asked.text()}`),
    )
    listener.upgradeWith(/^\/other$/, (_, socket) => socket.destroy())
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: to, 'http2-settings': '' }
    const sent = request(`${listener.url}/path`, { method: 'POST', headers })
    sent.end('body')
    const [answer] = await once(sent, 'response')
    expect(await text(answer)).toBe('POST body')
    await listener.stop()
  },
)
