/**
 * Actions that use a database through its usual driver. The part in the
 * input selects what an action does, over TLS if `ssl` is set.
 */

const runs = `
export const main = async ({ input: { part, host, port, ssl } }) => {
  const db = open(host, port, ssl ? { rejectUnauthorized: false } : undefined)
  try { return await PARTS[part](db) }
  catch (error) { return { name: error.name, message: error.message } }
  finally { await close(db) }
}
const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
`

const PG = `import pg from 'pg'
const open = (host, port, ssl) => {
  const pool = new pg.Pool({ host, port, user: 'test', database: 'postgres', max: 3, ssl })
  return pool.on('error', () => undefined)
}
const close = (pool) => pool.end()
const PARTS = {
  pool: async (pool) => {
    const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((n) =>
      pool.query("SELECT $1::int * 2 AS n, repeat('x', 100000) AS text", [n])))
    return { sum: rows.reduce((sum, { rows: [row] }) => sum + row.n, 0), open: pool.totalCount, bytes: rows[0].rows[0].text.length }
  },
  tls: async (pool) => (await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).rows[0].ssl,
  long: async (pool) => (await pool.query('SELECT pg_sleep(1.2), 7 AS n')).rows[0].n,
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
    await soon(200)
    await pool.query('SELECT pg_cancel_backend($1)', [pid])
    const code = await slow
    client.release()
    return code
  },
}
${runs}`

const POSTGRES = `import postgres from 'postgres'
const open = (host, port, ssl) => postgres({ host, port, user: 'test', database: 'postgres', max: 3, ssl, onnotice: () => undefined })
const close = (sql) => sql.end({ timeout: 5 })
const PARTS = {
  pool: async (sql) => {
    const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => sql\`SELECT \${n}::int * 2 AS n, repeat('x', 100000) AS text\`))
    return { sum: rows.reduce((sum, [row]) => sum + row.n, 0), open: 3, bytes: rows[0][0].text.length }
  },
  tls: async (sql) => (await sql\`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()\`)[0].ssl,
  long: async (sql) => (await sql\`SELECT pg_sleep(1.2), 7 AS n\`)[0].n,
  listen: async (sql) => {
    const heard = Promise.withResolvers()
    await sql.listen('orders', heard.resolve)
    await sql.notify('orders', 'seven')
    return await heard.promise
  },
  cancel: async (sql) => {
    const slow = sql\`SELECT pg_sleep(60)\`
    const code = slow.catch((error) => error.code)
    await soon(200)
    slow.cancel()
    return await code
  },
}
${runs}`

const IOREDIS = `import { Redis } from 'ioredis'
const open = (host, port, tls) => new Redis({ host, port, ...(tls === undefined ? {} : { tls }), lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
  .on('error', (error) => { failure ??= error })
let failure
const close = (redis) => redis.disconnect()
const connected = async (redis) => {
  failure = undefined
  await redis.connect().catch((error) => { throw failure ?? error })
  return redis
}
const PARTS = {
  pool: async (redis) => {
    await connected(redis)
    const text = 'x'.repeat(100_000)
    const others = [redis.duplicate(), redis.duplicate()]
    for (const other of others) await other.connect()
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => [redis, ...others][n % 3].set('n' + n, n * 2)))
    await redis.set('text', text)
    const values = await redis.mget(...[1, 2, 3, 4, 5, 6].map((n) => 'n' + n))
    const found = { sum: values.reduce((sum, n) => sum + Number(n), 0), open: 1 + others.length, bytes: (await others[0].get('text')).length }
    for (const other of others) other.disconnect()
    return found
  },
  tls: async (redis) => (await connected(redis)).stream.encrypted === true,
  long: async (redis) => {
    const answer = (await connected(redis)).blpop('none', 1.2)
    return await answer === null ? 7 : 0
  },
  listen: async (redis) => {
    const heard = Promise.withResolvers()
    const listener = redis.duplicate().on('message', (_channel, text) => heard.resolve(text))
    await listener.connect()
    await listener.subscribe('orders')
    await (await connected(redis)).publish('orders', 'seven')
    const text = await heard.promise
    listener.disconnect()
    return text
  },
  cancel: async (redis) => {
    const other = redis.duplicate()
    await other.connect()
    const id = await (await connected(redis)).client('ID')
    const slow = redis.blpop('none', 60).catch(({ message }) => message)
    await soon(200)
    await other.client('UNBLOCK', id, 'ERROR')
    other.disconnect()
    return (await slow).split(' ')[0]
  },
}
${runs}`

const MYSQL2 = `import mysql from 'mysql2/promise'
const open = (host, port, ssl) => mysql.createPool({ host, port, user: 'test', connectionLimit: 3, ssl })
const close = (pool) => pool.end()
const PARTS = {
  pool: async (pool) => {
    const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => pool.execute("SELECT CAST(? AS INT) * 2 AS n, REPEAT('x', 100000) AS text", [n])))
    return { sum: rows.reduce((sum, [[row]]) => sum + Number(row.n), 0), open: pool.pool._allConnections.length, bytes: rows[0][0][0].text.length }
  },
  tls: async (pool) => (await pool.query("SHOW STATUS LIKE 'Ssl_cipher'"))[0][0].Value !== '',
  long: async (pool) => (await pool.query('SELECT SLEEP(1.2), 7 AS n'))[0][0].n,
  cancel: async (pool) => {
    const connection = await pool.getConnection()
    const slow = connection.query('SELECT SLEEP(60)').catch(({ code }) => code)
    await soon(200)
    await pool.query('KILL QUERY ' + connection.threadId)
    const code = await slow
    connection.release()
    return code
  },
}
${runs}`

export type Driver = Readonly<{
  code: string
  server: 'postgres' | 'redis' | 'mariadb'
  /** The error that the caller of a canceled query gets. */
  canceled: string
  /** Whether the server sends messages on its own. */
  listens: boolean
}>

export const DRIVERS: Readonly<Record<string, Driver>> = {
  pg: { code: PG, server: 'postgres', canceled: '57014', listens: true },
  postgres: { code: POSTGRES, server: 'postgres', canceled: '57014', listens: true },
  ioredis: { code: IOREDIS, server: 'redis', canceled: 'UNBLOCKED', listens: true },
  mysql2: { code: MYSQL2, server: 'mariadb', canceled: 'ER_QUERY_INTERRUPTED', listens: false },
}
