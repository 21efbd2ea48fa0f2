import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { portOf } from '../../test/support/port-of.ts'
import { openRegistrySession } from './fetch-from-registry.ts'

test('files that arrive at once are limited together, before any is complete', async () => {
  const server = createServer((_request, response) => {
    response.write(Buffer.alloc(1_048_576))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const stop = new AbortController()
  const session = openRegistrySession({ maxBytes: 3 * MIB }, stop.signal)
  const url = `http://127.0.0.1:${port}/a`
  const request = { url, what: 'a@1.0.0', token: null, isTrusted: true, accept: '*/*' }
  try {
    const all = Promise.all(Array.from({ length: 5 }, () => session.fetch(request)))
    await expect(all).rejects.toMatchObject({ code: 'too_many_packages' })
  } finally {
    stop.abort()
    session.close()
    server.closeAllConnections()
    server.close()
  }
})
