/** Streams of sqld that are kept between calls: which ones are opened, and what a caller sees when the network closes them. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'

const addTo = (id: string) =>
  sql`INSERT INTO items (id, n) VALUES (${id}, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`
const insertOnce = (id: string) =>
  sql`INSERT INTO items (id, n) VALUES (${id}, 1) ON CONFLICT DO NOTHING`
const numberOf = async (db: Database, id: string): Promise<number> =>
  Number((await db.one(sql`SELECT n FROM items WHERE id = ${id}`))?.n ?? 0)

let sqld: Sqld
let direct: Database
beforeAll(async () => {
  sqld = await startSqld()
  direct = await openDatabase({ url: sqld.httpUrl })
  await direct.write([sql`CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT`])
})
afterAll(async () => {
  await direct.close()
  await sqld.close()
})

describe('a database behind a network', () => {
  let proxy: FaultProxy
  let db: Database
  beforeEach(async () => {
    proxy = await startFaultProxy(sqld.httpUrl)
    db = await openDatabase({ url: proxy.url, timeoutMs: 2_000 })
    await db.write([insertOnce('opened')])
    await db.one(sql`SELECT 1`)
  })
  afterEach(async () => {
    await db.close()
    await proxy.close()
  })

  it('opens one connection for reads and one for writes, however many come', async () => {
    for (let n = 0; n < 50; n += 1) {
      await db.one(sql`SELECT 1`)
      await db.write([insertOnce(`kept-${n}`)])
    }
    expect(proxy.connections()).toBe(2)
  })

  it('reads on without an error when its connections were cut while they were idle', async () => {
    proxy.cut()
    expect(await db.one(sql`SELECT 1 AS one`)).toEqual({ one: 1 })
    proxy.cut()
    await db.write([insertOnce('after-cut')])
    expect(await numberOf(db, 'after-cut')).toBe(1)
  })

  it('knows that a write is unknown whose answer was lost, and does not repeat it', async () => {
    // the server already has the text of the statement, so the response that is cut is that of the write
    await db.write([addTo('known')])
    proxy.set('cut_answer')
    await expect(db.write([addTo('lost')])).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'unknown',
    })
    proxy.set('none')
    expect(await numberOf(direct, 'lost')).toBe(1)
  })

  it('repeats a write that may be repeated until an answer comes', async () => {
    proxy.set('cut_answer')
    const writing = db.write([insertOnce('repeated')], { retry: true })
    setTimeout(() => proxy.set('none'), 300)
    await writing
    expect(await numberOf(direct, 'repeated')).toBe(1)
  })

  it('repeats a read whose answer was lost', async () => {
    proxy.set('cut_answer')
    const reading = db.one(sql`SELECT 2 AS two`)
    setTimeout(() => proxy.set('none'), 300)
    expect(await reading).toEqual({ two: 2 })
  })

  it('leaves a connection that fell silent after its time, and opens another', async () => {
    proxy.set('half_open')
    const reading = db.one(sql`SELECT 3 AS three`)
    setTimeout(() => proxy.set('none'), 500)
    expect(await reading).toEqual({ three: 3 })
  })

  it('keeps its connection after a statement that failed, outside of any transaction', async () => {
    const before = proxy.connections()
    for (let n = 0; n < 3; n += 1) {
      const failing = [addTo(`rolled-back-${n}`), sql`INSERT INTO items (id, n) VALUES ('x', NULL)`]
      await expect(db.write(failing)).rejects.toMatchObject({ kind: 'constraint', outcome: 'none' })
      await expect(db.one(sql`SELECT nothing`)).rejects.toMatchObject({ kind: 'other' })
      expect(await numberOf(direct, `rolled-back-${n}`)).toBe(0)
      await db.write([addTo(`written-${n}`)])
      expect(await numberOf(direct, `written-${n}`)).toBe(1)
    }
    expect(proxy.connections()).toBe(before)
  })
})

/** Forwards requests but upgrades none, like an endpoint that only supports HTTP. */
const startHttpOnly = async (target: string, upgrades: string[]): Promise<Server> => {
  const server = createServer(async (request, response) => {
    if (request.headers.upgrade !== undefined) {
      upgrades.push(request.url ?? '')
      response.writeHead(426).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

it('works over HTTP at an endpoint that takes no WebSocket, after a single try', async () => {
  const upgrades: string[] = []
  const server = await startHttpOnly(sqld.httpUrl, upgrades)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const db = await openDatabase({ url: `http://127.0.0.1:${address.port}` })
  try {
    for (let n = 0; n < 5; n += 1) {
      await db.write([addTo('over-http')])
      expect(await numberOf(db, 'over-http')).toBe(n + 1)
    }
    expect(upgrades).toHaveLength(1)
  } finally {
    await db.close()
    server.close()
  }
})
