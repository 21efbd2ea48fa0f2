/** A server in front of the database that redirects its requests, such as a proxy that wants https. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { portOf } from '../support/port-of.ts'

const servers: Server[] = []
const opened: Database[] = []

afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const serve = async (listener: Parameters<typeof createServer>[1]): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${portOf(server)}`
}

const REDIRECTED = {
  kind: 'unavailable',
  outcome: 'none',
  message: expect.stringMatching(
    /^The database redirects to another address\. Set SVC_DATABASE_URL/,
  ),
}

it.each([
  ['the handshake of a WebSocket', 307],
  ['a request over HTTP', 404],
])('statements do not follow a redirect of %s', async (_what, handshake) => {
  let reached = 0
  const other = await serve((_, response) => {
    reached += 1
    response.end('{}')
  })
  const url = await serve(({ headers }, response) => {
    const status = headers.upgrade === undefined ? 307 : handshake
    response.writeHead(status, { location: other }).end()
  })
  const db = await openDatabase({ url, retryForMs: 0 })
  opened.push(db)
  await expect(db.one(sql`SELECT 'secret'`)).rejects.toMatchObject(REDIRECTED)
  await expect(db.write([sql`SELECT 'secret'`])).rejects.toMatchObject(REDIRECTED)
  expect(reached).toBe(0)
})
