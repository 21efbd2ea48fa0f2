import { expect, test } from 'vitest'
import { findApp } from '#store/apps/apps.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createPinnedFlows } from './pinned-flows.ts'

const place = await workspaceForFile()

test('actions with large input schemas are read without blocking the event loop', async () => {
  const { db } = place.deps
  const names = Array.from({ length: 3_000 }, (_, at) => [`p${at}`, { type: 'string' }])
  const inputSchema = { type: 'object', properties: Object.fromEntries(names) }
  const keys = Array.from({ length: 50 }, (_, at) => `action-${at}`)
  const [first, ...others] = keys.map((key) => ({ ws: WS, app: 'shop', key, inputSchema }))
  if (first === undefined) throw new Error('There are no actions.')
  await deployActions(place.deps, [first, ...others])
  const { deploymentId = null } = (await findApp(db, WS, 'shop')) ?? {}
  if (deploymentId === null) throw new Error('Nothing is deployed.')
  const ms = await leastLongestTurnMs(() => createPinnedFlows(db).find(deploymentId))
  expect(ms).toBeLessThan(50)
  const { actions } = await createPinnedFlows(db).find(deploymentId)
  expect([...actions.keys()]).toEqual(keys.toSorted())
  expect(actions.get('action-7')?.inputSchema).toEqual(inputSchema)
})
