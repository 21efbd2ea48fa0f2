/** sqld forgets its durability setting at each restart, and nodes set it again (SVC_SQLD_ADMIN_URL). */
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AdminApiError, durabilityKeeper, makeDurable } from '#node/database/make-durable.ts'
import type { Database } from '#store/database.ts'
import { findDurability } from '#store/durability.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { portOf } from '../support/port-of.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'

let said: string[]
const log = {
  debug: () => undefined,
  info: (message: string) => void said.push(message),
  warn: (message: string) => void said.push(message),
  error: () => undefined,
}

describe('sqld as it comes, with an admin API', () => {
  let sqld: Sqld
  let db: Database
  const open = async (adminUrl: string | undefined): Promise<Database> => {
    const keeper = durabilityKeeper(adminUrl, log)
    return openDatabase({
      url: sqld.httpUrl,
      ...(keeper === null ? {} : { makeDurable: keeper }),
    })
  }
  /** The durability with which the connection of a write runs it. sqld runs both statements on the same stream. */
  const durabilityOfWrites = async (of: Database): Promise<unknown> => {
    const [result] = await of.write([
      sql`INSERT INTO t SELECT synchronous FROM pragma_synchronous RETURNING s`,
    ])
    return result?.rows[0]?.s
  }
  beforeEach(async () => {
    said = []
    sqld = await startSqld({ durability: 'relaxed' })
  })
  afterEach(async () => {
    await db.close()
    await sqld.close()
  })

  it('stays relaxed without the setting', async () => {
    db = await open(undefined)
    await db.write([sql`CREATE TABLE t (s INTEGER)`])
    expect(await durabilityOfWrites(db)).toBe(1)
    expect(await findDurability(db)).toBe('relaxed')
  })

  it('is durable from the first write on, and from the first one after each restart', async () => {
    db = await open(sqld.adminUrl)
    await db.write([sql`CREATE TABLE t (s INTEGER)`])
    expect(await durabilityOfWrites(db)).toBe(2)
    for (let restart = 0; restart < 2; restart += 1) {
      await sqld.restart()
      expect(await durabilityOfWrites(db)).toBe(2)
      expect(await findDurability(db)).toBe('durable')
    }
    expect(said).toEqual(Array(3).fill('The database was relaxed; sqld commits durably now.'))
  })

  it('changes nothing else of the configuration', async () => {
    const url = `${sqld.adminUrl}/v1/namespaces/default/config`
    const read = async () => JSON.parse(await (await fetch(url)).text())
    const before = await read()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ ...before, block_writes: true, block_reason: 'moving' })
    await fetch(url, { method: 'POST', headers, body })
    await makeDurable(sqld.adminUrl)
    db = await open(undefined)
    expect(await read()).toEqual({
      ...before,
      block_writes: true,
      block_reason: 'moving',
      durability_mode: 'strong',
    })
  })

  it('is not called durable when the admin API is that of another sqld', async () => {
    const other = await startSqld({ durability: 'relaxed' })
    onTestFinished(() => other.close())
    db = await open(other.adminUrl)
    await db.write([sql`CREATE TABLE t (s INTEGER)`])
    expect(await durabilityOfWrites(db)).toBe(1)
    expect(said).toEqual([
      expect.stringMatching(/^The sqld whose admin API is at 127\.0\.0\.1:\d+ .* is another sqld/),
    ])
  })

  it('works on, with a warning, where the admin API does not answer', async () => {
    db = await open('http://127.0.0.1:9')
    await db.write([sql`CREATE TABLE t (s INTEGER)`])
    expect(await durabilityOfWrites(db)).toBe(1)
    expect(said).toEqual([expect.stringContaining('Check SVC_SQLD_ADMIN_URL')])
  })
})

describe('an admin API that is none, or wants a key', () => {
  let server: Server
  let answers: (readonly [number, string])[]
  let heard: (string | undefined)[]
  const url = (user = ''): string => {
    const port = portOf(server)
    return `http://${user}127.0.0.1:${port}`
  }
  beforeEach(async () => {
    heard = []
    answers = []
    server = createServer((request, response) => {
      heard.push(request.headers.authorization)
      const [status, text] = answers.shift() ?? [200, '{}']
      response.writeHead(status).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => void server.close())

  it('gets the key of the address, and only as a header', async () => {
    await makeDurable(url(':s%2Fcret@'))
    expect(heard).toEqual(['basic s/cret', 'basic s/cret'])
  })

  it.each([
    [401, 'no', 'it answered 401'],
    [200, '<html>', 'it answered something else than a configuration'],
  ])('is named in the error: %i %s', async (status, text, reason) => {
    answers = [[status, text]]
    await expect(makeDurable(url(':secret@'))).rejects.toThrow(reason)
    answers = [[status, text]]
    const failed = await makeDurable(url(':secret@')).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AdminApiError)
    expect(String(failed)).not.toContain('secret')
  })
})
