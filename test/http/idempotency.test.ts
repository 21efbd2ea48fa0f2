/** `Idempotency-Key` [wire 5]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unavailable } from '#core/error.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import { sql } from '#store/sql.ts'
import { type TestAnswer, type TestRequest, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { JOBS, type JobCaller, jobIdOf, openJobCaller, RUN } from '../support/job-caller.ts'

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
})
afterAll(() => caller.close())

type Keyed = Readonly<{ path?: string } & TestRequest>
const keyed = (key: string, json: unknown, { path = RUN, ...more }: Keyed = {}) =>
  caller.run(json, path, { headers: { 'idempotency-key': key }, ...more })
const isReplay = ({ headers }: TestAnswer): boolean =>
  headers.get('idempotency-replayed') === 'true'
const countJobs = async (tag: string): Promise<unknown> =>
  (await caller.app.deps.db.one(sql`SELECT count(*) AS n FROM jobs WHERE tag = ${tag}`))?.n

describe('an Idempotency-Key', () => {
  it('gives the first answer again, marked as such', async () => {
    const first = await keyed('once', { n: 1 })
    const second = await keyed('once', { n: 1 })
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect([isReplay(first), isReplay(second)]).toEqual([false, true])
  })

  it('makes one job of many requests at once', async () => {
    const path = `${RUN}?tag=burst`
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => keyed('burst', { n: 1 }, { path })),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(await countJobs('burst')).toBe(1)
  })

  it('with another body is 409, and its job stays alone', async () => {
    const path = `${RUN}?tag=other-body`
    await keyed('body', { n: 1 }, { path })
    expect(await keyed('body', { n: 2 }, { path })).toMatchObject({
      status: 409,
      json: { code: 'idempotency_key_reused' },
    })
    expect(await countJobs('other-body')).toBe(1)
  })

  it('belongs to a credential and a route', async () => {
    const first = await keyed('mine', { name: 'a' })
    const other = await keyed(
      'mine',
      { name: 'a' },
      { token: await caller.app.token(['jobs:run']) },
    )
    const route = await keyed('mine', { name: 'a' }, { path: `${JOBS}/run/hello/strict` })
    expect(new Set([first.text, other.text, route.text]).size).toBe(3)
  })

  it('holds for 24 hours', async () => {
    const age = (ms: number) =>
      caller.app.deps.db.write([
        sql`UPDATE idempotency_keys SET created_at = created_at - ${ms} WHERE key = 'aging'`,
      ])
    const first = await keyed('aging', {})
    await age(86_390_000)
    expect((await keyed('aging', {})).text).toBe(first.text)
    await age(20_000)
    const later = await keyed('aging', { n: 2 })
    expect(later.status).toBe(201)
    expect(later.text).not.toBe(first.text)
  })

  it('of a refused request is free again', async () => {
    expect((await keyed('refused', {}, { path: `${JOBS}/run/hello/strict` })).status).toBe(400)
    const accepted = await keyed('refused', { name: 'a' }, { path: `${JOBS}/run/hello/strict` })
    expect(accepted.status).toBe(201)
    expect(isReplay(accepted)).toBe(false)
  })

  it('gives the first answer also when a later deployment would refuse the request', async () => {
    const action = { ws: WS, app: 'moved', key: 'act' }
    const path = `${JOBS}/run/moved/act`
    await deployActions(caller.app.deps, [action])
    const first = await keyed('moved', { n: 1 }, { path })
    await deployActions(caller.app.deps, [{ ...action, inputSchema: { required: ['new'] } }])
    expect(await keyed('moved', { n: 1 }, { path })).toMatchObject({
      status: 201,
      text: first.text,
    })
    expect((await keyed('moved', { n: 2 }, { path })).status).toBe(409)
    await deployActions(caller.app.deps, [{ ...action, key: 'renamed' }])
    expect(await keyed('moved', { n: 1 }, { path })).toMatchObject({
      status: 201,
      text: first.text,
    })
  })

  it('gives the first answer also while too many inputs are checked', async () => {
    const { deps } = caller.app
    // a check of the input takes more steps than the main thread makes
    const inputSchema = { pattern: '^((a{100}){10})*$' }
    await deployActions(deps, [{ ws: WS, app: 'checked', key: 'act', inputSchema }])
    const input = 'a'.repeat(2_000)
    const by = { triggerKind: 'api', createdBy: 'test', permissionedAs: 'test' } as const
    const start = (from: typeof deps, key: string) =>
      enqueueJob(enqueueDepsOf(from), {
        ...{
          ws: WS,
          app: 'checked',
          action: 'act',
          input,
          inputJson: JSON.stringify(input),
          ...by,
        },
        idempotency: { credential: 'one', route: 'run', key, bodyHash: 'same' },
      })
    const { jobId } = await start(deps, 'checked')
    const checkInput = () => Promise.reject(unavailable('Too many.'))
    const busy = { ...deps, manifests: { ...deps.manifests, checkInput } }
    expect(await start(busy, 'checked')).toEqual({ jobId, replayed: true })
    await expect(start(busy, 'new')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each(['x'.repeat(256)])('is 1 to 255 characters long', async (key) => {
    expect((await keyed(key, {})).status).toBe(400)
    expect((await keyed(key.slice(1), {})).status).toBe(201)
  })

  it('on run and wait waits for the one job and answers as the first', async () => {
    const path = `${RUN}/wait?tag=both&timeout_ms=30000`
    const claimed = caller.claimNext('both')
    const answers = Promise.all([
      keyed('wait', { n: 1 }, { path }),
      keyed('wait', { n: 1 }, { path }),
    ])
    const job = await claimed
    await caller.end(job, { kind: 'success', resultJson: '"done"' })
    for (const { status, json } of [...(await answers), await keyed('wait', { n: 1 }, { path })]) {
      expect({ status, json }).toEqual({
        status: 200,
        json: { job_id: job.id, status: 'success', result: 'done' },
      })
    }
    expect(jobIdOf(await keyed('wait', { n: 1 }, { path: `${RUN}?tag=both` }))).toBe(job.id)
  })
})
