/** Moves of a workspace between databases: under load, interrupted at every point, reverted, refused. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { withExistingDeps } from '#node/with-deps.ts'
import { type MoveRequest, moveWorkspace } from '#service/cells/move-workspace.ts'
import { FAULT_POINTS } from '#service/fault-points.ts'
import { discardImport } from '#service/workspace-copy/discard-import.ts'
import type { Database, Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { createRelay } from '../../sdk/relay.ts'
import { MATERIAL } from '../support/relay-caller.ts'
import { isLong } from '../support/runs.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'
import {
  CELLS,
  type CellBackend,
  type CellName,
  type Instance,
  openInstance,
  type Server,
  uploadTo,
} from './open-instance.ts'

/** A process holds only one sandbox, so each form tests one of them. */
const BACKENDS: readonly CellBackend[] = isLong ? ['namespaces'] : ['files']
const MOVE_POINTS = FAULT_POINTS.filter((point) => point.startsWith('move_'))

/** As often as a move looks for jobs that run. */
const LOOK_MS = 250

const cellName = z.enum(CELLS)
const jobAnswer = z.object({ job_id: z.string() })

describe.each(BACKENDS)('a move between %s', { timeout: 240_000 }, (backend) => {
  let instance: Instance
  let server: Server
  beforeAll(async () => {
    instance = await openInstance(backend)
    server = instance.server
    await vi.waitFor(
      async () =>
        expect((await instance.request(`${server.url}/healthz`)).json).toMatchObject({
          cells: { eu: 'ok', us: 'ok' },
        }),
      30_000,
    )
  }, 240_000)
  afterAll(() => instance.close())

  const call = (method: string, path: string, json?: unknown) =>
    instance.call(server, 'eu', method, path, json)
  const rowsIn = (cell: CellName): Promise<number> =>
    instance.read(cell, async (db) =>
      Number(
        (
          await db.one(
            sql`SELECT (SELECT count(*) FROM jobs WHERE ws = 'acme') + (SELECT count(*) FROM workspaces WHERE id = 'acme')
              + (SELECT count(*) FROM deployments WHERE ws = 'acme') + (SELECT count(*) FROM held_workspaces) AS n`,
          )
        )?.n,
      ),
    )
  const placeOf = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${instance.tokens.home}` }
    const { json } = await instance.request(`${server.url}/api/admin/workspaces`, { headers })
    const { items } = z
      .object({ items: z.array(z.object({ id: z.string(), cell: z.string() })) })
      .parse(json)
    return items.find(({ id }) => id === 'acme')?.cell ?? ''
  }
  const untilServed = () =>
    vi.waitFor(async () => expect((await call('GET', '/jobs/summary')).status).toBe(200), 20_000)

  /** Ends a pause as soon as the server, which is the only one, knows that the workspace moves. */
  const untilPaused: MoveRequest['sleep'] = async (ms) => {
    const end = performance.now() + ms
    const isServed = async () => (await call('GET', '/jobs/summary')).status !== 503
    do await sleep(Math.min(ms, LOOK_MS))
    while (performance.now() < end && (await isServed()))
  }

  const move = (
    to: string,
    passFault: (point: string) => void = () => undefined,
    { drainS = 30, wait = untilPaused } = {},
  ) =>
    withExistingDeps(instance.config, (deps) =>
      moveWorkspace(
        { ...deps, passFault },
        { ws: 'acme', to, drainMs: drainS * 1_000, sleep: wait },
      ),
    )
  /** The holds and fences of the workspace in all cells. */
  const marks = async () => {
    const found = CELLS.map((cell) =>
      instance.read(cell, (db) =>
        db.all(sql`SELECT ${cell} || ' held' AS mark FROM held_workspaces
          UNION ALL SELECT ${cell} || ' ' || name FROM sqlite_schema WHERE name LIKE 'moving %'`),
      ),
    )
    return (await Promise.all(found)).flat()
  }

  /** Interrupts a move at a point. An unhandled error leaves the databases as a kill at this point would. */
  const cutOff = async (point: string, to: string): Promise<void> => {
    const fail = (passed: string): void => {
      if (passed === point) throw new Error(`cut off at ${point}`)
    }
    await expect(move(to, fail)).rejects.toThrow(`cut off at ${point}`)
  }

  /** Kills the command at a point. @returns the signal that ended it */
  const kill = (point: string, to: string): Promise<unknown> =>
    new Promise((resolve) => {
      const [command = '', ...before] = PROGRAM
      const env = { ...CHILD_ENV, ...instance.env, SVC_FAULT: point }
      const args = [...before, 'workspace', 'move', 'acme', to]
      execFile(command, args, { cwd: instance.path, env }, (error) => resolve(error?.signal))
    })

  test('loses and doubles nothing of what is acknowledged under load', async () => {
    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let isLoading = true
    const load = Promise.all(
      Array.from({ length: 3 }, async (_, caller) => {
        for (let at = 0; isLoading; at += 1) {
          const { status, json, headers } = await call('POST', '/jobs/run/crash/quick', {
            id: caller * 100_000 + at,
          })
          statuses.add(status)
          if (status === 201) acknowledged.push(jobAnswer.parse(json).job_id)
          else expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
          await sleep(40)
        }
      }),
    )
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(10), 30_000)
    const { pausedMs } = await move('us', undefined, { wait: sleep })
    const before = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 10), 30_000)
    isLoading = false
    await load
    expect([...statuses].toSorted()).toEqual([201, 503])
    expect(await placeOf()).toBe('us')
    expect(await rowsIn('eu')).toBe(0)
    for (const id of acknowledged) {
      await vi.waitFor(
        async () =>
          expect((await call('GET', `/jobs/${id}/result`)).json).toMatchObject({
            status: 'success',
          }),
        { timeout: 60_000, interval: 200 },
      )
    }
    const counted = await instance.read('us', (db) =>
      db.one(sql`SELECT count(*) AS n, sum(attempt) AS attempts FROM jobs WHERE ws = 'acme'`),
    )
    expect(counted).toEqual({ n: acknowledged.length, attempts: acknowledged.length })
    expect(pausedMs).toBeLessThan(60_000)
  })

  test.each(MOVE_POINTS)('cut off at %s leaves it on one side and goes on', async (point) => {
    const from = await placeOf()
    const to = from === 'us' ? 'home' : 'us'
    await cutOff(point, to)
    const { status } = await call('GET', '/jobs/summary')
    expect([200, 503]).toContain(status)
    await move(to)
    expect(await placeOf()).toBe(to)
    await untilServed()
    expect(await rowsIn(from === 'us' ? 'us' : 'home')).toBe(0)
    expect((await call('POST', '/jobs/run/crash/quick/wait', { id: 1 })).json).toMatchObject({
      status: 'success',
    })
    await expect(move(to)).rejects.toMatchObject({ code: 'there_already' })
  })

  test('goes on after kill -9, as a command', async () => {
    const from = await placeOf()
    expect(await kill('move_batch', 'eu')).toBe('SIGKILL')
    const said = await instance.svc('workspace', 'move', 'acme', 'eu')
    expect(said).toMatch(/^Workspace acme is in eu: \d+ rows, compared; paused for [\d.]+ s\.$/)
    await untilServed()
    await move(from)
  })

  test('is taken back by naming the cell where it is', async () => {
    const from = await placeOf()
    const to = from === 'eu' ? 'us' : 'eu'
    await cutOff('move_copied', to)
    await move(from)
    await untilServed()
    expect(await placeOf()).toBe(from)
    expect(await rowsIn(to)).toBe(0)
    expect((await call('POST', '/jobs/run/crash/quick/wait', { id: 1 })).status).toBe(200)
  })

  test.each(['taken back', 'completed'])(
    'that was %s while its command stood still is left as it is by that command',
    async (what) => {
      const from = cellName.parse(await placeOf())
      const to = from === 'eu' ? 'us' : 'eu'
      const end = what === 'completed' ? to : from
      const before = await rowsIn(from)
      let hasEnded = false
      const wait = async (): Promise<void> => {
        if (hasEnded) return
        hasEnded = true
        await move(end)
      }
      await expect(move(to, undefined, { wait })).rejects.toMatchObject({ code: 'move_ended' })
      expect(await placeOf()).toBe(end)
      expect(await rowsIn(end)).toBe(before)
      expect(await rowsIn(end === from ? to : from)).toBe(0)
      expect(await marks()).toEqual([])
      await untilServed()
      expect((await call('POST', '/jobs/run/crash/quick/wait', { id: 1 })).status).toBe(200)
      await move(to === end ? from : to)
      await untilServed()
    },
  )

  test('taken back before its directory is written leaves the workspace where it was', async () => {
    const from = cellName.parse(await placeOf())
    const to = from === 'eu' ? 'us' : 'eu'
    const before = await rowsIn(from)
    await withExistingDeps(instance.config, async (deps) => {
      const write: typeof deps.home.write = async (batch, options) => {
        const isLast = Array.isArray(batch) && batch[0].sql.includes('SET cell =')
        if (isLast) await move(from)
        return deps.home.write(batch, options)
      }
      const stood = { ...deps, home: { ...deps.home, write } }
      const request = { ws: 'acme', to, drainMs: 30_000, sleep: untilPaused }
      await expect(moveWorkspace(stood, request)).rejects.toMatchObject({ code: 'move_ended' })
    })
    expect(await placeOf()).toBe(from)
    expect([await rowsIn(from), await rowsIn(to)]).toEqual([before, 0])
    expect(await marks()).toEqual([])
    await untilServed()
  })

  test('keeps its rows from a command that ends imports', async () => {
    if ((await placeOf()) !== 'home') await move('home')
    const before = await rowsIn('home')
    await cutOff('move_copied', 'eu')
    await withExistingDeps(instance.config, async (deps) => {
      await expect(discardImport(deps, 'acme')).rejects.toMatchObject({
        code: 'other_move',
      })
    })
    await move('home')
    expect(await rowsIn('home')).toBe(before)
    await untilServed()
  })

  test('pauses no longer if the clock of the directory was set back', async () => {
    const from = cellName.parse(await placeOf())
    await cutOff('move_begun', from === 'us' ? 'home' : 'us')
    await instance.read('home', (db) =>
      db.write([sql`UPDATE workspace_cells SET changed_at = changed_at + 3600000`]),
    )
    const pauses: number[] = []
    const wait = async (ms: number): Promise<void> => {
      pauses.push(ms)
      await sleep(Math.min(ms, 5_000))
    }
    await move(from === 'us' ? 'home' : 'us', undefined, { wait })
    expect(Math.max(...pauses)).toBeLessThanOrEqual(4_000)
    await untilServed()
  })

  test('refuses what a request that stood still writes late, in the database that it leaves', async () => {
    // start in a cell that contains another workspace too
    if ((await placeOf()) === 'eu') await move('us')
    const from = cellName.parse(await placeOf())
    const write = (statement: Statement) => instance.read(from, (db) => db.write([statement]))
    const lateWrites = [
      sql`INSERT INTO variables (ws, key, value, secret, updated_by, updated_at) VALUES ('acme', 'LATE', 'x', 0, 'late', 1)`,
      sql`UPDATE jobs SET tag = tag WHERE ws = 'acme'`,
      sql`UPDATE workspaces SET name = 'late' WHERE id = 'acme'`,
    ]
    const yearly = { app_key: 'crash', action_key: 'quick', cron: '0 0 1 1 *', input: { id: 1 } }
    expect((await call('POST', '/schedules', yearly)).status).toBe(201)
    expect((await call('POST', '/jobs/run/crash/quick/wait', { id: 1 })).status).toBe(200)
    await cutOff('move_copied', 'eu')
    for (const late of lateWrites) {
      await expect(write(late), late.sql).rejects.toMatchObject({ kind: 'moving', outcome: 'none' })
    }
    // what the instance does for all workspaces at once continues
    expect(await write(sql`UPDATE schedules SET next_fire_at = next_fire_at`)).toMatchObject([
      { changes: 1 },
    ])
    const other = await instance.call(server, from, 'POST', '/jobs/run/crash/quick/wait', { id: 1 })
    expect(other.status).toBe(200)
    await move('eu')
    await untilServed()
    const fences = await instance.read(from, (db) =>
      db.all(sql`SELECT name FROM sqlite_schema WHERE name LIKE 'moving %'`),
    )
    expect(fences).toEqual([])
    await move(from)
  })

  test('certificates reach their phones that were sent before a move away from home, and after it', async () => {
    if ((await placeOf()) !== 'home') await move('home')
    await untilServed()
    const { json } = await call('POST', '/api-keys', { name: 'phone' })
    const { key } = z.object({ key: z.string() }).parse(json)
    const relay = createRelay({ url: server.url, apiKey: key })
    const [first, second] = [await relay.createSession(), await relay.createSession()]
    expect((await uploadTo(server, first.code)).status).toBe(200)
    await move('us')
    await untilServed()
    const { certId } = first
    expect(await first.waitForImport()).toEqual({ kind: 'success', certId, ...MATERIAL })
    expect((await uploadTo(server, second.code)).status).toBe(200)
    expect(await second.waitForImport()).toMatchObject({ kind: 'success', certId: second.certId })
    expect(await rowsIn('home')).toBe(0)
  })

  test('leaves nothing behind of an app with functions', async () => {
    const from = cellName.parse(await placeOf())
    const functions = new FormData()
    functions.set('functions/hello/index.ts', new Blob(["export default () => 'hello'"]), 'file')
    const deployed = await fetch(`${server.url}/api/w/acme/apps/crash/functions/deploy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${instance.tokens.eu}` },
      body: functions,
    })
    expect(deployed.status, await deployed.text()).toBeLessThan(300)
    await move(from === 'eu' ? 'us' : 'eu')
    await untilServed()
    expect(await rowsIn(from)).toBe(0)
    expect(await (await fetch(`${server.url}/fn/acme/crash/hello`)).text()).toContain('hello')
  })

  test('does not wait for a job whose worker is lost: it runs again where the workspace arrives', async () => {
    const from = cellName.parse(await placeOf())
    const to = from === 'eu' ? 'us' : 'eu'
    const parked = await call('POST', '/jobs/run/crash/quick?tag=parked', { id: 1 })
    const { job_id: id } = jobAnswer.parse(parked.json)
    await cutOff('move_held', to)
    await instance.read(from, (db) =>
      db.write([
        sql`UPDATE jobs SET status = 'running', tag = 'default', attempt = 1, worker = 'lost', claim_id = 'lost', lease_until = 1,
          started_at = created_at WHERE id = ${id}`,
      ]),
    )
    await move(to, undefined, { drainS: 2 })
    await untilServed()
    // an idle scheduler polls every 30 s, and immediately after a write
    expect((await call('POST', '/jobs/run/crash/quick', { id: 2 })).status).toBe(201)
    const ended = async () =>
      expect((await call('GET', `/jobs/${id}`)).json).toMatchObject({
        status: 'success',
        attempt: 2,
      })
    await vi.waitFor(ended, { timeout: 30_000, interval: 200 })
  })

  test.each(['discard', 'move'])(
    'leaves a hold when its command is killed after another one ended it; a %s ends it and loses no row',
    async (repair) => {
      const from = cellName.parse(await placeOf())
      const to = from === 'eu' ? 'us' : 'eu'
      const rows = await rowsIn(from)
      const fail = (point: string): void => {
        if (point === 'move_held') throw new Error('killed')
      }
      const wait = (ms: number): Promise<unknown> =>
        ms > 0 ? move(from).then(() => sleep(0)) : sleep(0)
      await expect(move(to, fail, { wait })).rejects.toThrow('killed')
      expect(await marks()).toEqual([{ mark: `${from} held` }])
      if (repair === 'discard') {
        const removed = await withExistingDeps(instance.config, (deps) => {
          const db = deps.furtherCells().find(({ name }) => name === from)?.db ?? deps.home
          return discardImport({ ...deps, db }, 'acme')
        })
        expect(removed).toBe(0)
      } else await move(to)
      expect(await marks()).toEqual([])
      expect(await rowsIn(repair === 'move' ? to : from)).toBeGreaterThanOrEqual(rows)
      await untilServed()
    },
  )

  test('keeps its hold when a command begins that has not seen it in the directory', async () => {
    const from = cellName.parse(await placeOf())
    const to = from === 'eu' ? 'us' : 'eu'
    let hasBegun = false
    const slow = (db: Database): Database => ({
      ...db,
      one: async (statement) => {
        if (!hasBegun && statement.sql.includes('FROM held_workspaces')) {
          hasBegun = true
          await cutOff('move_held', to)
        }
        return db.one(statement)
      },
    })
    const second = withExistingDeps(instance.config, (deps) => {
      const furtherCells = () =>
        deps
          .furtherCells()
          .map((cell) => ({ ...cell, db: cell.db === null ? null : slow(cell.db) }))
      const slowDeps = { ...deps, home: slow(deps.home), furtherCells }
      return moveWorkspace(slowDeps, { ws: 'acme', to, drainMs: 0, sleep })
    })
    await expect(second).rejects.toMatchObject({ code: 'other_move' })
    expect(await marks()).toEqual([{ mark: `${from} held` }])
    await move(to)
    await untilServed()
  })

  test('is given up while a job runs on', async () => {
    const from = await placeOf()
    const { json } = await call('POST', '/jobs/run/crash/slow', { ms: 30_000 })
    const { job_id: id } = jobAnswer.parse(json)
    const running = async () =>
      expect((await call('GET', `/jobs/${id}`)).json).toMatchObject({ status: 'running' })
    await vi.waitFor(running, 15_000)
    const to = from === 'eu' ? 'us' : 'eu'
    await expect(move(to, undefined, { drainS: 1 })).rejects.toMatchObject({ code: 'jobs_running' })
    await untilServed()
    expect(await placeOf()).toBe(from)
    await running()
    expect((await call('POST', `/jobs/${id}/cancel`)).status).toBeLessThan(300)
  })
})
