/** Dismissed flow runs [flows 13.6]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { deleteEndedFlowRuns, listEndedFlowRuns } from '#store/sweeps.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const RUNS = `/api/w/${WS}/flow-runs`
const BEA = 'bea@example.com'

let app: TestApp
let token = ''
let memberToken = ''
let failed: readonly string[] = []
let completed = ''

const started = z.object({ flow_run_id: z.string() })

/** Runs the one-step flow to its end. */
const run = async (outcome: 'success' | 'failure', as: string): Promise<string> => {
  const answer = await app.call('POST', `/api/w/${WS}/flows/run/hello/one`, { token: as, json: {} })
  const [job] = await claimJobs(app.deps, {
    worker: 'w',
    tags: ['default'],
    limit: 1,
    leaseMs: 1e5,
  })
  if (job === undefined) throw new Error(`There was nothing to claim: ${answer.text}`)
  const error = { name: 'Oops', message: 'no' }
  const ends = {
    success: { kind: 'success', resultJson: '1' },
    failure: { kind: 'failure', error, isFinal: true },
  } as const
  await completeJob(app.deps, { job, outcome: ends[outcome], retry: null, logs: [] })
  return started.parse(answer.json).flow_run_id
}

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const flow = { key: 'one', steps: [{ key: 'first', action: 'greet' }] }
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }], [flow])
  await createUser(app.deps, { email: BEA, password: null, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: BEA, role: 'member' })
  memberToken = await app.token(['flows:run', 'flows:read'], { email: BEA })
  failed = [
    await run('failure', token),
    await run('failure', token),
    await run('failure', memberToken),
  ]
  completed = await run('success', token)
})
afterAll(() => app.close())

const post = (path: string, json?: unknown, as = token) =>
  app.call('POST', `${RUNS}${path}`, { token: as, ...(json === undefined ? {} : { json }) })
const page = z.object({ items: z.array(z.looseObject({ id: z.string() })) })
const idsOf = async (query: string): Promise<readonly string[]> =>
  page
    .parse((await app.call('GET', `${RUNS}?${query}`, { token })).json)
    .items.map(({ id }) => id)
    .toSorted()

describe('a failed flow run', () => {
  it('that is dismissed leaves the failures until it is put back, and is on record', async () => {
    const [id = ''] = failed
    const dismissed = await post(`/${id}/dismiss`)
    expect(dismissed.status).toBe(200)
    const record = { dismissed_by: 'admin@localhost', dismissed_at: expect.any(String) }
    expect(dismissed.json).toMatchObject({ id, status: 'failed', ...record })
    expect((await post(`/${id}/dismiss`, {})).json).toEqual(dismissed.json)
    const shown = await app.call('GET', `${RUNS}/${id}`, { token })
    expect(shown.json).toMatchObject(record)
    expect(await idsOf('status=failed&dismissed=false')).toEqual(failed.slice(1).toSorted())
    expect(await idsOf('dismissed=true')).toEqual([id])
    expect(await idsOf('status=completed&dismissed=true')).toEqual([])
    expect(await idsOf('status=failed')).toEqual(failed.toSorted())
    expect(await idsOf('dismissed=false')).toEqual([...failed.slice(1), completed].toSorted())
    const list = await app.call('GET', `${RUNS}?dismissed=true`, { token })
    expect(list.json).toMatchObject({ items: [record] })
    const back = await post(`/${id}/dismiss`, { dismissed: false })
    expect(back.json).not.toHaveProperty('dismissed_at')
    expect(await idsOf('status=failed&dismissed=false')).toEqual(failed.toSorted())
    const audit = await app.deps.db.all(
      sql`SELECT action FROM audit_log WHERE action LIKE 'flow_run.%' ORDER BY id`,
    )
    expect(audit.map(({ action }) => action)).toEqual([
      'flow_run.dismissed',
      'flow_run.undismissed',
    ])
  })

  it('is dismissed with others at once; a member dismisses own ones only', async () => {
    const ids = [...failed, completed]
    expect((await post('/dismiss', { ids }, memberToken)).json).toEqual({ changed: 1 })
    expect((await post('/dismiss', { ids })).json).toEqual({ changed: 2 })
    expect((await post('/dismiss', { ids })).json).toEqual({ changed: 0 })
    const undo = { ids, dismissed: false }
    expect((await post('/dismiss', undo, memberToken)).json).toEqual({ changed: 1 })
    expect((await post('/dismiss', undo)).json).toEqual({ changed: 2 })
    expect((await post('/dismiss', { ids: [] })).status).toBe(400)
  })

  it('may be dismissed by its creator and admins', async () => {
    expect((await post(`/${failed[0]}/dismiss`, {}, memberToken)).status).toBe(403)
    expect((await post(`/${failed[2]}/dismiss`, {}, memberToken)).status).toBe(200)
    await post(`/${failed[2]}/dismiss`, { dismissed: false })
  })
})

it('a flow run that has not failed is not dismissed', async () => {
  const answer = await post(`/${completed}/dismiss`)
  expect(answer.status).toBe(409)
  expect(answer.json).toMatchObject({ code: 'not_failed' })
  expect((await post('/019abcde-0000-7000-8000-000000000001/dismiss')).status).toBe(404)
})

it('retention deletes what is on record of a flow run', async () => {
  await post(`/${failed[0]}/dismiss`)
  await app.deps.db.write(
    deleteEndedFlowRuns(
      await listEndedFlowRuns(app.deps.db, Date.now() + 1_000, { after: null, limit: 100 }),
    ),
  )
  expect(await app.deps.db.all(sql`SELECT * FROM flow_run_dismissals`)).toEqual([])
})
