/** Why jobs and runs failed, in lists of them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const LONG = `\n  The bank answers 500: ${'x'.repeat(500)}\n  at pay.ts:3`
const SHOWN = { name: 'BankError', message: `The bank answers 500: ${'x'.repeat(278)}` }

let app: TestApp
let token = ''

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const flow = { key: 'one', steps: [{ key: 'first', action: 'greet' }] }
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }], [flow])
  for (const path of ['jobs/run/hello/greet', 'flows/run/hello/one']) {
    await app.call('POST', `/api/w/${WS}/${path}`, { token, json: {} })
    const claim = { worker: 'w', tags: ['default'], limit: 1, leaseMs: 1e5 }
    const [job] = await claimJobs(app.deps, claim)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const error = { name: SHOWN.name, message: LONG }
    const outcome = { kind: 'failure', error, isFinal: true } as const
    await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
  }
  await app.call('POST', `/api/w/${WS}/jobs/run/hello/greet`, { token, json: {} })
})
afterAll(() => app.close())

const failed = z.looseObject({ error_summary: z.looseObject({ name: z.string() }).optional() })
const page = z.object({
  items: z.array(failed.extend({ job: failed.optional(), flow_run: failed.optional() })),
})
const list = async (path: string) => {
  const { json } = await app.call('GET', `/api/w/${WS}/${path}`, { token })
  return page.parse(json).items
}

it('is the first line of the message, also of what flows encrypt', async () => {
  expect((await list('jobs')).map(({ error_summary }) => error_summary)).toEqual([
    undefined,
    SHOWN,
    SHOWN,
  ])
  expect((await list('flow-runs')).map(({ error_summary }) => error_summary)).toEqual([SHOWN])
  const rows = await list('jobs/folded')
  expect(rows.map(({ job, flow_run }) => (job ?? flow_run)?.error_summary)).toEqual([
    undefined,
    SHOWN,
    SHOWN,
  ])
})

it('is left out where it cannot be decrypted, and the other rows are listed', async () => {
  await app.deps.db.write([
    // in a damaged database: this one refuses changes of ended runs
    sql`DROP TRIGGER flow_runs_terminal_is_final`,
    sql`UPDATE flow_runs SET error = 'v2.broken' WHERE ws = ${WS} AND error IS NOT NULL`,
  ])
  expect((await list('flow-runs')).map(({ error_summary }) => error_summary)).toEqual([undefined])
  expect(await list('jobs/folded')).toHaveLength(3)
})
