/** Which tags a caller may give jobs, and which limits apply to a manifest [jobs 1.3, 10.2, 10.3]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { runOperations } from '#service/queue/run-operations.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const W = '/api/w/shop'
const RUN = `${W}/jobs/run/hello/greet`
const LIMITS = '/api/admin/workspaces/shop'

let app: TestApp
let root: string
let runner: string
let writer: string

const call = (method: string, path: string, token: string, json?: unknown): Promise<TestAnswer> =>
  app.call(method, path, { token, ...(json === undefined ? {} : { json }) })
const allow = (tags: readonly string[] | null): Promise<TestAnswer> =>
  call('PATCH', LIMITS, root, { allowed_tags: tags })
const jobIdOf = (answer: TestAnswer): string =>
  z.object({ job_id: z.uuid() }).parse(answer.json).job_id

beforeAll(async () => {
  app = await createTestApp()
  root = await app.token(['*'])
  await call('POST', '/api/admin/workspaces', root, { id: 'shop', name: 'Shop' })
  runner = await app.token(['jobs:run', 'jobs:read'], { ws: 'shop' })
  writer = await app.token(['jobs:run', 'jobs:read', 'apps:write', 'workspace:write'], {
    ws: 'shop',
  })
  await deployActions(app.deps, [{ ws: 'shop', app: 'hello', key: 'greet', tag: 'greetings' }])
})
afterAll(() => app.close())

describe('a token with jobs:run alone', () => {
  it.each([
    ['the manifest’s', 'greetings'],
    ['the workspace’s default', 'default'],
  ])('may name %s tag', async (_, tag) => {
    expect(await call('POST', `${RUN}?tag=${tag}`, runner, {})).toMatchObject({ status: 201 })
  })

  it.each([RUN, `${RUN}/wait`])('may not choose where its job runs: %s', async (path) => {
    const answer = await call('POST', `${path}?tag=trusted`, runner, {})
    expect(answer).toMatchObject({ status: 403, json: { code: 'tag_not_allowed' } })
    expect(answer.json).toMatchObject({ error: expect.stringContaining('greetings, default') })
  })

  it('may name the override once it is set', async () => {
    const override = `${W}/apps/hello/actions/greet`
    expect((await call('PATCH', override, writer, { tag_override: 'big' })).status).toBe(200)
    expect((await call('POST', `${RUN}?tag=big`, runner, {})).status).toBe(201)
    await call('PATCH', override, writer, { tag_override: null })
    expect((await call('POST', `${RUN}?tag=big`, runner, {})).status).toBe(403)
  })
})

describe('a token with apps:write', () => {
  it('may name any tag where none is excluded', async () => {
    expect((await call('POST', `${RUN}?tag=trusted`, writer, {})).status).toBe(201)
  })
})

describe('the tags that a super admin allows', () => {
  it('are for a super admin alone to set', async () => {
    expect((await call('PATCH', LIMITS, writer, { allowed_tags: ['x'] })).status).toBe(403)
  })

  it('are shown, audited, and refused when they are no tags', async () => {
    expect(await allow(['default', 'greetings'])).toMatchObject({
      status: 200,
      json: { allowed_tags: ['default', 'greetings'] },
    })
    expect((await call('PATCH', LIMITS, root, { allowed_tags: ['a b'] })).status).toBe(400)
    const audit = await call('GET', '/api/w/shop/audit', await app.token(['*'], { ws: 'shop' }))
    expect(audit.text).toContain('workspace.allowed_tags_set')
  })

  it('hold for runs, overrides, requeues and the default tag', async () => {
    await allow(null)
    const id = jobIdOf(await call('POST', RUN, runner, {}))
    await allow(['default', 'greetings'])
    const refused = { status: 403, json: { code: 'tag_not_allowed' } }
    expect(await call('POST', `${RUN}?tag=trusted`, writer, {})).toMatchObject(refused)
    const override = `${W}/apps/hello/actions/greet`
    expect(await call('PATCH', override, writer, { tag_override: 'trusted' })).toMatchObject(
      refused,
    )
    const requeue = `${W}/jobs/${id}/requeue`
    expect(await call('POST', requeue, writer, { tag: 'trusted' })).toMatchObject(refused)
    const workspace = `${W}/workspace`
    expect(await call('PATCH', workspace, writer, { default_tag: 'trusted' })).toMatchObject(
      refused,
    )
    expect((await call('POST', requeue, writer, { tag: 'default' })).status).toBe(200)
  })

  it('hold for a replay, which keeps the tag of its job', async () => {
    await allow(null)
    const id = jobIdOf(await call('POST', `${RUN}?tag=trusted`, writer, {}))
    await call('POST', `${W}/jobs/${id}/cancel`, writer)
    await allow(['default', 'greetings'])
    const replay = () => call('POST', `${W}/jobs/${id}/replay`, writer)
    expect(await replay()).toMatchObject({ status: 403, json: { code: 'tag_not_allowed' } })

    const bulk = { do: 'replay', filter: { ids: [id] } }
    const accepted = await call('POST', `${W}/jobs/bulk`, writer, bulk)
    await runOperations({ ...app.deps, ...enqueueDepsOf(app.deps) })
    const { operation_id } = z.object({ operation_id: z.uuid() }).parse(accepted.json)
    const operation = await call('GET', `${W}/operations/${operation_id}`, writer)
    expect(operation.json).toMatchObject({ matched: 1, done: 0, failed: 1 })

    await allow(['trusted'])
    expect((await replay()).status).toBe(201)
  })
})

describe('a manifest', () => {
  const deploy = async (fields: string): Promise<TestAnswer> => {
    const archive = await packApp({
      'app.yaml': `key: capped\nactions:\n  - key: a\n    entrypoint: a.ts\n    ${fields}\n`,
      'a.ts': 'export const main = () => 1',
    })
    const token = await app.token(['deployments:write'], { ws: 'shop' })
    return app.call('POST', `${W}/deployments`, { ...(await toUpload(archive)), token })
  }

  it.each([
    ['memoryMb: 65536', 'app.yaml:5:5 actions[0].memoryMb', 'SVC_JOB_MAX_MEMORY_MB'],
    ['memoryMb: 1048577', 'app.yaml:5:5 actions[0].memoryMb', 'SVC_JOB_MAX_MEMORY_MB'],
    ['timeoutS: 86401', 'app.yaml:5:5 actions[0].timeoutS', 'SVC_JOB_MAX_TIMEOUT_S'],
    ['tag: trusted', 'app.yaml:5:5 actions[0].tag', 'trusted'],
  ])('that asks for %s is refused with its place', async (fields, path, name) => {
    await allow(['default'])
    const answer = await deploy(fields)
    expect(answer).toMatchObject({ status: 422, json: { code: 'bad_manifest' } })
    expect(answer.json).toMatchObject({
      details: [{ path, message: expect.stringContaining(name) }],
    })
  })

  it('that asks for a level is pinned with it', async () => {
    expect((await deploy('minLevel: os')).status).toBe(201)
    const token = await app.token(['apps:read'], { ws: 'shop' })
    const actions = await call('GET', `${W}/apps/capped/actions`, token)
    expect(actions.json).toMatchObject({ items: [{ key: 'a', min_level: 'os' }] })
    expect((await deploy('minLevel: none')).status).toBe(422)
  })
})
