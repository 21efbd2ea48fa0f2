/** Membership of a server: when it registers again, so that the other nodes find it. */
import { hostname } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { deleteNode, insertNode, listServers } from '#store/nodes/nodes.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp } from '../../test/support/create-test-app.ts'
import type { Listener } from './listener/listen.ts'
import { createMembership, type Membership, SERVER_VALID_MS } from './membership.ts'
import { reservedOf } from './reserved.ts'

const HOUR = 3_600_000
const address = 'http://127.0.0.1:1'
const listener: Listener = {
  url: address,
  host: '127.0.0.1',
  port: 1,
  answerWith: () => undefined,
  upgradeWith: () => undefined,
  stop: async () => undefined,
}

let app: TestApp
let membership: Membership
/** The clock of this machine. */
let now = 0

beforeEach(async () => {
  app = await createTestApp()
  now = Date.now()
  vi.useFakeTimers({ toFake: ['performance'] })
  membership = createMembership(
    { ...app.deps, now: () => now },
    {
      role: 'server',
      name: 'here',
      endpoint: { listener, address },
      worker: null,
      toClientAddress: () => null,
    },
  )
  await membership.start()
})
afterEach(async () => {
  vi.useRealTimers()
  await membership.stop()
  await app.close()
})

test('a start that the database did not answer can be repeated', async () => {
  let failures = 1
  const all: typeof app.deps.db.all = async (statement) => {
    failures -= 1
    if (failures >= 0) throw new Error('The database did not answer.')
    return app.deps.db.all(statement)
  }
  const second = createMembership(
    { ...app.deps, db: { ...app.deps.db, all } },
    {
      role: 'server',
      name: 'there',
      endpoint: { listener, address: 'http://127.0.0.1:2' },
      worker: null,
      toClientAddress: () => null,
    },
  )
  await expect(second.start()).rejects.toThrow('The database did not answer.')
  await second.start()
  expect(await listed()).toBe(2)
  await second.stop()
})

test('the ports of all servers on this machine are reserved, and of no other machine', async () => {
  const { config } = loadConfig({ env: { SVC_PORT: '0' }, flags: {} })
  const register = (id: string, host: string, port: number) =>
    app.deps.db.write(
      insertNode({
        ...{ id, host, role: 'server', name: id, version: '1.0.0', workerJson: null },
        address: `http://127.0.0.1:${port}`,
      }),
    )
  await register('near', hostname(), 40_001)
  await register('far', 'far.example', 40_002)
  await poll()
  expect(reservedOf(config).ports).toContain(40_001)
  expect(reservedOf(config).ports).not.toContain(40_002)
  await app.deps.db.write([deleteNode('near')])
  await poll()
  expect(reservedOf(config).ports).not.toContain(40_001)
})

const listed = async () => (await listServers(app.deps.db, SERVER_VALID_MS)).servers.length
const poll = async (): Promise<void> => {
  const seen = await listServers(app.deps.db, SERVER_VALID_MS)
  await membership.meet({ ...seen, askedAt: now, answeredAt: now })
}
const age = (ms: number) => app.deps.db.write([sql`UPDATE nodes SET pinged_at = pinged_at - ${ms}`])

test('a server registers again when the clock of the database jumps past its last refresh', async () => {
  await age(24 * HOUR)
  expect(await listed()).toBe(0)
  await poll()
  expect(await listed()).toBe(1)
})

test('a server registers again in a copy of the database that was restored', async () => {
  await app.deps.db.write([sql`DELETE FROM nodes`])
  await poll()
  expect(await listed()).toBe(1)
})

test('a server refreshes hourly, also when the clock of its machine was set back', async () => {
  await age(HOUR)
  await poll()
  const pinged = () =>
    app.deps.db.one(sql`SELECT ${Date.now()} - pinged_at > ${HOUR / 2} AS isOld FROM nodes`)
  expect(await pinged()).toEqual({ isOld: 1 })
  now -= 24 * HOUR
  vi.advanceTimersByTime(HOUR)
  await poll()
  expect(await pinged()).toEqual({ isOld: 0 })
})
