import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

/** Blocks the event loop, as a busy machine does. */
const block = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('a request that came before the stop is answered, though its connection was not accepted yet', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('fine'))
  const client = spawn('curl', ['--silent', '--show-error', listener.url])
  const answer = text(client.stdout)
  await once(client, 'spawn')
  block(500)
  await listener.stop()
  expect(await answer).toBe('fine')
})
