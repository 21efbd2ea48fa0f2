import { expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { readDeployments } from './list-deployments.ts'

const DEPLOYMENTS = 200

const place = await workspaceForFile()

test('many deployments with large manifests are listed without blocking the event loop', async () => {
  const { db } = place.deps
  const steps = Array.from({ length: 100 }, (_, at) => ({ key: `step-${at}`, action: 'run' }))
  const flows = Array.from({ length: 30 }, (_, at) => ({ key: `flow-${at}`, steps }))
  for (let at = 0; at < DEPLOYMENTS; at += 1) {
    await deployActions(place.deps, [{ ws: WS, app: 'shop', key: 'run' }], flows)
  }
  const filter = { app: 'shop', beforeId: null, limit: DEPLOYMENTS - 1 }
  const ms = await leastLongestTurnMs(() => readDeployments(place.deps, WS, filter), {
    enoughMs: 50,
  })
  expect(ms).toBeLessThan(50)
  const listed = await readDeployments(place.deps, WS, filter)
  const ids = await db.all(
    sql`SELECT id FROM deployments WHERE ws = ${WS} AND app = 'shop' ORDER BY id DESC LIMIT ${filter.limit}`,
  )
  expect(listed.map(({ id }) => id)).toEqual(ids.map(({ id }) => id))
  expect(listed.at(-1)).toMatchObject({ actions: ['run'], flows: flows.map(({ key }) => key) })
})
