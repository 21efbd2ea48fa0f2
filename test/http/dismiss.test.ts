/** Dismissed jobs [jobs 17.8], on a file and, as statements, on sqld. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { deleteDismissals, insertDismissals } from '#store/jobs/dismissals.ts'
import { listJobs } from '#store/jobs/list.ts'
import { sql } from '#store/sql.ts'
import { deleteEndedJobs } from '#store/sweeps.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, WS as QUEUE_WS } from '../support/open-queue.ts'

const JOBS = `/api/w/${WS}/jobs`
const BEA = 'bea@example.com'

let app: TestApp
let token = ''
let memberToken = ''
let failed: readonly string[] = []
let others: readonly string[] = []
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const deploymentId = await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  await createUser(app.deps, { email: BEA, password: null, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: BEA, role: 'member' })
  memberToken = await app.token(['jobs:run', 'jobs:read'], { email: BEA })
  const common = { deploymentId, ws: WS, app: 'hello', action: 'greet' }
  const fails = { ...common, status: 'failure' as const }
  failed = await insertJobs(app.deps.db, [fails, fails, { ...fails, createdBy: BEA }])
  others = await insertJobs(app.deps.db, [
    { ...common, status: 'success' },
    { ...common, status: 'canceled' },
    { ...common, status: 'queued' },
  ])
})
afterAll(() => app.close())

const post = (path: string, json?: unknown, as = token) =>
  app.call('POST', `${JOBS}${path}`, { token: as, ...(json === undefined ? {} : { json }) })
const page = z.object({ items: z.array(z.looseObject({ id: z.string() })) })
const idsOf = async (query: string): Promise<readonly string[]> =>
  page
    .parse((await app.call('GET', `${JOBS}?${query}`, { token })).json)
    .items.map(({ id }) => id)
    .toSorted()
const actions = async (): Promise<readonly unknown[]> =>
  (
    await app.deps.db.all(sql`SELECT action FROM audit_log WHERE action LIKE 'job.%' ORDER BY id`)
  ).map(({ action }) => action)

describe('a failed job', () => {
  it('that is dismissed leaves the failures until it is put back, and is on record', async () => {
    const [id = ''] = failed
    const dismissed = await post(`/${id}/dismiss`)
    expect(dismissed.status).toBe(200)
    expect(dismissed.json).toMatchObject({
      id,
      status: 'failure',
      dismissed_by: 'admin@localhost',
      dismissed_at: expect.any(String),
    })
    expect((await post(`/${id}/dismiss`, {})).json).toEqual(dismissed.json)
    expect(await idsOf('status=failure&dismissed=false')).toEqual(failed.slice(1).toSorted())
    expect(await idsOf('dismissed=true')).toEqual([id])
    expect(await idsOf('status=success&dismissed=true')).toEqual([])
    expect(await idsOf('status=failure')).toEqual(failed.toSorted())
    expect(await idsOf('dismissed=false')).toEqual([...failed.slice(1), ...others].toSorted())
    const back = await post(`/${id}/dismiss`, { dismissed: false })
    expect(back.json).not.toHaveProperty('dismissed_at')
    expect(await idsOf('status=failure&dismissed=false')).toEqual(failed.toSorted())
    expect(await actions()).toEqual(['job.dismissed', 'job.undismissed'])
  })

  it('is dismissed with others at once; a member dismisses own ones only', async () => {
    const ids = [...failed, ...others]
    expect((await post('/dismiss', { ids }, memberToken)).json).toEqual({ changed: 1 })
    expect((await post('/dismiss', { ids })).json).toEqual({ changed: 2 })
    expect((await post('/dismiss', { ids })).json).toEqual({ changed: 0 })
    const filter = { status: 'failure', dismissed: false }
    const bulk = await post('/bulk', { do: 'replay', filter, dry_run: true })
    expect(bulk.json).toEqual({ matched: 0 })
    const undo = { ids, dismissed: false }
    expect((await post('/dismiss', undo, memberToken)).json).toEqual({ changed: 1 })
    expect((await post('/dismiss', undo)).json).toEqual({ changed: 2 })
    expect((await post('/dismiss', { ids: [] })).status).toBe(400)
  })

  it('may be dismissed by its creator and admins', async () => {
    const answer = await post(`/${failed[0]}/dismiss`, {}, memberToken)
    expect(answer.status).toBe(403)
    expect((await post(`/${failed[2]}/dismiss`, {}, memberToken)).status).toBe(200)
    await post(`/${failed[2]}/dismiss`, { dismissed: false })
  })
})

it('a job that has not failed is not dismissed', async () => {
  for (const id of others) {
    const answer = await post(`/${id}/dismiss`)
    expect(answer.status).toBe(409)
    expect(answer.json).toMatchObject({ code: 'not_failed' })
  }
  expect((await post('/019abcde-0000-7000-8000-000000000001/dismiss')).status).toBe(404)
})

it.each(QUEUE_BACKENDS)('on %s, retention deletes what is on record of a job', async (_, open) => {
  const { db, close } = await open()
  try {
    const queue = await openQueue(db)
    await queue.deploy({ key: 'greet' })
    const id = await queue.enqueue()
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const error = { name: 'Oops', message: 'no' }
    const outcome = { kind: 'failure', error } as const
    await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
    const all = { ws: QUEUE_WS, ids: [id], createdBy: null }
    const list = async (isDismissed: boolean) => {
      const none = { app: null, action: null, triggerKind: null, since: null, until: null }
      const filter = { ...none, statuses: ['failure'] as const, isDismissed }
      return (await listJobs(db, QUEUE_WS, { ...filter, beforeId: null, limit: 10 })).length
    }
    const changes = async (statement: ReturnType<typeof deleteDismissals>) =>
      (await db.write([statement]))[0]?.changes
    expect(await changes(insertDismissals({ ...all, createdBy: 'bob@example.com' }, BY))).toBe(0)
    expect(await changes(insertDismissals(all, BY))).toBe(1)
    expect([await list(true), await list(false)]).toEqual([1, 0])
    expect(await changes(deleteDismissals(all))).toBe(1)
    expect([await list(true), await list(false)]).toEqual([0, 1])
    await db.write([insertDismissals(all, BY)])
    await db.write(deleteEndedJobs(QUEUE_WS, [id]))
    expect(await db.all(sql`SELECT * FROM job_dismissals`)).toEqual([])
  } finally {
    await close()
  }
})
