/** Requests that read faster than a file can be read must not pile up [wire 6.1]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAs } from '#store/read-owner.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { JOBS, type JobCaller, openJobCaller } from '../support/job-caller.ts'
import { createTenant } from '../support/tenant.ts'

const SLOW = sql`WITH RECURSIVE list(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM list WHERE n < 500)
  SELECT count(*) AS count FROM list`

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
})
afterAll(() => caller.close())

it('a workspace with 1,000 waiting reads is refused further ones, and others are not', async () => {
  const { app } = caller
  const token = await app.token(['jobs:read'])
  const rival = await createTenant(app, 'rival')
  const flood = readAs(WS, () => Array.from({ length: 1_100 }, () => app.deps.db.all(SLOW)))
  const [refused, other] = await Promise.all([
    app.call('GET', JOBS, { token }),
    app.call('GET', `/api/w/${rival.ws}/jobs`, { token: rival.token }),
  ])
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(refused.json).toMatchObject({ code: 'too_many_reads' })
  expect(other.status).toBe(200)
  await Promise.all(flood)
  expect((await app.call('GET', JOBS, { token })).status).toBe(200)
})
