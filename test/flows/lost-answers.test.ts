/** Starts of runs and approvals whose answer from the database is lost, so that the write is repeated after the run has moved on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

let caller: FlowCaller
let meanwhile: (() => Promise<unknown>) | null = null

/** Repeats a write as a connection does after a timeout. */
const repeating = (db: Database): Database => ({
  ...db,
  write: async (batch, options) => {
    const answer = await db.write(batch, options)
    const between = meanwhile
    if (between === null) return answer
    meanwhile = null
    await between()
    return db.write(batch, options)
  },
})

beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { act: () => 'done', tell: () => 'told' },
    flows: [
      { key: 'one', steps: [{ key: 'a', action: 'act' }] },
      { key: 'refuse', steps: [{ key: 'ok', kind: 'approval' }] },
      {
        key: 'ask',
        steps: [
          { key: 'ok', kind: 'approval', onReject: 'continue' },
          { key: 'then', action: 'act' },
        ],
      },
    ],
    app: { checksBatches: false, wrapDatabase: repeating },
  })
})
afterAll(() => caller.app.close())

it('answers the run that was started, and starts no other', async () => {
  meanwhile = () => caller.work()
  const id = await caller.start('one')
  expect(await caller.run(id)).toMatchObject({ status: 'completed', result: 'done' })
  const runs = await caller.app.deps.db.all(sql`SELECT id FROM flow_runs`)
  expect(runs).toEqual([{ id }])
})

it('answers the run that was restarted', async () => {
  const first = await caller.start('one')
  await caller.work()
  meanwhile = () => caller.work()
  const answer = await caller.call('POST', `${FLOW_RUNS}/${first}/restart`, { from_step: 'a' })
  expect(answer.status).toBe(201)
  const { json } = await caller.call('GET', FLOW_RUNS)
  expect(json).toMatchObject({
    items: [{ restarted_from: first, status: 'completed' }, { id: first }, {}],
  })
})

it.each(['approve', 'reject'])('answers %s by the run that it has moved on', async (decision) => {
  const email = `${decision}@example.com`
  await createUser(caller.app.deps, { email, password: null, isSuperAdmin: false })
  await addMember(caller.app.deps, { ws: WS, email, role: 'member' })
  const token = await caller.app.token(['flows:resume', 'flows:read'], { email })
  const id = await caller.start('ask')
  meanwhile = () => caller.work()
  const answer = () => caller.call('POST', `${FLOW_RUNS}/${id}/${decision}`, {}, { token })
  const first = await answer()
  expect(first).toMatchObject({ status: 200, json: { status: 'completed' } })
  const { steps } = await caller.run(id)
  expect(steps[0]?.approvals).toMatchObject([{ approver: email, decision }])
  if (decision === 'reject') expect(steps[0]?.approvals?.[0]?.values).toBeNull()
  expect((await answer()).status).toBe(409)
})

it('wakes workers for the first job of the run', async () => {
  const woken: string[] = []
  const stop = caller.app.deps.hints.jobQueued.subscribe((tag) => woken.push(tag))
  meanwhile = async () => undefined
  await caller.start('one')
  stop()
  expect(woken).toEqual(['default'])
})

it('wakes workers for the error handler of a run that fails', async () => {
  const token = await caller.app.token(['*'])
  const settings = { token, json: { error_handler: 'shop/tell' } }
  await caller.app.call('PATCH', `/api/w/${WS}/workspace`, settings)
  const id = await caller.start('refuse')
  const woken: string[] = []
  const stop = caller.app.deps.hints.jobQueued.subscribe((tag) => woken.push(tag))
  meanwhile = async () => undefined
  const rejected = await caller.call('POST', `${FLOW_RUNS}/${id}/reject`, {}, { token })
  stop()
  expect(rejected).toMatchObject({ status: 200, json: { status: 'failed' } })
  expect(woken).toEqual(['default'])
})
