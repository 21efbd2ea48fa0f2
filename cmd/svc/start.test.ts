/** Tests `svc start` as a process: its output, when it is ready, what it waits for, when it gives up, and how it ends. */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { startFaultProxy } from '../../test/support/fault-proxy.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { portOf } from '../../test/support/port-of.ts'
import { startSqld } from '../../test/support/sqld.ts'
import { CHILD_ENV, PROGRAM, startSvc } from '../../test/support/svc-process.ts'

type Node = ReturnType<typeof startSvc>
type Place = Readonly<{
  folder: string
  start: (args?: readonly string[], env?: Readonly<Record<string, string>>) => Node
  /** Resolves with what `svc doctor` prints. */
  doctor: (args: readonly string[]) => Promise<string>
  /** Returns the path of a file in the node's data directory. */
  dataFile: (name: string) => string
  /** Registers a node or server, which is stopped before the folder is removed. */
  add: <T extends Readonly<{ stop: () => Promise<unknown> }>>(one: T) => T
}>

const entriesOf = (path: string): readonly string[] => {
  try {
    return readdirSync(path)
  } catch {
    // the process has ended
    return []
  }
}

/** The commands of the processes that have a file or folder open. */
const holdersOf = (path: string): readonly string[] =>
  entriesOf('/proc')
    .filter((pid) =>
      entriesOf(`/proc/${pid}/fd`).some((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`) === path
        } catch {
          // it was closed
          return false
        }
      }),
    )
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').slice(0, 100))

/** Each test has its own folder: the tests of this file run at the same time, because nodes wait more than they work. */
const inFolder = (work: (place: Place) => Promise<void>) => async (): Promise<void> => {
  const folder = makeMemoryFolder('svc-start-')
  const running: Readonly<{ stop: () => Promise<unknown> }>[] = []
  const add: Place['add'] = (one) => {
    running.push(one)
    return one
  }
  try {
    await work({
      folder,
      start: (args = [], env = {}) => add(startSvc(['start', ...args], { cwd: folder, env })),
      doctor: async (args) => {
        const [command = '', ...program] = PROGRAM
        const options = { cwd: folder, env: CHILD_ENV }
        const { stdout } = execFile(command, [...program, 'doctor', ...args], options)
        return stdout === null ? '' : await text(stdout)
      },
      dataFile: (name) => join(folder, 'svc-data', name),
      add,
    })
  } finally {
    await Promise.all(running.map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(url, { headers })
  return { status: response.status, text: await response.text() }
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server))
    })
  })
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Expects one line for a person: no stack, no log. */
const expectSentence = async (node: Node, sentence: string): Promise<void> => {
  expect(await node.ended).toBe(1)
  const lines = node.said().trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([expect.stringContaining(sentence)])
}

const healthOf = async (node: Node): Promise<unknown> => {
  const [, url = ''] = await node.untilSaid(/"url":"(http:[^"]+)"/)
  return JSON.parse((await get(`${url}/healthz`)).text)
}

describe.concurrent('svc start', { timeout: 120_000 }, () => {
  test(
    'a first start prints its address, its database and how to sign in, and ends with 0',
    inFolder(async ({ folder, start, dataFile }) => {
      const node = start(['--log-format', 'text'])
      const [, url = ''] = await node.untilSaid(/Address +(http:\S+)/)
      const [, password = ''] = await node.untilSaid(/admin@localhost with password (\S+)/)
      await node.untilSaid(/Token +\S.*svc.* create-token default admin@localhost\n/)
      expect(node.said()).toMatch(/Database +file:\.\/svc-data\/svc\.db/)
      expect(node.said()).toMatch(
        /Isolation +level (runtime|os|vm), \d+ jobs at once, tags default/,
      )
      expect(readFileSync(dataFile('initial-admin.txt'), 'utf8')).toContain(password)
      for (const secret of ['initial-admin.txt', 'secret.key']) {
        expect(statSync(dataFile(secret)).mode & 0o777).toBe(0o600)
      }
      const { status, text } = await get(`${url}/healthz`)
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({ status: 'ok', role: 'start', database: 'ok' })
      const health = startSvc(['health', '--port', new URL(url).port], { cwd: folder })
      expect(await health.ended).toBe(0)
      expect(await node.stop()).toBe(0)
      const silence = startSvc(['health', '--port', new URL(url).port], { cwd: folder })
      expect(await silence.ended).toBe(1)
      expect(node.said()).toMatch(/Stopping: .*\n.*Stopped\./)
    }),
  )

  test(
    'a node that others reach warns once where it does not know its address, and links have the host of their request',
    inFolder(async ({ start }) => {
      const password = 'only for this test'
      const env = { SVC_HOST: '0.0.0.0', SVC_ADMIN_PASSWORD: password }
      const node = start([], env)
      const [, port = ''] = await node.untilSaid(/"url":"http:[^"]+:(\d+)"/)
      expect(node.said().match(/SVC_BASE_URL is not set/g)).toHaveLength(1)
      const device = await fetch(`http://127.0.0.2:${port}/api/auth/device/code`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'svc-cli' }),
      })
      expect(await device.json()).toMatchObject({
        verification_uri: `http://127.0.0.2:${port}/device`,
      })
      expect(await node.stop()).toBe(0)
      const told = start([], { ...env, SVC_BASE_URL: 'http://svc.example' })
      await told.untilSaid(/"The node is ready\."/)
      expect(told.said()).not.toContain('SVC_BASE_URL is not set')
    }),
  )

  test(
    'where no person reads, every line but the first password is JSON, and no secret is in the log',
    inFolder(async ({ start }) => {
      const env = { SVC_METRICS_TOKEN: 'marker-metrics', SVC_ADMIN_PASSWORD: 'marker-password' }
      const node = start([], env)
      await node.untilSaid(/"The node is ready\."/)
      expect(await node.stop()).toBe(0)
      const lines = node.said().trimEnd().split('\n')
      const [signIn, ...others] = lines.filter((line) => !line.startsWith('{'))
      expect(signIn).toBe('Sign in as admin@localhost, with the password that you chose')
      expect(others).toEqual([])
      const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
      const ready = events.find(({ message }) => message === 'The node is ready.')
      expect(ready.properties).toMatchObject({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        database: 'file:./svc-data/svc.db',
        isolation: expect.any(String),
      })
      expect(node.said()).not.toContain('marker')
    }),
  )

  test(
    'metrics are for this machine, not for callers behind its proxy, or for the token',
    inFolder(async ({ start }) => {
      const node = start([], { SVC_METRICS_TOKEN: 'metrics-token' })
      const [, url = ''] = await node.untilSaid(/"url":"(http:[^"]+)"/)
      expect((await get(`${url}/metrics`)).text).toContain('svc_build_info')
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
        expect((await get(`${url}/metrics`, { [name]: '203.0.113.7' })).status, name).toBe(403)
      }
      const authorization = 'Bearer metrics-token'
      const proxied = { 'x-forwarded-for': '203.0.113.7', authorization }
      expect((await get(`${url}/metrics`, proxied)).status).toBe(200)
    }),
  )

  test(
    'a node whose database is away answers 503, and works once it is there',
    inFolder(async ({ start, add }) => {
      const sqld = await startSqld()
      add({ stop: sqld.close })
      await sqld.kill()
      // the test chooses the port, because the node prints it only when it is ready
      const port = await freePort()
      const node = start(['--database-url', sqld.httpUrl, '--port', String(port)])
      await node.untilSaid(/The database does not answer/)
      const away = await get(`http://127.0.0.1:${port}/healthz`)
      expect(away.status).toBe(503)
      expect(JSON.parse(away.text)).toMatchObject({
        status: 'unavailable',
        database: 'unavailable',
      })
      const refused = await get(`http://127.0.0.1:${port}/api/w/default/jobs`)
      expect(refused.status).toBe(503)
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'unavailable' })
      await sqld.restart()
      await node.untilSaid(/"The node is ready\."/)
      expect((await get(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
      await sqld.kill()
      expect((await get(`http://127.0.0.1:${port}/healthz`)).status).toBe(503)
      await sqld.restart()
      // the node checks at most once a second whether writes succeed again
      await vi.waitFor(
        async () => expect((await get(`http://127.0.0.1:${port}/healthz`)).status).toBe(200),
        { timeout: 10_000 },
      )
      expect(await node.stop()).toBe(0)
    }),
  )

  test(
    'a node that gets SIGTERM while it waits for its database ends with 0',
    inFolder(async ({ start }) => {
      const node = start(['--database-url', 'http://127.0.0.1:1'])
      await node.untilSaid(/The database does not answer/)
      expect(await node.stop()).toBe(0)
    }),
  )

  test(
    'another instance key, or one that is none, ends the node with a sentence',
    inFolder(async ({ start, dataFile }) => {
      const first = start()
      await first.untilSaid(/"The node is ready\."/)
      await first.stop()
      const other = Buffer.alloc(32, 1).toString('base64')
      await expectSentence(start([], { SVC_SECRET_KEY: other }), 'The instance key is not the one')
      writeFileSync(dataFile('secret.key'), 'short\n')
      await expectSentence(start(), 'secret.key must hold 32 bytes in base64')
      rmSync(dataFile('secret.key'))
      await expectSentence(start(), 'The instance key is not the one')
    }),
  )

  test(
    'a database that a newer svc has migrated ends the node with a sentence',
    inFolder(async ({ folder, start, dataFile }) => {
      mkdirSync(join(folder, 'svc-data'))
      const db = await openDatabase({ url: `file:${dataFile('svc.db')}` })
      await db.write([
        sql`CREATE TABLE schema_migrations (version INTEGER, name TEXT, checksum TEXT, applied_at)`,
        sql`INSERT INTO schema_migrations VALUES (9999, 'later', 'x', 1)`,
      ])
      await db.close()
      await expectSentence(start(), 'The database has schema 9999')
    }),
  )

  test(
    'a port that is taken ends the node with a sentence that names the flag',
    inFolder(async ({ folder, start, add }) => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const port = portOf(server)
      await expectSentence(
        start(['--port', String(port)]),
        `Port ${port} is taken. Stop what uses it, or choose another with --port (SVC_PORT).`,
      )
      await expectSentence(
        add(startSvc(['worker', '--health-port', String(port)], { cwd: folder })),
        `Port ${port} is taken. Stop what uses it, or choose another with --health-port (SVC_HEALTH_PORT).`,
      )
      server.close()
    }),
  )

  test(
    'a worker waits for a server to make the schema, and logs it',
    inFolder(async ({ folder, start, add }) => {
      const worker = add(startSvc(['worker'], { cwd: folder }))
      await worker.untilSaid(/The database is empty\. Start a server first/)
      const node = start()
      await node.untilSaid(/"The node is ready\."/)
      await worker.untilSaid(/"The node is ready\."/)
      expect(await worker.stop()).toBe(0)
    }),
  )

  test(
    'a node ends when a newer svc has taken the schema further',
    inFolder(async ({ start, dataFile }) => {
      const node = start()
      await node.untilSaid(/"The node is ready\."/)
      const db = await openDatabase({ url: `file:${dataFile('svc.db')}` })
      await db.write([
        sql`INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'x', 'x', 1)`,
      ])
      await db.close()
      expect(await node.ended).toBe(1)
      expect(node.said()).toContain('Start the newer svc in place of this one')
    }),
  )

  test(
    'sqld as it comes is relaxed: the log, healthz and doctor say so with the remedy',
    inFolder(async ({ start, doctor, add }) => {
      const sqld = await startSqld({ durability: 'relaxed', checkpointIntervalS: null })
      add({ stop: sqld.close })
      const proxy = await startFaultProxy(sqld.httpUrl)
      add({ stop: proxy.close })
      const node = start(['--database-url', proxy.url])
      expect(await healthOf(node)).toMatchObject({ status: 'ok', durability: 'relaxed' })
      expect(node.said()).toMatch(/a power cut can lose acknowledged work.*durability_mode/)
      expect(node.said()).toMatch(/can stop all writes .*--checkpoint-interval-s 10/)
      const url = ['--database-url', sqld.httpUrl]
      const required = start(url, { SVC_REQUIRE_DURABLE: 'on' })
      expect(await required.ended).toBe(1)
      expect(required.said()).toMatch(
        /SVC_REQUIRE_DURABLE is on, so svc does not run.*durability_mode/,
      )
      const ill = await doctor(url)
      expect(ill).toMatch(/✗ durability .*relaxed/)
      expect(ill).toContain('"durability_mode":"strong"')
      expect(ill).toContain('--checkpoint-interval-s 10')

      await sqld.makeDurable()
      // the mode applies to new connections, which a node opens within a minute
      proxy.cut()
      await vi.waitFor(
        async () => expect(await healthOf(node)).toMatchObject({ durability: 'durable' }),
        { timeout: 60_000, interval: 200 },
      )
      await start(url, { SVC_REQUIRE_DURABLE: 'on' }).untilSaid(/"The node is ready\."/)
      expect(await doctor(url)).toMatch(/✓ durability .*durable/)
    }),
  )

  test(
    'a node that must be durable ends when its server no longer is',
    inFolder(async ({ start, add }) => {
      const sqld = await startSqld({ durability: 'relaxed' })
      add({ stop: sqld.close })
      await sqld.makeDurable()
      const node = start(['--database-url', sqld.httpUrl], { SVC_REQUIRE_DURABLE: 'on' })
      expect(await healthOf(node)).toMatchObject({ durability: 'durable' })
      // sqld forgets its mode when it ends
      await sqld.restart()
      expect(await node.ended).toBe(1)
      expect(node.said()).toContain('SVC_REQUIRE_DURABLE is on')
    }),
  )

  test(
    'files that its shell left open are closed, so no job inherits them',
    inFolder(async ({ folder, add }) => {
      const secret = join(folder, 'secret')
      writeFileSync(secret, '')
      const opens = ['/bin/bash', '-c', 'exec 40<"$0" 41<. "$@"', secret]
      const node = add(startSvc(['start'], { cwd: folder, program: [...opens, ...PROGRAM] }))
      await node.untilSaid(/"The node is ready\."/)
      expect(holdersOf(secret)).toEqual([])
      expect(holdersOf(folder)).toEqual([])
    }),
  )

  test(
    'after a clean stop the file alone is the whole database',
    inFolder(async ({ folder, start, dataFile }) => {
      const node = start()
      await node.untilSaid(/"The node is ready\."/)
      expect(await node.stop()).toBe(0)
      expect(existsSync(dataFile('svc.db-wal'))).toBe(false)
      const copy = join(folder, 'copy.db')
      copyFileSync(dataFile('svc.db'), copy)
      const db = await openDatabase({ url: `file:${copy}` })
      expect(await db.one(sql`SELECT count(*) AS n FROM users`)).toEqual({ n: 1 })
      await db.close()
    }),
  )
})
