import { expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { administerWorkspace } from '../workspaces/administer-workspace.ts'
import { requeueJob } from './requeue-job.ts'

const FAR = Date.now() + 86_400_000
const actor = actorFor(ADMIN)

const place = await workspaceForFile()
await place.deploy({ key: 'greet' })

const requeue = (id: string, tag: string | null = null, ws = WS) =>
  requeueJob(place.deps, { ws, id, tag, actor })

test('a delayed job is due at once and its workers get a hint', async () => {
  const id = await place.enqueue({ scheduledFor: FAR })
  const heard: string[] = []
  const stop = place.deps.hints.jobQueued.subscribe((tag) => heard.push(tag))
  await requeue(id)
  stop()
  expect(heard).toEqual(['default'])
  expect((await place.claim(100)).map((job) => job.id)).toContain(id)
})

test('a job gets the tag that is named', async () => {
  const id = await place.enqueue()
  expect(await requeue(id, 'gpu')).toMatchObject({ tag: 'gpu' })
  expect((await place.claim(100, ['gpu'])).map((job) => job.id)).toEqual([id])
})

test('a running job is refused and nothing is on record', async () => {
  const id = await place.enqueue()
  await place.claim(100)
  const before = await place.audit()
  await expect(requeue(id)).rejects.toMatchObject({ kind: 'conflict', code: 'not_queued' })
  expect(await place.audit()).toEqual(before)
})

test('a job of another workspace is not found', async () => {
  const id = await place.enqueue()
  await expect(requeue(id, null, 'other')).rejects.toMatchObject({ kind: 'not_found' })
})

test('a tag that the workspace does not allow is refused', async () => {
  const id = await place.enqueue()
  await administerWorkspace(place.deps, { ws: WS, rules: { allowedTags: ['default'] }, actor })
  await expect(requeue(id, 'gpu')).rejects.toMatchObject({ code: 'tag_not_allowed' })
  await requeue(id)
  expect(await place.audit()).toContain(`job.requeued ${id}`)
})
