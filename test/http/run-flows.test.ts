/** POST run and wait of a flow, as callers see it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const RUN = `/api/w/${WS}/flows/run/shop`

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['flows:run', 'flows:read', 'flows:resume', 'apps:write'])
  await deployActions(
    app.deps,
    [{ ws: WS, app: 'shop', key: 'ship' }],
    [
      { key: 'order', steps: [{ key: 'a', kind: 'action', action: 'ship' }] },
      { key: 'asks', steps: [{ key: 'ok', kind: 'approval', approval: {} }] },
    ],
  )
})
afterAll(() => app.close())

const post = (path: string, json: unknown = {}, more: object = {}) =>
  app.call('POST', path, { token, json, ...more })
const started = z.object({ flow_run_id: z.uuid(), status: z.string() })

const claim = async (tag: string) => {
  const request = { worker: 'w1', tags: [tag], limit: 1, leaseMs: 60_000 }
  return vi.waitFor(
    async () => {
      const [job] = await claimJobs(app.deps, request)
      if (job === undefined) throw new Error(`No job waits under ${tag}.`)
      return job
    },
    { timeout: 10_000, interval: 20 },
  )
}

describe('POST run and wait of a flow', () => {
  it.each(['0', '30001', 'x', ''])('refuses timeout_ms=%s and starts nothing', async (value) => {
    const before = await app.deps.db.one(sql`SELECT count(*) AS n FROM flow_runs`)
    const answer = await post(`${RUN}/order/wait?timeout_ms=${value}`)
    expect(answer).toMatchObject({ status: 400, json: { error: expect.any(String) } })
    expect(await app.deps.db.one(sql`SELECT count(*) AS n FROM flow_runs`)).toEqual(before)
  })

  it.each([
    ['an unknown flow', `${RUN}/nothing/wait`, {}, 404, 'flow_not_found'],
    ['a list', `${RUN}/order/wait`, [], 400, 'not_an_object'],
  ])('refuses %s', async (_, path, json, status, code) => {
    expect(await post(path, json)).toMatchObject({ status, json: { code } })
  })

  it('is 202 with the id when the run is not over in time', async () => {
    const answer = await post(`${RUN}/asks/wait?timeout_ms=1`)
    expect(answer.status).toBe(202)
    const { flow_run_id: id, status } = started.parse(answer.json)
    expect(status).toBe('pending')
    const run = await app.call('GET', `/api/w/${WS}/flow-runs/${id}`, { token })
    expect(run.json).toMatchObject({ status: 'waiting_approval' })
  })

  it.each([
    [
      'completed',
      { kind: 'success', resultJson: '{"parcel":7}' },
      { result: { parcel: 7 }, error: null },
    ],
    [
      'failed',
      { kind: 'failure', error: { name: 'Broken', message: 'no stock' }, isFinal: true },
      { result: null, error: { name: 'Broken', message: 'no stock' } },
    ],
  ] as const)('is 200 as soon as the run is over: %s', async (status, outcome, rest) => {
    const waiting = post(`${RUN}/order/wait?tag=${status}`)
    const job = await claim(status)
    await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
    const answer = await waiting
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ flow_run_id: job.flow?.runId, status, ...rest })
  })

  it('is 200 with the reason when the run is canceled', async () => {
    const waiting = post(`${RUN}/order/wait?tag=canceled`)
    const job = await claim('canceled')
    const json = { reason: 'Enough.' }
    await app.call('POST', `/api/w/${WS}/flow-runs/${job.flow?.runId}/cancel`, { token, json })
    await completeJob(app.deps, { job, outcome: { kind: 'canceled' }, retry: null, logs: [] })
    const answer = await waiting
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      flow_run_id: job.flow?.runId,
      status: 'canceled',
      result: null,
      error: { name: 'Canceled', message: 'Enough.' },
    })
  })

  it('answers the same run again for an equal Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'order-7' }
    const first = post(`${RUN}/order/wait?tag=again`, { n: 7 }, { headers })
    const job = await claim('again')
    const outcome = { kind: 'success', resultJson: '1' } as const
    await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
    const again = await post(`${RUN}/order/wait?tag=again`, { n: 7 }, { headers })
    expect(again.json).toEqual((await first).json)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await post(`${RUN}/order/wait?tag=again`, { n: 8 }, { headers })).toMatchObject({
      status: 409,
      json: { code: 'idempotency_key_reused' },
    })
  })

  it('is 401 without the result when the credential ends meanwhile', async () => {
    const issued = await app.issue(['flows:run', 'apps:write'])
    const waiting = post(`${RUN}/order/wait?tag=revoked`, {}, { token: issued.text })
    const job = await claim('revoked')
    await app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1 WHERE id = ${issued.token.id}`])
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000)
    const outcome = { kind: 'success', resultJson: '"secret"' } as const
    await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
    expect(await waiting).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
    later.mockRestore()
  })
})
