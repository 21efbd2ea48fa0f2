/** Requests that deployments of the same app overtake. */
import { expect, test } from 'vitest'
import { bundledApp, UPLOAD } from '../../../test/support/bundled-app.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { BY, WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { startRun } from '../flows/start-run.ts'
import { enqueueBatch } from '../queue/enqueue-batch.ts'
import { enqueueDepsOf, enqueueJob } from '../queue/enqueue-job.ts'
import { deployApps } from './deploy-app.ts'

const place = await workspaceForFile()
const FLOW = { key: 'one', steps: [{ key: 'first', action: 'greet' }] }
const deploy = () => deployActions(place.deps, [{ ws: WS, app: 'busy', key: 'greet' }], [FLOW])
/** As many as land at once when several pipelines deploy one app. */
const BURST = 10
const busyDeps = () => overtakenBy(place.deps, deploy, BURST)

const run = {
  ws: WS,
  app: 'busy',
  action: 'greet',
  input: {},
  inputJson: '{}',
  triggerKind: 'api',
  createdBy: BY,
  permissionedAs: BY,
} as const

test.each<[string, () => Promise<unknown>]>([
  ['a job', () => enqueueJob(enqueueDepsOf(busyDeps()), run)],
  ['a batch', () => enqueueBatch(enqueueDepsOf(busyDeps()), WS, [run])],
  ['a flow run', () => startRun(busyDeps(), { ...run, flow: 'one' })],
  ['a deployment', () => deployApps(busyDeps(), [bundledApp('busy', 'new')], UPLOAD)],
])('%s is made during a burst of deployments', async (_, start) => {
  await deploy()
  await expect(start()).resolves.toBeDefined()
})
