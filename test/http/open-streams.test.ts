/** Each open stream makes the server read once a second, so a workspace cannot open them without end [wire 8.6]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createConsumer, issueConsumerKey } from '#service/customers/manage-consumer.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
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

it('a customer has a quarter of them, which leaves room for the workspace', async () => {
  const { app, deploymentId } = caller
  const act = { ws: WS, actor: CLI_ACTOR }
  const { id } = await createConsumer(app.deps, { ...act, name: 'Acme', externalRef: null })
  const issue = { label: 'k', expiresInDays: null }
  const { text: key } = await issueConsumerKey(app.deps, { ...act, id }, issue)
  const place = { ws: WS, deploymentId, app: 'hello', action: 'greet' }
  const [job] = await insertJobs(app.deps.db, [place])
  await app.deps.db.write([sql`UPDATE jobs SET customer_id = ${id} WHERE id = ${job ?? ''}`])
  const open = (token: string | undefined): Promise<Response> =>
    app.request('GET', `${JOBS}/${job}/events`, { headers: { authorization: `Bearer ${token}` } })
  const streams: Response[] = []
  for (let at = 0; at < MOST / 4; at += 1) streams.push(await open(key))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await (await open(key)).json()).toMatchObject({ code: 'too_many_streams' })
  const own = await open(await app.token(['jobs:read']))
  expect(own.status).toBe(200)
  for (const { body } of [...streams, own]) await body?.cancel()
})
