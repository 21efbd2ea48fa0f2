/** Flow runs that are canceled or replayed together. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const BEA = 'bea@example.com'
const UNKNOWN = '019abcde-0000-7000-8000-000000000000'
const started = z.object({ flow_run_id: z.string() })

let app: TestApp
let token = ''
let memberToken = ''

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const flow = { key: 'one', steps: [{ key: 'first', action: 'greet' }] }
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }], [flow])
  await createUser(app.deps, { email: BEA, password: null, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: BEA, role: 'member' })
  memberToken = await app.token(['flows:run', 'flows:read'], { email: BEA })
})
afterAll(() => app.close())

const run = async (as = token): Promise<string> => {
  const json = { order: 7 }
  const answer = await app.call('POST', `/api/w/${WS}/flows/run/hello/one`, { token: as, json })
  return started.parse(answer.json).flow_run_id
}
const bulk = (kind: string, ids: readonly string[], as = token) =>
  app.call('POST', `/api/w/${WS}/flow-runs/bulk`, { token: as, json: { do: kind, ids } })
const detail = async (id: string) =>
  (await app.call('GET', `/api/w/${WS}/flow-runs/${id}`, { token })).json

it('cancels those that are open, counts those that are not, and replays them with their input', async () => {
  const ids = [await run(), await run()]
  expect((await bulk('cancel', [...ids, UNKNOWN])).json).toEqual({ done: 2, failed: 1 })
  expect(await detail(ids[0] ?? '')).toMatchObject({ status: 'canceled' })
  expect((await bulk('cancel', ids)).json).toEqual({ done: 0, failed: 2 })
  expect((await bulk('replay', [...ids, await run()])).json).toEqual({ done: 2, failed: 1 })
  const list = await app.call('GET', `/api/w/${WS}/flow-runs?status=open`, { token })
  const page = z.object({
    items: z.array(z.looseObject({ id: z.string(), restarted_from: z.string().nullable() })),
  })
  const replays = page
    .parse(list.json)
    .items.filter(({ restarted_from }) => restarted_from !== null)
  expect(replays.map(({ restarted_from }) => restarted_from).toSorted()).toEqual(ids.toSorted())
  expect(await detail(replays[0]?.id ?? '')).toMatchObject({ input: { order: 7 } })
})

it('replays each run once for an Idempotency-Key, so that a call whose answer was lost can be repeated', async () => {
  const ids = [await run(), await run()]
  await bulk('cancel', ids)
  const replay = (some: readonly string[]) =>
    app.call('POST', `/api/w/${WS}/flow-runs/bulk`, {
      token,
      json: { do: 'replay', ids: some },
      headers: { 'idempotency-key': 'lost' },
    })
  expect((await replay(ids.slice(0, 1))).json).toEqual({ done: 1, failed: 0 })
  const answers = await Promise.all([replay(ids), replay(ids)])
  expect(answers.map(({ json }) => json)).toEqual([0, 1].map(() => ({ done: 2, failed: 0 })))
  const made = sql`SELECT count(*) AS n FROM flow_runs WHERE restarted_from IN (${ids[0] ?? ''}, ${ids[1] ?? ''})`
  expect(await app.deps.db.one(made)).toEqual({ n: 2 })
})

it('replays no run under a tag that the workspace no longer allows', async () => {
  const answer = await app.call('POST', `/api/w/${WS}/flows/run/hello/one?tag=trusted`, {
    token,
    json: {},
  })
  const { flow_run_id: id } = started.parse(answer.json)
  await bulk('cancel', [id])
  const allow = (tags: readonly string[] | null) =>
    app.call('PATCH', `/api/admin/workspaces/${WS}`, { token, json: { allowed_tags: tags } })
  await allow(['default'])
  const restart = await app.call('POST', `/api/w/${WS}/flow-runs/${id}/restart`, {
    token,
    json: { from_step: 'first' },
  })
  expect(restart).toMatchObject({ status: 403, json: { code: 'tag_not_allowed' } })
  expect((await bulk('replay', [id])).json).toEqual({ done: 0, failed: 1 })
  await allow(null)
  expect((await bulk('replay', [id])).json).toEqual({ done: 1, failed: 0 })
})

it('lets a member act on their own runs alone', async () => {
  const [own, other] = [await run(memberToken), await run()]
  expect((await bulk('cancel', [own, other], memberToken)).json).toEqual({ done: 1, failed: 1 })
  await bulk('cancel', [other])
  expect((await bulk('replay', [own, other], memberToken)).json).toEqual({ done: 1, failed: 1 })
  const restart = async (id: string) => {
    const path = `/api/w/${WS}/flow-runs/${id}/restart`
    return (await app.call('POST', path, { token: memberToken, json: { from_step: 'first' } }))
      .status
  }
  // else a member would repeat what others have approved, as the creator of the new run
  expect([await restart(other), await restart(own)]).toEqual([403, 201])
})

it('takes up to a hundred ids', async () => {
  expect(
    (
      await bulk(
        'replay',
        Array.from({ length: 101 }, () => UNKNOWN),
      )
    ).status,
  ).toBe(400)
  expect((await bulk('replay', [])).status).toBe(400)
})

it('replays and restarts no run of a deleted app', async () => {
  const id = await run()
  await bulk('cancel', [id])
  expect((await app.call('DELETE', `/api/w/${WS}/apps/hello`, { token })).status).toBe(204)
  expect((await bulk('replay', [id])).json).toEqual({ done: 0, failed: 1 })
  const path = `/api/w/${WS}/flow-runs/${id}/restart`
  const answer = await app.call('POST', path, { token, json: { from_step: 'first' } })
  expect(answer).toMatchObject({ status: 404, json: { code: 'app_not_found' } })
})
