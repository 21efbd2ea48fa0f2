/** A replay pins the deployment of its job, which may be deleted after the job, and may replace the input. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { BY, WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { adminSession } from '../../../test/support/principals.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { cancelJob } from './cancel-job.ts'
import { enqueueDepsOf, enqueueJob } from './enqueue-job.ts'
import { replayJob } from './replay-job.ts'

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
})
afterEach(() => place.close())

test('a replay that pins a deployment is refused if its job was deleted meanwhile', async () => {
  const pinnedDeployment = await place.deploy({ key: 'greet' })
  const id = await place.enqueue()
  const deps = overtakenBy(enqueueDepsOf(place.deps), () =>
    place.db.write([
      sql`DELETE FROM job_inputs WHERE job_id = ${id}`,
      sql`DELETE FROM jobs WHERE id = ${id}`,
    ]),
  )
  const replay = enqueueJob(deps, {
    ws: WS,
    app: 'hello',
    action: 'greet',
    input: null,
    inputJson: 'null',
    triggerKind: 'api',
    createdBy: BY,
    permissionedAs: BY,
    replayOf: id,
    pinnedDeployment,
  })
  await expect(replay).rejects.toMatchObject({ kind: 'not_found' })
  expect(await place.db.all(sql`SELECT id FROM jobs`)).toEqual([])
})

test.each([3, null, 'text', []])('an object is not replaced by %j', async (input) => {
  await place.deploy({ key: 'greet' })
  const id = await place.enqueue()
  const caller = adminSession(BY)
  await cancelJob(place.deps, { ws: WS, id, caller, reason: null })
  const deps = { ...place.deps, ...enqueueDepsOf(place.deps) }
  const replay = { ws: WS, id, caller, holdsAppsWrite: true, commit: 'pinned', input } as const
  await expect(replayJob(deps, replay)).rejects.toMatchObject({ code: 'not_an_object' })
})
