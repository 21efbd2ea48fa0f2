/** The webhook trigger as an outside system sees it, and the input that its script gets [jobs 11]. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SandboxRun } from '#sandbox/sandbox.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const LIMIT = 4_096
let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp({ maxBodyBytes: LIMIT })
  token = await app.token(['webhooks:invoke'])
  await deployActions(app.deps, [{ ws: WS, app: 'shop', key: 'paid' }])
})
afterAll(() => app.close())

const HOOK = `/api/w/${WS}/jobs/webhook/shop/paid`
const accepted = z.object({ job_id: z.uuid() })

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  app.call('POST', HOOK, { token, body, headers })

/** What the sandbox gets for the oldest waiting job. */
const nextRun = async (): Promise<SandboxRun> => {
  const [job] = await claimJobs(app.deps, {
    worker: 'w1',
    tags: ['default'],
    limit: 1,
    leaseMs: 60_000,
  })
  if (job === undefined) throw new Error('No job waits.')
  const runs: SandboxRun[] = []
  const sandbox = {
    name: 'fake',
    level: 'none' as const,
    run: async (run: SandboxRun) => {
      runs.push(run)
      return { kind: 'success', resultJson: '1' } as const
    },
    close: async () => undefined,
  }
  const runner = createJobRunner({ ...app.deps, sandbox, baseUrl: 'http://svc.test' })
  const { signal } = new AbortController()
  const action = await runner.findAction(job)
  await runner.run({ job, action, onLog: () => undefined, signal })
  const [run] = runs
  if (run === undefined) throw new Error('The sandbox was not called.')
  return run
}

describe('POST webhook', () => {
  it('queues any body, and the script gets it as text, twice', async () => {
    for (const body of ['{"a": 1}', 'plain', '', '<xml/>', '\ufeffwith a mark', 'ä €\n"quoted"']) {
      const answer = await send(body)
      expect(answer.status).toBe(201)
      const { job_id } = accepted.parse(answer.json)
      const run = await nextRun()
      expect(run.job.id).toBe(job_id)
      expect(JSON.parse(run.inputJson)).toBe(body)
      expect(run.trigger).toMatchObject({ kind: 'webhook', raw: body, encoding: 'utf8' })
    }
  })

  it('carries bytes that are not UTF-8 as base64, and marks them', async () => {
    const bytes = new Uint8Array([0xff, 0x00, 0xfe, 0x80])
    expect((await send(bytes)).status).toBe(201)
    expect((await nextRun()).trigger).toMatchObject({ raw: '/wD+gA==', encoding: 'base64' })
  })

  it('keeps the headers in a replay whose input is not a text, with its JSON as the body', async () => {
    const { job_id } = accepted.parse((await send(new Uint8Array([0xff]), { 'x-sign': 's' })).json)
    const runner = await app.token(['jobs:run'])
    await app.call('POST', `/api/w/${WS}/jobs/${job_id}/cancel`, { token: runner })
    const replay = await app.call('POST', `/api/w/${WS}/jobs/${job_id}/replay`, {
      token: runner,
      json: { input: { id: 7 } },
    })
    expect(replay.status).toBe(201)
    expect((await nextRun()).trigger).toMatchObject({
      kind: 'webhook',
      raw: '{"id":7}',
      headers: { 'X-Sign': 's' },
      encoding: 'utf8',
    })
  })

  it('shows the job as a webhook job of the token’s owner', async () => {
    const { job_id } = accepted.parse((await send('x')).json)
    const reader = await app.token(['jobs:read'])
    const job = await app.call('GET', `/api/w/${WS}/jobs/${job_id}`, { token: reader })
    expect(job.json).toMatchObject({ trigger_kind: 'webhook', created_by: 'admin@localhost' })
    await nextRun()
  })

  it('keeps the headers that a signature check needs, and no credential', async () => {
    const base = await app.listen()
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(`${base}${HOOK}`, { method: 'POST' }, (response) => {
        response.resume().on('end', resolve)
      })
      request.on('error', reject)
      request.setHeader('Authorization', `Bearer ${token}`)
      request.setHeader('Cookie', 'a=b')
      request.setHeader('x-hub-signature-256', 'sha256=abc')
      request.setHeader('X-Twice', ['one', 'two'])
      request.setHeader('X-Long', 'v'.repeat(2_000))
      request.end('body')
    })
    const { trigger } = await nextRun()
    expect(trigger.headers).toMatchObject({
      'X-Hub-Signature-256': 'sha256=abc',
      'X-Twice': 'one,two',
      'X-Long': 'v'.repeat(1_024),
    })
    expect(Object.keys(trigger.headers ?? {})).not.toContain('Authorization')
    expect(Object.keys(trigger.headers ?? {})).not.toContain('Cookie')
  })

  it('takes a token for webhooks or for everything, and no other', async () => {
    const post = async (scopes: Parameters<TestApp['token']>[0]) =>
      (await app.call('POST', HOOK, { token: await app.token(scopes), body: 'x' })).status
    expect(await post(['jobs:run'])).toBe(403)
    expect(await post([])).toBe(403)
    expect(await post(['*'])).toBe(201)
    await nextRun()
    const run = `/api/w/${WS}/jobs/run/shop/paid`
    expect((await app.call('POST', run, { token, json: {} })).status).toBe(403)
  })

  it('replays under an Idempotency-Key, and refuses another body under it', async () => {
    const headers = { 'idempotency-key': 'delivery-1' }
    const first = await send('one', headers)
    const again = await send('one', headers)
    expect(again).toMatchObject({ status: 201, json: first.json })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('two', headers)).status).toBe(409)
    await nextRun()
  })

  it('refuses an unknown target and a body over the limit', async () => {
    const to = (path: string) => app.call('POST', path, { token, body: 'x' })
    expect((await to(HOOK.replace('paid', 'gone'))).status).toBe(404)
    expect((await to(HOOK.replace('shop', 'none'))).status).toBe(404)
    expect((await to(HOOK.replace('paid', 'a b'))).status).toBe(400)
    expect((await send('x'.repeat(LIMIT + 1))).status).toBe(413)
  })
})
