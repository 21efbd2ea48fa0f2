import { describe, expect, test } from 'vitest'
import { findCurrentAction } from '#store/apps/apps.ts'
import { sql } from '#store/sql.ts'
import { countingDatabase } from '../../../test/support/counting-database.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { administerWorkspace } from '../workspaces/administer-workspace.ts'
import { createEmptyApp, deleteApp, deletionOf, overrideTag } from './manage-app.ts'

const actor = actorFor(ADMIN)
const place = await workspaceForFile()
await place.deploy({ key: 'greet' })

const create = (key: string) => createEmptyApp(place.deps, { ws: WS, key, name: 'App', actor })
const remove = (key: string, ws = WS) => deleteApp(place.deps, { ws, key, actor })

const manySchedules = (app: string) =>
  sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
    INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
    SELECT ${app} || n, ${WS}, ${app}, 'b', '@hourly', 'UTC', '{}', 1, 9e15, ${ADMIN}, 0, 0 FROM n`
const schedulesOf = (app: string) => sql`SELECT count(*) AS n FROM schedules WHERE app = ${app}`

describe('an app', () => {
  test('is created without a deployment', async () => {
    expect(await create('shop')).toMatchObject({ key: 'shop', deploymentId: null })
  })

  test('is created once', async () => {
    await create('twice')
    await expect(create('twice')).rejects.toMatchObject({ code: 'app_exists' })
  })

  test.each(['', 'Shop', '-shop', 'a_b', 'x'.repeat(64)])(
    'with the key %j is refused',
    async (key) => {
      await expect(create(key)).rejects.toMatchObject({ kind: 'invalid' })
    },
  )

  test('is deleted with its actions, and its key is free again', async () => {
    await remove('hello')
    expect(await findCurrentAction(place.db, WS, 'hello', 'greet')).toBeNull()
    await expect(place.enqueue()).rejects.toMatchObject({ kind: 'not_found' })
    await place.deploy({ key: 'greet' })
    await place.enqueue()
  })

  test('is deleted with its schedules, few of them in each write', async () => {
    await create('planned')
    await place.db.write([manySchedules('planned')])
    const { db, counts } = countingDatabase(place.db, schedulesOf('planned'))
    await deleteApp({ ...place.deps, db }, { ws: WS, key: 'planned', actor })
    expect(await place.db.one(schedulesOf('planned'))).toEqual({ n: 0 })
    expect(Math.max(...counts())).toBeLessThan(300)
  })

  test('gets none of the schedules of one whose deletion is under way', async () => {
    await create('replanned')
    await place.db.write([manySchedules('replanned')])
    const deletion = deletionOf(place.deps, { ws: WS, key: 'replanned', actor })
    const deps = overtakenBy(place.deps, () => place.db.write(deletion))
    await createEmptyApp(deps, { ws: WS, key: 'replanned', name: 'App', actor })
    expect(await place.db.one(schedulesOf('replanned'))).toEqual({ n: 0 })
  })

  test('is deleted with the grants of very many customers, few of them in each write', async () => {
    for (const key of ['granted', 'kept']) await create(key)
    await place.db.write([
      sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 700)
        INSERT INTO consumers (id, ws, name, created_by, created_at, updated_at)
        SELECT 'c' || n, ${WS}, '', ${ADMIN}, 0, 0 FROM n`,
      sql`INSERT INTO consumer_grants (consumer_id, app, action) SELECT c.id, a.value, b.value
        FROM consumers c, json_each('["granted","kept"]') a, json_each('["x","y"]') b WHERE c.ws = ${WS}`,
    ])
    const grants = (app: string) =>
      sql`SELECT count(*) AS n FROM consumer_grants WHERE app = ${app}`
    const { db, counts } = countingDatabase(place.db, grants('granted'))
    await deleteApp({ ...place.deps, db }, { ws: WS, key: 'granted', actor })
    expect(counts()).toEqual([500, 500, 400])
    expect(await place.db.one(grants('kept'))).toEqual({ n: 1_400 })
  })

  test('keeps the grants of its customers if it is not deleted', async () => {
    await create('granted')
    await place.db.write([
      sql`INSERT INTO consumers (id, ws, name, created_by, created_at, updated_at) VALUES ('c', ${WS}, '', ${ADMIN}, 0, 0)`,
      sql`INSERT INTO consumer_grants (consumer_id, app, action) VALUES ('c', 'granted', 'x')`,
    ])
    const write: typeof place.db.write = async (batch, options) => {
      if (!Array.isArray(batch)) throw new Error('The database is away.')
      return place.db.write(batch, options)
    }
    const deps = { ...place.deps, db: { ...place.db, write } }
    const deletion = deleteApp(deps, { ws: WS, key: 'granted', actor })
    await expect(deletion).rejects.toThrow('The database is away.')
    const grants = sql`SELECT count(*) AS n FROM consumer_grants WHERE app = 'granted'`
    expect(await place.db.one(grants)).toEqual({ n: 1 })
  })

  test('of another workspace is not found', async () => {
    await expect(remove('hello', 'other')).rejects.toMatchObject({ code: 'app_not_found' })
  })
})

describe('the tag of an action', () => {
  const override = (tag: string | null) =>
    overrideTag(place.deps, { ws: WS, app: 'hello', action: 'greet', tag, actor })
  const tagOfNewJob = async () => (await place.row(await place.enqueue())).tag

  test('is overridden for new jobs, until it is taken back', async () => {
    await override('gpu')
    expect(await tagOfNewJob()).toBe('gpu')
    await override(null)
    expect(await tagOfNewJob()).toBe('default')
  })

  test('is one that the workspace allows', async () => {
    const rules = { allowedTags: ['default'] }
    await administerWorkspace(place.deps, { ws: WS, rules, actor })
    await expect(override('gpu')).rejects.toMatchObject({ code: 'tag_not_allowed' })
    await override(null)
  })

  test('is not overridden if the app has no such action', async () => {
    const of = (app: string, action: string) =>
      overrideTag(place.deps, { ws: WS, app, action, tag: 'default', actor })
    await expect(of('hello', 'gone')).rejects.toThrow('Action "gone" of app "hello" not found')
    await expect(of('none', 'greet')).rejects.toMatchObject({ kind: 'not_found' })
    expect(await place.db.all(sql`SELECT action FROM action_overrides`)).toEqual([])
    expect(
      await place.db.all(
        sql`SELECT 1 FROM audit_log WHERE action = 'tag_override.set' AND target = 'hello/gone'`,
      ),
    ).toEqual([])
  })
})
