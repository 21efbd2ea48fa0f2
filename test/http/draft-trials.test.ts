/** Trials: the content of the editor runs as a preview of its author, and the app and the draft stay unchanged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { deleteDraft } from '#service/drafts/manage-draft.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
})
afterAll(() => app.close())

const BASE = `/api/w/${WS}`
const CODE = 'export const main = (ctx: { input: unknown }) => ctx.input\n'
const manifestOf = (key: string, rest = '') =>
  `key: ${key}\nname: Trials\nactions:\n  - key: add\n    entrypoint: add.ts\n    inputSchema: { type: object, required: [n] }\n${rest}`
const filesOf = (key: string, rest = '') => ({ 'app.yaml': manifestOf(key, rest), 'add.ts': CODE })

const call = (method: string, path: string, json?: unknown, by = token) =>
  app.call(method, BASE + path, json === undefined ? { token: by } : { token: by, json })

const trial = z.object({ app: z.string(), deployment_id: z.string(), actions: z.array(z.string()) })
const tryIt = async (key: string, files: unknown, by = token) => {
  const answer = await call('POST', `/drafts/${key}/try`, { files }, by)
  expect(answer.status).toBe(201)
  return trial.parse(answer.json)
}
const saved = async (key: string, rest = ''): Promise<void> => {
  const answer = await call('PUT', `/drafts/${key}`, { files: filesOf(key, rest) })
  expect(answer.status).toBe(200)
}

describe('a trial of a draft', () => {
  it('runs what is in the editor under a key of its own, and changes neither draft nor app', async () => {
    await saved('shop')
    expect((await call('POST', '/drafts/shop/deploy')).status).toBe(201)
    const before = await call('GET', '/apps/shop')
    const made = await tryIt('shop', { ...filesOf('shop'), 'add.ts': `// unsaved\n${CODE}` })
    expect(made).toMatchObject({ app: expect.stringMatching(/^shop--try-/), actions: ['add'] })
    const run = await call('POST', `/jobs/run/${made.app}/add`, { n: 1 })
    expect(run.status).toBe(201)
    const { job_id: id } = z.object({ job_id: z.string() }).parse(run.json)
    const job = await call('GET', `/jobs/${id}`)
    expect(job.json).toMatchObject({ app: made.app, deployment_id: made.deployment_id })
    const code = await call('GET', `/deployments/${made.deployment_id}/files/add.ts`)
    expect(code.text).toContain('// unsaved')
    expect((await call('GET', '/apps/shop')).json).toEqual(before.json)
    expect((await call('GET', '/drafts/shop')).json).toMatchObject({ files: filesOf('shop') })
    const ofShop = await call('GET', '/jobs?app=shop')
    expect(ofShop.json).toMatchObject({ items: [] })
  })

  it('stays when the draft is saved while it is deleted, which is refused', async () => {
    const put = await call('PUT', '/drafts/raced', { files: filesOf('raced') })
    const match = [Date.parse((put.headers.get('etag') ?? '').slice(1, -1))]
    const made = await tryIt('raced', filesOf('raced'))
    const { db } = app.deps
    const slow: Database = Object.assign(Object.create(db), {
      all: async (...args: Parameters<Database['all']>) => {
        await saved('raced')
        return db.all(...args)
      },
    })
    const act = { ws: WS, app: 'raced', actor: CLI_ACTOR, match }
    await expect(deleteDraft({ ...app.deps, db: slow }, act)).rejects.toMatchObject({
      kind: 'precondition_failed',
    })
    expect((await call('POST', `/jobs/run/${made.app}/add`, { n: 1 })).status).toBe(201)
    expect((await call('DELETE', '/drafts/raced')).status).toBe(204)
    expect((await call('POST', `/jobs/run/${made.app}/add`, { n: 1 })).status).toBe(404)
  })

  it('checks the input as a deployed action does, and needs the scope of every run', async () => {
    await saved('checked')
    const made = await tryIt('checked', filesOf('checked'))
    expect((await call('POST', `/jobs/run/${made.app}/add`, {})).status).toBe(400)
    const deployer = await app.token(['deployments:write'])
    const again = await tryIt('checked', filesOf('checked'), deployer)
    expect((await call('POST', `/jobs/run/${again.app}/add`, { n: 1 }, deployer)).status).toBe(403)
  })

  it('is in no list of apps, and names its person', async () => {
    await saved('listed')
    const made = await tryIt('listed', filesOf('listed'))
    expect((await call('GET', '/apps')).text).not.toContain('--try-')
    expect((await call('GET', `/apps/${made.app}`)).json).toMatchObject({
      preview_of: 'listed',
      preview_branch: expect.stringMatching(/^draft:/),
      name: 'Trials (trial)',
    })
    // the second trial of the same files deploys nothing new
    const again = await tryIt('listed', filesOf('listed'))
    expect(again.deployment_id).toBe(made.deployment_id)
    const marks = await app.deps.db.all(
      sql`SELECT action FROM audit_log WHERE target LIKE ${`${made.app}%`} ORDER BY id`,
    )
    expect(marks.map(({ action }) => action)).toEqual(['draft.tried'])
  })

  it('has no schedule and no function, whatever its manifest asks for', async () => {
    const rest = [
      'schedules:\n  - { key: nightly, action: add, cron: "0 0 * * *", input: { n: 1 } }\n',
      'previews: { schedules: true, webhooks: true, events: true }\n',
    ].join('')
    await saved('quiet', rest)
    const made = await tryIt('quiet', {
      ...filesOf('quiet', rest),
      'functions/hello/index.ts': 'export default () => "hello"\n',
    })
    expect((await call('GET', '/schedules')).text).not.toContain(made.app)
    const functions = await call('GET', `/apps/${made.app}/functions`)
    expect(functions.json).toMatchObject({ items: [] })
  })

  it('reports the faults of manifest and code', async () => {
    await saved('faulty')
    const files = { ...filesOf('faulty'), 'add.ts': 'export const main = () => {\n  return }}\n' }
    expect(await call('POST', '/drafts/faulty/try', { files })).toMatchObject({
      status: 422,
      json: { code: 'unbundlable', details: [{ path: expect.stringMatching(/^add\.ts:2:/) }] },
    })
    const other = await call('POST', '/drafts/faulty/try', { files: filesOf('other') })
    expect(other).toMatchObject({ status: 422, json: { code: 'bad_manifest' } })
    expect((await call('POST', '/drafts/none/try', { files: filesOf('none') })).status).toBe(404)
  })

  it('goes with its draft', async () => {
    await saved('gone')
    const made = await tryIt('gone', filesOf('gone'))
    expect((await call('GET', `/apps/${made.app}`)).status).toBe(200)
    expect((await call('DELETE', '/drafts/gone')).status).toBe(204)
    expect((await call('GET', `/apps/${made.app}`)).status).toBe(404)
  })
})
