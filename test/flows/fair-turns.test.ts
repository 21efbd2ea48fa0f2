/** Rows that this node cannot process stay due. However many there are, they delay neither rows behind them nor other workspaces. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { createWaitTurns, endWaits } from '#service/flows/end-waits.ts'
import { createFlowEngine } from '#service/flows/engine.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { raw, sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const PLAIN = { key: 'plain', steps: [{ key: 'one', action: 'echo' }] }
const REST = { key: 'rest', steps: [{ key: 'nap', kind: 'sleep', forS: 86_400 }] }
const TELEPORT = { key: 'far', steps: [{ key: 'jump', kind: 'teleport', to: 'mars' }] }
/** More than any page. */
const MANY = 250
/** Its rows come first by workspace, too. */
const OTHER = 'another'

let caller: FlowCaller
const db = () => caller.app.deps.db

beforeAll(async () => {
  caller = await openFlowCaller({ flows: [PLAIN, REST], actions: { echo: (input) => input } })
  await createWorkspace(caller.app.deps, { id: OTHER, name: 'Other' })
})
afterAll(() => caller.app.close())
beforeEach(async () => {
  await caller.deploy([PLAIN, REST])
})

/** A node that was just started, so that it has read nothing yet. */
const freshDeps = () => {
  const deps = { ...caller.app.deps, flows: createFlowEngine(caller.app.deps) }
  return { ...deps, ...enqueueDepsOf(deps) }
}

/** Copies a row many times into another workspace, as if it had made all of them. */
const copyMany = async (table: string, id: string, changes: Readonly<Record<string, string>>) => {
  const found = await db().all(sql`SELECT name FROM pragma_table_info(${table})`)
  const key = table === 'job_inputs' ? 'job_id' : 'id'
  const names = found.map(({ name }) => String(name))
  const values = names.map((name) => changes[name] ?? name)
  await db().write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
      INSERT INTO ${raw(table)} (${raw(names.join(', '))})
      SELECT ${raw(values.join(', '))} FROM n, ${raw(table)} WHERE ${raw(key)} = ${id}`,
  ])
}
const asOther = { ws: `'${OTHER}'`, id: "id || '-' || i" }

/** Makes the run's flow one that only a newer svc can read, as that deploys it. */
const makeNewer = (runId: string) =>
  db().write([
    sql`UPDATE deployments SET manifest = ${JSON.stringify({ flows: [PLAIN, REST, TELEPORT] })}
      WHERE id = (SELECT deployment_id FROM flow_runs WHERE id = ${runId})`,
  ])

/** Starts a run that only a newer svc can continue, as if the other workspace had started many of them. */
const startUnreadable = async (): Promise<void> => {
  const id = await caller.start('rest')
  await makeNewer(id)
  await copyMany('flow_runs', id, asOther)
  await db().write([sql`DELETE FROM flow_runs WHERE id = ${id}`])
  await caller.deploy([PLAIN, REST])
}

test('waits that cannot be ended do not delay those of another workspace', async () => {
  await startUnreadable()
  const near = await caller.start('rest')
  await db().write([
    sql`UPDATE flow_runs SET wait_until = iif(id = ${near}, 2, 1) WHERE wait_until IS NOT NULL`,
  ])
  expect((await endWaits(freshDeps())).ended).toEqual([near])
})

test('nor do they delay others of their own workspace for more than some turns', async () => {
  const near = await caller.start('rest')
  await db().write([sql`UPDATE flow_runs SET wait_until = 2, ws = ${OTHER} WHERE id = ${near}`])
  const [deps, turns] = [freshDeps(), createWaitTurns()]
  expect((await endWaits(deps, turns)).ended).toEqual([])
  expect((await endWaits(deps, turns)).ended).toEqual([near])
})

test('marked subflows that cannot be canceled do not delay those of another workspace', async () => {
  const near = await caller.start('rest')
  await db().write([
    sql`UPDATE flow_runs SET cancel_reason = 'x', wait_until = NULL WHERE completed_at IS NULL`,
  ])
  await cancelMarkedRuns(freshDeps())
  expect((await caller.run(near)).status).toBe('canceled')
})

test('lost jobs that cannot be rescued do not delay those of another workspace', async () => {
  const run = await caller.start('plain')
  await makeNewer(run)
  const [job] = await caller.claim()
  const id = String(job?.id)
  await copyMany('jobs', id, { ...asOther, crash_limit: '0', lease_until: '1' })
  await copyMany('job_inputs', id, { job_id: "job_id || '-' || i" })
  await db().write([
    sql`DELETE FROM jobs WHERE id = ${id}`,
    sql`UPDATE flow_runs SET ws = ${OTHER} WHERE id = ${run}`,
  ])
  await caller.deploy([PLAIN, REST])
  const near = await caller.start('plain')
  await caller.claim()
  await db().write([sql`UPDATE jobs SET lease_until = 2 WHERE flow_run_id = ${near}`])
  const rescued = await rescueJobs(freshDeps())
  expect(rescued.map(({ status }) => status)).toEqual(['queued'])
})

test('events that cannot be read do not delay those of another workspace', async () => {
  const eventIds: string[] = []
  for (const data of [1, 2]) {
    const answer = await caller.call('POST', `/api/w/${WS}/events`, { name: 'paid', data })
    eventIds.push(z.object({ event_id: z.string() }).parse(answer.json).event_id)
  }
  const [bad = '', good = ''] = eventIds
  await copyMany('events', bad, { ...asOther, data: "'v2.AAAA'" })
  await db().write([sql`DELETE FROM events WHERE id = ${bad}`])
  await db().write([sql`UPDATE events SET pending = 1, at = at - iif(id = ${good}, 20000, 30000)`])
  await expect(deliverPendingEvents(freshDeps())).rejects.toThrow()
  const left = await db().all(sql`SELECT DISTINCT ws FROM events WHERE pending = 1`)
  expect(left).toEqual([{ ws: OTHER }])
})

test('schedules that cannot be fired do not delay those of another workspace', async () => {
  const make = async (target: object): Promise<string> => {
    const json = { app_key: APP, cron: '@every 1h', ...target }
    const answer = await caller.call('POST', `/api/w/${WS}/schedules`, json)
    return z.object({ id: z.string() }).parse(answer.json).id
  }
  const far = await make({ flow_key: 'plain' })
  await copyMany('schedules', far, asOther)
  await db().write([
    sql`DELETE FROM schedules WHERE id = ${far}`,
    sql`INSERT INTO apps (ws, key, name, deployment_id, created_at, updated_at)
      SELECT ${OTHER}, key, name, deployment_id, created_at, updated_at FROM apps WHERE ws = ${WS}`,
    sql`UPDATE deployments SET manifest = ${JSON.stringify({ flows: [TELEPORT] })}
      WHERE id = (SELECT deployment_id FROM apps WHERE ws = ${WS})`,
  ])
  await caller.deploy([PLAIN, REST])
  const near = await make({ action_key: 'echo' })
  await db().write([sql`UPDATE schedules SET next_fire_at = iif(id = ${near}, 2, 1)`])
  const firings = await fireDueSchedules(freshDeps(), { graceMs: 0 })
  const fired = firings.filter(({ outcome }) => outcome === 'fired')
  expect(fired.map(({ schedule }) => schedule.id)).toEqual([near])
})
