import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { startPostgres } from '../../../test/packages/postgres.ts'
import type { Server } from '../../../test/packages/server-process.ts'
import { type ExampleNode, startNode } from '../../../test/support/example-node.ts'
import type { Order } from '../lib/store.ts'

const PAGE = 10
const ORDERS: readonly Order[] = Array.from({ length: 45 }, (_, at) => ({
  id: at + 1,
  day: `2026-01-0${1 + (at % 3)}`,
  cents: 100 * (at + 1),
}))

/** What happens when the page behind this order is fetched. */
const interrupts = new Map<number, () => void>()
const api = createServer((request, response) => {
  const from = Number(new URL(request.url ?? '', 'http://api').searchParams.get('after'))
  const interrupt = interrupts.get(from)
  interrupts.delete(from)
  if (interrupt !== undefined) interrupt()
  else response.end(JSON.stringify(ORDERS.filter(({ id }) => id > from).slice(0, PAGE)))
})

const copy = mkdtempSync(join(tmpdir(), 'svc-etl-'))
let database: Server
let node: ExampleNode

/** The app with the addresses of this test, which a manifest names. */
const copyApp = (apiAddress: string, databaseAddress: string): void => {
  cpSync(join(import.meta.dirname, '..'), copy, { recursive: true })
  const manifest = join(copy, 'app.yaml')
  const text = readFileSync(manifest, 'utf8')
    .replaceAll('api.example.com:443', apiAddress)
    .replaceAll('db.internal:5432', databaseAddress)
  writeFileSync(manifest, text)
}

before(async () => {
  database = await startPostgres()
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const address = api.address()
  const apiAddress = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const databaseAddress = `127.0.0.1:${database.port}`
  copyApp(apiAddress, databaseAddress)
  node = await startNode({ SVC_EGRESS_ALLOW: `${apiAddress},${databaseAddress}` })
  await node.call('PUT', '/variables/API_URL', { value: `http://${apiAddress}` })
  const url = `postgres://test@${databaseAddress}/postgres`
  await node.call('PUT', '/variables/DATABASE_URL', { value: url, secret: true })
  await node.deploy(copy)
})
after(async () => {
  await node?.remove()
  await database?.stop()
  api.closeAllConnections()
  api.close()
  rmSync(copy, { recursive: true })
})

test('a node that is killed in the middle of a load counts no order twice, and none is lost', async () => {
  const killed = new Promise<void>((resolve) => {
    interrupts.set(20, () => resolve(node.kill()))
  })
  const job = await node.run('postgres-etl/load', {})
  await killed
  await node.restart()
  assert.deepEqual(await node.untilEnded(job), {
    status: 'success',
    result: { cursor: 45, pages: 3 },
  })
  const sql = postgres(`postgres://test@127.0.0.1:${database.port}/postgres`)
  try {
    const [row] =
      await sql`SELECT sum(orders)::int AS orders, sum(cents)::int AS cents FROM revenue`
    const cents = ORDERS.reduce((sum, order) => sum + order.cents, 0)
    assert.deepEqual({ ...row }, { orders: ORDERS.length, cents })
  } finally {
    await sql.end()
  }
})
