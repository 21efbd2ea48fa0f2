import { expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createEmptyApp, deleteApp } from '../apps/manage-app.ts'
import { deployFunctions } from './deploy-functions.ts'

const place = await workspaceForFile()

test('functions of an app that is deleted meanwhile are not reported as deployed', async () => {
  const actor = actorFor(ADMIN)
  await createEmptyApp(place.deps, { ws: WS, key: 'gone', name: 'gone', actor })
  const deps = overtakenBy(place.deps, () => deleteApp(place.deps, { ws: WS, key: 'gone', actor }))
  const bytes = new TextEncoder().encode('export default () => new Response()')
  const files = [{ path: 'functions/hello/index.ts', bytes }]
  const admitLate = async () => undefined
  const request = { ws: WS, app: 'gone', actor, admitLate, files, force: false }
  const deployed = deployFunctions(deps, request)
  await expect(deployed).rejects.toMatchObject({ code: 'app_not_found' })
})
