/** Each open stream makes the server read once a second, so a workspace cannot open them without end [wire 8.6]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertJobs } from '../support/insert-job.ts'
import { JOBS, type JobCaller, openJobCaller, RUN } from '../support/job-caller.ts'
import { createTenant } from '../support/tenant.ts'

const MOST = 1_000

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller({ rates: { run: 0, other: 0, anonymous: 0 } })
})
afterAll(() => caller.close())

it('a workspace has a limited number of open streams, which leaves room for the streams of others', async () => {
  const { app } = caller
  const id = await caller.runFor()
  const tokens = [await app.token(['jobs:read']), await app.token(['jobs:read'])]
  const open = (token: string | undefined, path = `${JOBS}/${id}/events`): Promise<Response> =>
    app.request('GET', path, { headers: { authorization: `Bearer ${token}` } })
  const streams: Response[] = []
  for (let at = 0; at < MOST; at += 1) streams.push(await open(tokens[at % 2]))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await open(tokens[0])
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await refused.json()).toMatchObject({ code: 'too_many_streams' })

  const accept = { headers: { accept: 'text/event-stream' } }
  expect((await caller.run({}, RUN, accept)).status).toBe(429)
  const listed = await app.call('GET', JOBS, { token: await app.token(['jobs:read']) })
  expect(listed.json).toMatchObject({ items: [{ id }] })

  const rival = await createTenant(app, 'rival')
  const { deploymentId } = caller
  const place = { ws: rival.ws, deploymentId, app: 'hello', action: 'greet' }
  const [job] = await insertJobs(app.deps.db, [place])
  const other = await open(rival.token, `/api/w/${rival.ws}/jobs/${job}/events`)
  expect(other.status).toBe(200)

  await streams[0]?.body?.cancel()
  const next = await open(tokens[0])
  expect(next.status).toBe(200)
  for (const { body } of [...streams.slice(1), other, next]) await body?.cancel()
})
