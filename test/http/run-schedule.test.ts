/** Starting what a schedule starts by request [schedules 2.7]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { GrantedScope } from '#core/access/scope.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const SCHEDULES = `/api/w/${WS}/schedules`
const JOBS = `/api/w/${WS}/jobs`
const AT = '2026-01-31T09:30:00.000Z'

let app: TestApp
let token: string
const deploy = (inputSchema: { required: string[] } | null) =>
  deployActions(
    app.deps,
    [{ ws: WS, app: 'hello', key: 'greet', inputSchema }],
    [{ key: 'day', steps: [{ key: 'first', action: 'greet' }] }],
  )
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await deploy(null)
})
afterAll(() => app.close())

const make = async (more: object = {}) => {
  const json = { app_key: 'hello', action_key: 'greet', cron: '@daily', ...more }
  const made = await app.call('POST', SCHEDULES, { token, json })
  return z.looseObject({ id: z.string() }).parse(made.json)
}
const run = (id: string, request: Parameters<TestApp['call']>[2] = {}) =>
  app.call('POST', `${SCHEDULES}/${id}/run`, { token, ...request })
const started = z.object({ job_id: z.string().optional(), flow_run_id: z.string().optional() })
const triggerOf = async (id: string) =>
  (await app.deps.db.one(sql`SELECT trigger FROM job_inputs WHERE job_id = ${id}`))?.trigger

describe('POST /schedules/{id}/run', () => {
  it('queues the job of the schedule, for its input, as the caller', async () => {
    const { id } = await make({ input: { name: 'Ada' }, overlap: 'skip', enabled: false })
    const answer = await run(id)
    expect(answer.status).toBe(201)
    const { job_id: job = '' } = started.parse(answer.json)
    const found = await app.call('GET', `${JOBS}/${job}`, { token })
    expect(found.json).toMatchObject({
      trigger_kind: 'schedule',
      created_by: ADMIN,
      permissioned_as: ADMIN,
      input: { name: 'Ada' },
    })
    const fireTime: unknown = JSON.parse(String(await triggerOf(job)))
    expect(fireTime).toEqual({ fireTime: expect.stringMatching(/^20.*Z$/) })
    const { json } = await app.call('GET', `${SCHEDULES}/${id}`, { token })
    expect(json).toMatchObject({ enabled: false, last_job_id: null, next_fire_at: null })
  })

  it('takes another fire time, and an idempotency key', async () => {
    const { id } = await make()
    const request = { json: { fire_time: '2026-01-31T18:30:00+09:00' } }
    const headers = { 'idempotency-key': AT }
    const first = await run(id, { ...request, headers })
    const { job_id: job = '' } = started.parse(first.json)
    expect(await triggerOf(job)).toBe(JSON.stringify({ fireTime: AT }))
    expect(await run(id, { ...request, headers })).toMatchObject({ status: 201, json: first.json })
    const other = { json: { fire_time: '2026-02-01T00:00:00Z' }, headers }
    expect((await run(id, other)).status).toBe(409)
  })

  it('starts a run under the key of a job if the target is a flow now', async () => {
    const { id } = await make()
    const request = { json: { fire_time: AT }, headers: { 'idempotency-key': AT } }
    expect(started.parse((await run(id, request)).json)).toEqual({ job_id: expect.any(String) })
    const json = { flow_key: 'day' }
    expect((await app.call('PATCH', `${SCHEDULES}/${id}`, { token, json })).status).toBe(200)
    const { flow_run_id: flowRun } = started.parse((await run(id, request)).json)
    const found = await app.call('GET', `/api/w/${WS}/flow-runs/${flowRun}`, { token })
    expect(found.status).toBe(200)
  })

  it('starts the run of a flow', async () => {
    const { id } = await make({ action_key: null, flow_key: 'day' })
    const answer = await run(id, { json: { fire_time: AT } })
    const { flow_run_id: flowRun = '' } = started.parse(answer.json)
    const found = await app.call('GET', `/api/w/${WS}/flow-runs/${flowRun}`, { token })
    expect(found.json).toMatchObject({ trigger_kind: 'schedule', created_by: ADMIN })
  })

  it('needs the scope of its target', async () => {
    const action = await make()
    const flow = await make({ action_key: null, flow_key: 'day' })
    const needs = async (scopes: readonly GrantedScope[], id: string) =>
      (await run(id, { token: await app.token(scopes) })).status
    expect(await needs(['schedules:read'], action.id)).toBe(403)
    expect(await needs(['schedules:read', 'flows:run'], action.id)).toBe(403)
    expect(await needs(['schedules:read', 'jobs:run'], action.id)).toBe(201)
    expect(await needs(['schedules:read', 'jobs:run'], flow.id)).toBe(403)
    expect(await needs(['schedules:read', 'flows:run'], flow.id)).toBe(201)
    expect(await needs(['jobs:run'], action.id)).toBe(403)
  })

  it('refuses an unknown schedule, a bad time and an input that no longer fits', async () => {
    const { id } = await make()
    expect((await run('019abcde-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await run(id, { json: { fire_time: 'noon' } })).status).toBe(400)
    expect((await run(id, { json: { at: AT } })).status).toBe(400)
    await deploy({ required: ['name'] })
    expect(await run(id)).toMatchObject({ status: 400, json: { code: 'input_schema' } })
    await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'other' }])
    expect(await run(id)).toMatchObject({ status: 404, json: { code: 'action_not_found' } })
    await deploy(null)
  })
})
