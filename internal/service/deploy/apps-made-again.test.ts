/** An app that is made while another node deletes one with its key has none of the schedules that are still to be deleted. */
import { beforeEach, expect, test } from 'vitest'
import { findApp } from '#store/apps/apps.ts'
import { sql } from '#store/sql.ts'
import { bundledApp, UPLOAD } from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createEmptyApp } from '../apps/manage-app.ts'
import { deployApps, toOne } from './deploy-app.ts'
import { redeployApp } from './redeploy-app.ts'

const place = await workspaceForFile()
const actor = actorFor(ADMIN)
const KEY = 'planned'
const app = bundledApp(KEY, 'v1')

/** Deletes the app, as far as the first write of a node that ends then. */
const removeApp = () => place.db.write([sql`DELETE FROM apps WHERE ws = ${WS} AND key = ${KEY}`])
const create = (deps: typeof place.deps) =>
  createEmptyApp(deps, { ws: WS, key: KEY, name: 'Planned', actor })

let formerId = ''
beforeEach(async () => {
  await removeApp()
  formerId = toOne(await deployApps(place.deps, [app], UPLOAD)).deploymentId
  await removeApp()
  await create(place.deps)
  await place.db.write([
    sql`INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
      VALUES ('left', ${WS}, ${KEY}, 'greet', '@hourly', 'UTC', '{}', 1, 9e15, ${ADMIN}, 0, 0)`,
  ])
})

test.each([
  { how: 'created', make: create },
  { how: 'deployed', make: (deps: typeof place.deps) => deployApps(deps, [app], UPLOAD) },
  {
    how: 'deployed again',
    make: (deps: typeof place.deps) =>
      redeployApp(deps, { ws: WS, id: formerId, message: null, actor }),
  },
])('$how', async ({ make }) => {
  await make(overtakenBy(place.deps, removeApp))
  expect(await findApp(place.db, WS, KEY)).not.toBeNull()
  expect(await place.db.all(sql`SELECT id FROM schedules WHERE app = ${KEY}`)).toEqual([])
})
