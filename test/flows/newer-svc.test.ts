/** Rows that a newer svc wrote and this one cannot read stay unchanged for newer nodes, and hinder nothing else [wire 9.6]. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endWaits } from '#service/flows/end-waits.ts'
import { createFlowEngine } from '#service/flows/engine.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, FLOW_RUNS, FLOWS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const PLAIN = { key: 'plain', steps: [{ key: 'one', action: 'echo' }] }
const REST = { key: 'rest', steps: [{ key: 'nap', kind: 'sleep', forS: 86_400 }] }
const TELEPORT = { key: 'far', steps: [{ key: 'jump', kind: 'teleport', to: 'mars' }] }

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({ flows: [PLAIN, REST], actions: { echo: (input) => input } })
})
afterAll(() => caller.app.close())

/** A node that was just started, so that it has read nothing yet. */
const freshDeps = () => ({
  ...caller.app.deps,
  flows: createFlowEngine(caller.app.deps),
})

/** Writes it as a newer svc deploys it, because this version refuses the kind. */
const makeNewer = (runId: string) =>
  caller.app.deps.db.write([
    sql`UPDATE deployments SET manifest = ${JSON.stringify({ flows: [PLAIN, REST, TELEPORT] })}
      WHERE id = (SELECT deployment_id FROM flow_runs WHERE id = ${runId})`,
  ])

const statusOf = async (runId: string) =>
  (await caller.app.deps.db.one(sql`SELECT status, version FROM flow_runs WHERE id = ${runId}`)) ??
  {}

test('a job of such a flow cannot be ended, and its run does not fail', async () => {
  const id = await caller.start('plain')
  const [job] = await caller.claim()
  if (job === undefined) throw new Error('No job.')
  const before = await statusOf(id)
  await makeNewer(id)
  const end = completeJob(freshDeps(), {
    job,
    outcome: { kind: 'success', resultJson: '1' },
    retry: null,
    logs: [],
  })
  await expect(end).rejects.toMatchObject({ kind: 'unavailable', code: 'newer_svc' })
  expect(await statusOf(id)).toEqual(before)
})

test('its waits stay, and those of others end', async () => {
  const far = await caller.start('rest')
  await makeNewer(far)
  await caller.deploy([PLAIN, REST])
  const near = await caller.start('rest')
  await caller.app.deps.db.write([
    sql`UPDATE flow_runs SET wait_until = 1 WHERE wait_until IS NOT NULL`,
  ])
  expect((await endWaits(freshDeps())).ended).toEqual([near])
  expect(await statusOf(far)).toMatchObject({ status: 'running' })
})

test('its schedules stay due and enabled, and others fire', async () => {
  const { db } = caller.app.deps
  const make = async (target: object): Promise<void> => {
    const json = { app_key: APP, cron: '@every 1h', ...target }
    const answer = await caller.call('POST', `/api/w/${WS}/schedules`, json)
    expect(answer.status).toBe(201)
  }
  await make({ flow_key: 'plain' })
  await make({ action_key: 'echo' })
  await db.write([
    sql`UPDATE schedules SET next_fire_at = 1`,
    sql`UPDATE deployments SET manifest = ${JSON.stringify({ flows: [TELEPORT] })}
      WHERE id = (SELECT deployment_id FROM apps WHERE key = ${APP})`,
  ])
  const deps = freshDeps()
  const firings = await fireDueSchedules({ ...deps, ...enqueueDepsOf(deps) }, { graceMs: 0 })
  expect(firings.map(({ schedule, outcome }) => [schedule.flow, outcome])).toEqual(
    expect.arrayContaining([
      ['plain', 'left'],
      [null, 'fired'],
    ]),
  )
  const left = await db.one(sql`SELECT enabled, next_fire_at FROM schedules WHERE flow = 'plain'`)
  expect(left).toEqual({ enabled: 1, next_fire_at: 1 })
})

test('a request about it is answered 503, and a list leaves it out', async () => {
  await caller.deploy([TELEPORT])
  const answer = await caller.call('POST', `${FLOWS}/run/${APP}/far`, {})
  expect(answer).toMatchObject({ status: 503, json: { code: 'newer_svc' } })
  expect((await caller.call('GET', FLOWS)).status).toBe(200)
  expect((await caller.call('GET', `${FLOW_RUNS}?status=running`)).status).toBe(200)
})

/** Adds a field to the actions of the current deployment, as a newer svc stores it. */
const addField = (path: string) =>
  caller.app.deps.db.write([
    sql`UPDATE deployment_actions SET definition = json_set(definition, ${path}, 3)
      WHERE deployment_id = (SELECT deployment_id FROM apps WHERE key = ${APP})`,
  ])

test.each(['$.burst', '$.retry.burst', '$.concurrency.burst', '$.rate.burst', '$.expose.burst'])(
  'a run of an action with an unknown field %s is answered 503, also in a flow',
  async (path) => {
    await caller.deploy([PLAIN])
    await caller.app.deps.db.write([
      sql`UPDATE deployment_actions SET definition = json_set(definition,
          '$.retry', json('{"maxAttempts":1,"delayMs":1,"backoffFactor":1}'),
          '$.concurrency', json('{"limit":1,"key":"all"}'),
          '$.rate', json('{"limit":1,"perS":1,"key":"all"}'),
          '$.expose', json('{"mcp":true}'))
        WHERE deployment_id = (SELECT deployment_id FROM apps WHERE key = ${APP})`,
    ])
    await addField(path)
    const refused = { status: 503, json: { code: 'newer_svc' } }
    expect(await caller.call('POST', `/api/w/${WS}/jobs/run/${APP}/echo`, {})).toMatchObject(
      refused,
    )
    expect(await caller.call('POST', `${FLOWS}/run/${APP}/plain`, {})).toMatchObject(refused)
  },
)

test('a delivery to a webhook with an unknown field is answered 503', async () => {
  await caller.deploy([PLAIN])
  const hook = { key: 'paid', action: 'echo', verify: { scheme: 'none' }, ordered: true }
  await caller.app.deps.db.write([
    sql`UPDATE deployments SET manifest = ${JSON.stringify({ flows: [PLAIN], webhooks: [hook] })}
      WHERE id = (SELECT deployment_id FROM apps WHERE key = ${APP})`,
  ])
  const refused = { status: 503, json: { code: 'newer_svc' } }
  const address = `/hook/${WS}/${APP}/paid`
  expect(await caller.call('POST', address, {})).toMatchObject(refused)
  expect(await caller.call('GET', `/api/w/${WS}/webhooks`)).toMatchObject(refused)
})
