/** A job at level `os` and a real PostgreSQL in a private network, by the package pg as npm installs it [jobs 16]. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, openPool, runJob } from '../sandbox/job.ts'
import { installPackages } from './install.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const ACTION = `import pg from 'pg'
const PARTS = {
  pool: async (pool) => {
    const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((n) =>
      pool.query("SELECT $1::int * 2 AS n, repeat('x', 100000) AS text", [n])))
    return { sum: rows.reduce((sum, { rows: [row] }) => sum + row.n, 0), open: pool.totalCount, bytes: rows[0].rows[0].text.length }
  },
  tls: async (pool) => (await pool.query('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).rows[0],
  long: async (pool) => (await pool.query('SELECT pg_sleep(1.5), 7 AS n')).rows[0].n,
  listen: async (pool) => {
    const client = await pool.connect()
    const heard = new Promise((resolve) => client.on('notification', ({ payload }) => resolve(payload)))
    await client.query('LISTEN orders')
    await pool.query("NOTIFY orders, 'seven'")
    const payload = await heard
    client.release()
    return payload
  },
  cancel: async (pool) => {
    const client = await pool.connect()
    const { rows: [{ pid }] } = await client.query('SELECT pg_backend_pid() AS pid')
    const slow = client.query('SELECT pg_sleep(60)').catch(({ code }) => code)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await pool.query('SELECT pg_cancel_backend($1)', [pid])
    const code = await slow
    client.release()
    return code
  },
}
export const main = async ({ input: { part, host, port, ssl } }) => {
  const pool = new pg.Pool({ host, port, user: 'test', database: 'postgres', max: 3,
    ssl: ssl ? { rejectUnauthorized: false } : false })
  pool.on('error', () => undefined)
  try { return await PARTS[part](pool) }
  catch (error) { return { name: error.name, message: error.message } }
  finally { await pool.end() }
}`

const INSTALL_MS = 300_000
let entry: BundledEntry | undefined
let postgres: Postgres
let pool: Sandbox

beforeAll(async () => {
  const folder = await installPackages()
  const files = new Map<string, Uint8Array>()
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!each.isFile()) continue
    const path = join(each.parentPath, each.name)
    files.set(path.slice(folder.length + 1), new Uint8Array(readFileSync(path)))
  }
  files.set('actions/query.ts', new TextEncoder().encode(ACTION))
  ;[entry] = await bundleEntries(files, ['actions/query.ts'])
  postgres = await startPostgres()
  pool = openPool(bubblewrapProvider())
}, INSTALL_MS)
afterAll(async () => {
  await pool.close()
  await postgres.stop()
})

const query = async (part: string, ssl: boolean, isGranted = true) => {
  const { port } = postgres
  const destination = `127.0.0.1:${port}`
  const { outcome, log } = await runJob(pool, {
    code: entry?.code ?? '',
    sourceMap: entry?.sourceMap ?? '',
    input: { part, ssl, host: '127.0.0.1', port },
    limits: {
      memoryMb: 512,
      timeoutMs: 20_000,
      network: [destination],
      granted: isGranted ? [destination] : [],
    },
  })
  if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
  return JSON.parse(outcome.resultJson)
}

describe.each([
  ['plain', false],
  ['over TLS', true],
] as const)('pg, %s', (_how, ssl) => {
  it('answers many queries over a pool of connections', async () => {
    expect(await query('pool', ssl)).toEqual({ sum: 42, open: 3, bytes: 100_000 })
  })
  it('waits for a long query', async () => expect(await query('long', ssl)).toBe(7))
  it('receives notifications', async () => expect(await query('listen', ssl)).toBe('seven'))
  it('gets the error of a query that was canceled', async () => {
    expect(await query('cancel', ssl)).toBe('57014')
  })
})

it('pg encrypts its connection with TLS', async () => {
  expect(await query('tls', true)).toEqual({ ssl: true, version: expect.stringContaining('TLSv1') })
  expect(await query('tls', false)).toMatchObject({ ssl: false })
})

it('pg gets an error that names the remedy where nothing grants the server', async () => {
  expect(await query('long', false, false)).toEqual({
    name: 'NetworkNotGranted',
    message: expect.stringContaining('egress_allow'),
  })
})
