/** A deployment enables the schedules whose target it brings back, however many there are. */
import { beforeEach, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { actionDefinition } from '../../../test/support/action-definition.ts'
import { bundledCode, UPLOAD } from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import type { ReadApp } from '../apps/read-app.ts'
import { deployApps, toOne } from '../deploy/deploy-app.ts'
import { redeployApp } from '../deploy/redeploy-app.ts'

const PAUSED = 1_000
const actor = actorFor(ADMIN)
const place = await workspaceForFile()

const appWith = (action: string): ReadApp => ({
  manifest: {
    key: 'shop',
    name: 'shop',
    actions: [actionDefinition(action)],
    flows: [],
    webhooks: [],
    schedules: [],
    events: [],
  },
  entries: [{ ...bundledCode('code'), entrypoint: `${action}.ts` }],
  functions: null,
  sources: new Map([['app.yaml', new TextEncoder().encode(action)]]),
  hash: `sha256:${action}`,
  warnings: [],
})

const enabled = async (): Promise<number> =>
  Number((await place.db.one(sql`SELECT sum(enabled) AS n FROM schedules WHERE app = 'shop'`))?.n)

/** Dependencies that count the schedules which each write enables. */
const counting = () => {
  const counts: number[] = []
  const write: typeof place.db.write = async (...args) => {
    const before = await enabled()
    const written = await place.db.write(...args)
    counts.push((await enabled()) - before)
    return written
  }
  return { counts, deps: { ...place.deps, db: { ...place.db, write } } }
}

const deploy = async (deps: typeof place.deps, action: string) =>
  toOne(await deployApps(deps, [appWith(action)], { ...UPLOAD, actor }))

beforeEach(async () => {
  await deploy(place.deps, 'other')
  await place.db.write([
    sql`DELETE FROM schedules`,
    sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${PAUSED})
      INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, disabled_reason, target_gone, created_by,
        created_at, updated_at)
      SELECT 's' || n, ${WS}, 'shop', iif(n % 2 = 0, 'greet', 'gone'), '@hourly', 'UTC', '{}', 0, 'gone', 1, ${ADMIN}, 0, 0 FROM n`,
  ])
})

const expectSmall = async (counts: readonly number[]): Promise<void> => {
  expect(await enabled()).toBe(PAUSED / 2)
  expect(Math.max(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThanOrEqual(100)
  const resumed = (await place.audit()).filter((entry) => entry.startsWith('schedule.resumed'))
  expect(new Set(resumed).size).toBe(PAUSED / 2)
}

test('few of them in each write', async () => {
  const { deps, counts } = counting()
  await deploy(deps, 'greet')
  await expectSmall(counts)
})

test('few of them in each write when a former deployment is started again', async () => {
  const former = await deploy(place.deps, 'greet')
  await deploy(place.deps, 'other')
  await place.db.write([
    sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, target_gone = 1`,
  ])
  const { deps, counts } = counting()
  await redeployApp(deps, { ws: WS, id: former.deploymentId, message: null, actor })
  await expectSmall(counts)
})

test('also those that an interrupted deployment left, when it is repeated without a change', async () => {
  await deploy(place.deps, 'greet')
  await place.db.write([
    sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, target_gone = 1 WHERE id > 's5'`,
  ])
  await deploy(place.deps, 'greet')
  expect(await enabled()).toBe(PAUSED / 2)
})
