/** GET /workers: the workers that serve a workspace, and the jobs that none of them may claim. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { createTestApp, TEST_WORKER, type TestApp } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const W = '/api/w/shop'
let app: TestApp
let root: string
let token: string
beforeAll(async () => {
  app = await createTestApp()
  root = await app.token(['*'])
  await app.call('POST', '/api/admin/workspaces', {
    token: root,
    json: { id: 'shop', name: 'Shop' },
  })
  token = await app.token(['jobs:run', 'apps:write', 'workers:read'], { ws: 'shop' })
  await deployActions(app.deps, [
    { ws: 'shop', app: 'hello', key: 'plain' },
    { ws: 'shop', app: 'hello', key: 'strict', minLevel: 'os' },
  ])
})
afterAll(() => app.close())

const unserved = z.object({
  unserved: z.array(z.looseObject({ job_id: z.uuid(), action: z.string(), reason: z.string() })),
  workers: z.array(z.looseObject({ name: z.string(), workspaces: z.array(z.string()) })),
})
const run = async (action: string, query = '') => {
  const path = `${W}/jobs/run/hello/${action}${query}`
  const answer = await app.call('POST', path, { token, json: {} })
  return z.object({ job_id: z.uuid() }).parse(answer.json).job_id
}
const read = async () => unserved.parse((await app.call('GET', `${W}/workers`, { token })).json)

it('lists the jobs that no live worker may take, each with its reason', async () => {
  await run('plain')
  const strict = await run('strict')
  const far = await run('plain', '?tag=gpu')
  expect((await read()).unserved).toEqual([
    {
      job_id: strict,
      app: 'hello',
      action: 'strict',
      tag: 'default',
      min_level: 'os',
      reason: 'No live worker with the tag "default" has isolation level os or higher.',
    },
    {
      job_id: far,
      app: 'hello',
      action: 'plain',
      tag: 'gpu',
      min_level: 'none',
      reason: 'No live worker has the tag "gpu".',
    },
  ])
})

it('lists jobs whose tag the workspace may no longer use', async () => {
  const json = { allowed_tags: ['gpu'] }
  await app.call('PATCH', '/api/admin/workspaces/shop', { token: root, json })
  expect((await read()).unserved.map(({ reason }) => reason)).toContain(
    'The tag "default" is not allowed in this workspace.',
  )
})

it('shows a workspace its own workers, and no name of another workspace', async () => {
  const ping = (id: string, workspaces: readonly string[]) =>
    sql`INSERT INTO nodes (id, role, name, host, version, worker, started_at, pinged_at)
       VALUES (${id}, 'worker', ${id}, 'h', '1', ${JSON.stringify({ ...TEST_WORKER, group: 'g', tags: ['gpu'], workspaces })}, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))`
  await app.deps.db.write([ping('ours', ['secret-bank', 'shop']), ping('theirs', ['secret-bank'])])
  const { workers } = await read()
  expect(workers.map(({ name, workspaces }) => [name, workspaces])).toEqual([
    ['ours', ['shop']],
    ['w1', []],
  ])
})
