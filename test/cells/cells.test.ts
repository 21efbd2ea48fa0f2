/** One instance over several databases: each workspace is served from its own cell, by the same server, worker and scheduler. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { withExistingDeps } from '#node/with-deps.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import {
  CELLS,
  type CellBackend,
  type CellName,
  type Instance,
  openInstance,
  type Server,
  WORKSPACES,
} from './open-instance.ts'

const BACKENDS: readonly CellBackend[] = ['files', 'namespaces']

const jobAnswer = z.object({ job_id: z.string() })
const runAnswer = z.object({ flow_run_id: z.string() })

describe.each(BACKENDS)('cells in %s', { timeout: 120_000 }, (backend) => {
  let instance: Instance
  let server: Server
  beforeAll(async () => {
    instance = await openInstance(backend)
    server = instance.server
    const health = () => instance.request(`${server.url}/healthz`)
    await vi.waitFor(
      async () => expect((await health()).json).toMatchObject({ cells: { eu: 'ok', us: 'ok' } }),
      30_000,
    )
  }, 240_000)
  afterAll(() => instance.close())

  const call = (cell: CellName, method: string, path: string, json?: unknown) =>
    instance.call(server, cell, method, path, json)
  const count = (cell: CellName, table: 'jobs' | 'flow_runs', id: string) =>
    instance.read(cell, async (db) => {
      const text =
        table === 'jobs'
          ? sql`SELECT count(*) AS n FROM jobs WHERE id = ${id}`
          : sql`SELECT count(*) AS n FROM flow_runs WHERE id = ${id}`
      return Number((await db.one(text))?.n)
    })

  test.each(CELLS)('a job of %s runs and is in no other database', async (cell) => {
    const answer = await call(cell, 'POST', '/jobs/run/crash/quick/wait', { id: 7 })
    expect(answer).toMatchObject({ status: 200, json: { status: 'success', result: { id: 7 } } })
    const { job_id: id } = jobAnswer.parse(answer.json)
    for (const other of CELLS) expect(await count(other, 'jobs', id)).toBe(other === cell ? 1 : 0)
  })

  test.each(CELLS)('a flow of %s with a loop, a subflow and branches ends', async (cell) => {
    const started = await call(cell, 'POST', '/flows/run/crash/long', {})
    const { flow_run_id: id } = runAnswer.parse(started.json)
    await vi.waitFor(
      async () =>
        expect((await call(cell, 'GET', `/flow-runs/${id}`)).json).toMatchObject({
          status: 'completed',
        }),
      { timeout: 60_000, interval: 200 },
    )
    for (const other of CELLS) {
      expect(await count(other, 'flow_runs', id)).toBe(other === cell ? 1 : 0)
    }
  })

  test.each(CELLS)('a schedule of %s fires', async (cell) => {
    const made = await call(cell, 'POST', '/schedules', {
      app_key: 'crash',
      action_key: 'quick',
      cron: '@every 1s',
      input: { id: 1 },
    })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    await vi.waitFor(
      async () => {
        const { json } = await call(cell, 'GET', '/jobs?trigger_kind=schedule&status=success')
        expect(z.object({ items: z.array(z.unknown()) }).parse(json).items.length).toBeGreaterThan(
          1,
        )
      },
      { timeout: 40_000, interval: 300 },
    )
    const { id } = z.object({ id: z.string() }).parse(made.json)
    expect((await call(cell, 'DELETE', `/schedules/${id}`)).status).toBe(204)
  })

  test.each(CELLS)('a webhook of %s queues its job there', async (cell) => {
    const url = `${server.url}/hook/${WORKSPACES[cell]}/crash/job`
    const sent = await instance.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: `hook-${cell}` }),
    })
    expect(sent.status, JSON.stringify(sent.json)).toBeLessThan(300)
    const { job_id: id } = jobAnswer.parse(sent.json)
    for (const other of CELLS) expect(await count(other, 'jobs', id)).toBe(other === cell ? 1 : 0)
  })

  test('a token opens its own workspace alone, wherever both are', async () => {
    for (const cell of CELLS) {
      for (const other of CELLS) {
        const { status, json } = await instance.request(
          `${server.url}/api/w/${WORKSPACES[other]}/jobs`,
          { headers: { authorization: `Bearer ${instance.tokens[cell]}` } },
        )
        if (other === cell) expect(status).toBe(200)
        else
          expect({ status, json }).toMatchObject({ status: 403, json: { code: 'wrong_workspace' } })
      }
    }
  })

  test('a token of a cell opens routes without a workspace, also those of the instance', async () => {
    const headers = { authorization: `Bearer ${instance.tokens.eu}` }
    expect(await instance.request(`${server.url}/api/auth/me`, { headers })).toMatchObject({
      status: 200,
      json: { workspace: WORKSPACES.eu, super_admin: true },
    })
    const { json } = await instance.request(`${server.url}/api/admin/workspaces`, { headers })
    expect(json).toMatchObject({
      items: [
        { id: 'acme', cell: 'eu' },
        { id: 'bolt', cell: 'us' },
        { id: 'default', cell: 'home' },
      ],
    })
  })

  test('a text that no cell knows as a credential is refused', async () => {
    const token = `${instance.tokens.eu.slice(0, -6)}AAAAAA`
    const headers = { authorization: `Bearer ${token}` }
    expect((await instance.request(`${server.url}/api/auth/me`, { headers })).status).toBe(401)
  })

  test('the id of a workspace is given once in the instance', async () => {
    const taken = [
      [WORKSPACES.eu, 'home'],
      [WORKSPACES.home, 'eu'],
      [WORKSPACES.us, 'us'],
    ] as const
    const create = (id: string, cell: string) =>
      withExistingDeps(instance.config, (deps) => createWorkspace(deps, { id, name: id, cell }))
    for (const [ws, cell] of taken) {
      await expect(create(ws, cell)).rejects.toThrow('exists already')
    }
    await expect(create('new', 'mars')).rejects.toThrow('There is no cell')
  })

  test('svc workspace list names the cell of each', async () => {
    const listed = JSON.parse(await instance.svc('workspace', 'list', '--json'))
    expect(listed).toMatchObject({
      items: [
        { id: 'acme', cell: 'eu', moving_to: null },
        { id: 'bolt', cell: 'us' },
        { id: 'default', cell: 'home' },
      ],
      unavailable_cells: [],
    })
  })
})
