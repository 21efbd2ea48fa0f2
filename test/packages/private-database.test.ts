/**
 * Jobs and real databases in a private network, through the drivers from npm, at levels runtime and os [jobs 16]. MongoDB
 * is left out because Debian has no package of its server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BundledEntry } from '#bundle/bundle-entries.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, denoProvider, openPool, runJob } from '../sandbox/job.ts'
import { isLong } from '../support/runs.ts'
import { bundleFromLock } from './bundle-from-lock.ts'
import { DRIVERS } from './drivers.ts'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { Server } from './server-process.ts'

const START_MS = 240_000

type Ports = Readonly<{ plain: number; secure: number }>
let entries: ReadonlyMap<string, BundledEntry>
let ports: Readonly<Record<string, Ports>>
const servers: Server[] = []
const pools: Sandbox[] = []

beforeAll(async () => {
  const sources = Object.entries(DRIVERS).map(([name, { code }]) => [name, code] as const)
  entries = await bundleFromLock(Object.fromEntries(sources))
  const [postgres, redis, mariadb] = await Promise.all([
    startPostgres(),
    startRedis(),
    startMariadb(),
  ])
  servers.push(postgres, redis, mariadb)
  ports = {
    postgres: { plain: postgres.port, secure: postgres.port },
    redis: { plain: redis.port, secure: redis.tlsPort },
    mariadb: { plain: mariadb.port, secure: mariadb.port },
  }
}, START_MS)
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await Promise.all(servers.map((server) => server.stop()))
})

describe.each([
  ['runtime', denoProvider],
  ['os', bubblewrapProvider],
] as const)('at level %s', (level, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider())
    pools.push(pool)
  })

  const query = async (name: string, part: string, ssl: boolean, isGranted = true) => {
    const at = ports[DRIVERS[name]?.server ?? '']
    const port = (ssl ? at?.secure : at?.plain) ?? 0
    const entry = entries.get(name)
    const destination = `127.0.0.1:${port}`
    const { outcome, log } = await runJob(pool, {
      ...((await entry?.loadCode()) ?? { code: '' }),
      commit: name,
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

  describe.each(Object.entries(DRIVERS))('%s', (name, { canceled, listens }) => {
    // the driver is the same at both levels: the short form uses TLS at the second one, which exercises more of the network
    const ways = [
      ['plain', false],
      ['over TLS', true],
    ] as const
    it.each(ways.filter(([, ssl]) => isLong || level === 'os' || ssl))(
      '%s: answers over several connections, waits, cancels',
      async (_how, ssl) => {
        expect(await query(name, 'tls', ssl)).toBe(ssl)
        expect(await query(name, 'pool', ssl)).toEqual({ sum: 42, open: 3, bytes: 100_000 })
        expect(await query(name, 'long', ssl)).toBe(7)
        expect(await query(name, 'cancel', ssl)).toBe(canceled)
        if (listens) expect(await query(name, 'listen', ssl)).toBe('seven')
      },
    )

    it('gets an error that names the remedy where nothing grants the server', async () => {
      expect(await query(name, 'long', false, false)).toEqual({
        name: 'NetworkNotGranted',
        message: expect.stringContaining('egress_allow'),
      })
    })
  })
})
