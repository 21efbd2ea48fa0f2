/** Starts of runs whose answer from the database is lost, so that the write is repeated after the run has moved on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
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
    actions: { act: () => 'done' },
    flows: [{ key: 'one', steps: [{ key: 'a', action: 'act' }] }],
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
