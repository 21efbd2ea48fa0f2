/** A cell that is unavailable affects its own workspaces and no others. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { withAllCells } from '#node/with-deps.ts'
import { type CellName, type Instance, openInstance, type Server } from './open-instance.ts'

let instance: Instance
let server: Server
beforeAll(async () => {
  instance = await openInstance('namespaces')
  server = instance.server
  await untilHealth({ eu: 'ok', us: 'ok' })
}, 240_000)
afterAll(() => instance.close())

const untilHealth = (cells: object) =>
  vi.waitFor(
    async () =>
      expect((await instance.request(`${server.url}/healthz`)).json).toMatchObject({
        status: 'ok',
        cells,
      }),
    { timeout: 60_000, interval: 250 },
  )

const run = (cell: CellName) =>
  instance.call(server, cell, 'POST', '/jobs/run/crash/quick/wait', { id: 1 })

test('a cell goes away under way, and comes back', { timeout: 180_000 }, async () => {
  for (const cell of ['home', 'eu', 'us'] as const) {
    expect((await run(cell)).json).toMatchObject({ status: 'success' })
  }
  instance.namespaces?.cut('eu')
  await untilHealth({ eu: 'unavailable', us: 'ok' })
  const metrics = await instance.request(`${server.url}/metrics`)
  expect(metrics.json).toMatch(/svc_cell_up\{cell="eu"\} 0\nsvc_cell_up\{cell="us"\} 1/)
  const refused = await run('eu')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const cell of ['home', 'us'] as const) {
    expect((await run(cell)).json).toMatchObject({ status: 'success' })
  }
  const headers = { authorization: `Bearer ${instance.tokens.home}` }
  const { json } = await instance.request(`${server.url}/api/admin/workspaces`, { headers })
  expect(json).toMatchObject({ items: [{ id: 'bolt' }, { id: 'default' }] })
  // it may be a credential of the unavailable cell
  const unknown = { authorization: `Bearer ${instance.tokens.us.slice(0, 12)}` }
  expect((await instance.request(`${server.url}/api/auth/me`, { headers: unknown })).status).toBe(
    401,
  )
  instance.namespaces?.join('eu')
  await untilHealth({ eu: 'ok', us: 'ok' })
  await vi.waitFor(
    async () => expect((await run('eu')).json).toMatchObject({ status: 'success' }),
    { timeout: 60_000, interval: 500 },
  )
})

test('a node starts while a cell is away, and serves it when it comes', {
  timeout: 180_000,
}, async () => {
  await server.stop()
  instance.namespaces?.cut('us')
  const node = await instance.start()
  server = { url: node.url ?? '', stop: node.stop }
  await untilHealth({ eu: 'ok', us: 'unavailable' })
  expect((await run('eu')).json).toMatchObject({ status: 'success' })
  expect(await run('us')).toMatchObject({ status: 503, json: { code: 'cell_unavailable' } })
  instance.namespaces?.join('us')
  await untilHealth({ us: 'ok' })
  await vi.waitFor(
    async () => expect((await run('us')).json).toMatchObject({ status: 'success' }),
    { timeout: 60_000, interval: 500 },
  )
})

test('a node whose settings give a cell the database of another serves neither', {
  timeout: 60_000,
}, async () => {
  const urls = Object.fromEntries(instance.config.cells.map(({ name, url }) => [name, url]))
  const swapped = { SVC_CELLS: `eu=${urls.us};us=${urls.eu}` }
  const node = await instance.start(swapped, 'server')
  try {
    // commands are refused; meanwhile the node has tried the cells
    const { config } = loadConfig({ env: { ...instance.env, ...swapped }, flags: {} })
    await expect(withAllCells(config, async () => 1)).rejects.toThrow(
      'The database of the cell eu is the one of the cell us. Correct SVC_CELLS',
    )
    const url = node.url ?? ''
    for (const cell of ['eu', 'us'] as const) {
      const answer = await instance.call({ url }, cell, 'GET', '/apps')
      expect(answer).toMatchObject({ status: 503, json: { code: 'cell_unavailable' } })
    }
    expect((await instance.call({ url }, 'home', 'GET', '/apps')).status).toBe(200)
  } finally {
    await node.stop()
  }
  const home = { SVC_DATABASE_URL: urls.eu ?? '', SVC_CELLS: '' }
  await expect(instance.start(home, 'server')).rejects.toThrow(
    'The database of the cell home is the one of the cell eu. Correct SVC_DATABASE_URL',
  )
})
