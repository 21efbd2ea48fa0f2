/** Webhooks as senders call them, signed by the senders' own packages, and as their owners see them [webhooks 2 to 6]. */
import { sign } from '@octokit/webhooks-methods'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const SECRET = 'whsec_only_for_tests'
const LIMIT = 4_096

/** What happens to the next writes: nothing, or the effect of a crash before or after the commit. */
let crash: 'no' | 'before' | 'after' = 'no'
const died = () => new DatabaseError('The node died.', { kind: 'unavailable', outcome: 'unknown' })
const crashing = (db: Database): Database => ({
  ...db,
  write: async (batch, options) => {
    if (crash === 'before') throw died()
    const results = await db.write(batch, options)
    if (crash === 'after') throw died()
    return results
  },
})

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp({
    maxBodyBytes: LIMIT,
    wrapDatabase: crashing,
    rates: { anonymous: 1, hook: 1_000 },
  })
  token = await app.token(['*'])
  const verify = { scheme: 'github', secret: ['HOOK_SECRET'] }
  const none = { scheme: 'none' }
  await deployActions(
    app.deps,
    [
      { ws: WS, app: 'shop', key: 'paid' },
      { ws: WS, app: 'shop', key: 'strict', inputSchema: { type: 'object' } },
      { ws: WS, app: 'shop', key: 'quiet', debounce: { key: 'all', quietS: 60, maxS: 60 } },
    ],
    [{ key: 'order', steps: [{ key: 'pay', action: 'paid' }] }],
    [
      {
        key: 'stripe',
        action: 'paid',
        verify: { scheme: 'stripe', secret: ['HOOK_SECRET'] },
        dedupe: { body: 'id' },
      },
      { key: 'github', action: 'paid', verify, dedupe: { header: 'x-github-delivery' } },
      { key: 'slack', action: 'paid', verify: { scheme: 'slack', secret: ['HOOK_SECRET'] } },
      {
        key: 'ping',
        action: 'paid',
        verify: { scheme: 'token', secret: ['HOOK_SECRET'], header: 'x-ping' },
      },
      { key: 'unset', action: 'paid', verify: { scheme: 'github', secret: ['NOT_SET'] } },
      { key: 'strict', action: 'strict', verify: none },
      { key: 'json', action: 'strict', verify: none, input: 'json' },
      { key: 'json-flow', flow: 'order', verify: none, input: 'json', dedupe: { body: 'id' } },
      { key: 'order', flow: 'order', verify: none, dedupe: { body: 'id' } },
      { key: 'wait', action: 'paid', verify: none, respond: { waitS: 5 } },
      { key: 'wait-flow', flow: 'order', verify: none, respond: { waitS: 5 } },
      { key: 'late', action: 'paid', verify: none, respond: { waitS: 1 } },
      { key: 'quiet', action: 'quiet', verify: none, input: 'json' },
    ],
  )
  await setVariable(app.deps, {
    ws: WS,
    key: 'HOOK_SECRET',
    value: SECRET,
    isSecret: true,
    actor: CLI_ACTOR,
  })
})
afterAll(() => app.close())

const HOOK = `/hook/${WS}/shop`
const jobShape = z.object({ job_id: z.uuid() })
const runShape = z.object({ flow_run_id: z.uuid() })

type Headers = Readonly<Record<string, string>>

const send = (key: string, body: string, headers: Headers = {}): Promise<TestAnswer> =>
  app.call('POST', `${HOOK}/${key}`, { body, headers })

const stripeHeaders = (payload: string): Headers => ({
  'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET }),
})
const sendStripe = (payload: string) => send('stripe', payload, stripeHeaders(payload))
const githubHeaders = async (body: string): Promise<Headers> => ({
  'x-hub-signature-256': await sign(SECRET, body),
})

const jobIdOf = ({ status, json }: TestAnswer): string => {
  expect(status).toBe(202)
  return jobShape.parse(json).job_id
}
const read = async (path: string): Promise<unknown> => {
  const { status, json } = await app.call('GET', `/api/w/${WS}${path}`, { token })
  expect(status).toBe(200)
  return json
}
const countJobs = async (): Promise<number> => {
  const row = await app.deps.db.one(sql`SELECT count(*) AS n FROM jobs`)
  return z.number().parse(row?.n)
}

/** Ends the next job of the queue. */
const endNext = async (outcome: 'success' | 'failure'): Promise<void> => {
  for (;;) {
    const [job] = await claimJobs(app.deps, {
      worker: 'w1',
      tags: ['default'],
      limit: 1,
      leaseMs: 60_000,
    })
    if (job === undefined) continue
    await completeJob(app.deps, {
      job,
      outcome:
        outcome === 'success'
          ? { kind: 'success', resultJson: '{"paid":true}' }
          : { kind: 'failure', error: { name: 'Secret', message: 'of the job' }, isFinal: true },
      retry: null,
      logs: [],
    })
    return
  }
}
const emptyQueue = () => app.deps.db.write([sql`DELETE FROM jobs WHERE status = 'queued'`])

describe('POST /hook', () => {
  it('takes what Stripe and GitHub sign, with no credential of svc', async () => {
    const stripe = jobIdOf(await sendStripe('{"id":"evt_1"}'))
    expect(await read(`/jobs/${stripe}`)).toMatchObject({
      action: 'paid',
      trigger_kind: 'webhook',
      created_by: 'webhook:shop/stripe',
      permissioned_as: 'test',
      input: '{"id":"evt_1"}',
    })
    const body = '{"zen":"Keep it logically awesome."}'
    jobIdOf(await send('github', body, await githubHeaders(body)))
  })

  it('refuses a bad, stale or missing signature and a missing variable alike', async () => {
    const before = await countJobs()
    const body = '{"id":"evt_bad"}'
    const stale = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: SECRET,
      timestamp: Math.floor(Date.now() / 1_000) - 400,
    })
    const answers = [
      await send('stripe', body),
      await send('stripe', '{"id":"evt_other"}', stripeHeaders(body)),
      await send('stripe', body, { 'stripe-signature': stale }),
      await send('github', body, { 'x-hub-signature-256': await sign('other', body) }),
      await send('unset', body, await githubHeaders(body)),
    ]
    for (const { status, json, headers } of answers) {
      expect(status).toBe(401)
      // a sender signs its requests and has no bearer token to send
      expect(headers.get('www-authenticate')).toBeNull()
      expect(json).toEqual({
        error: 'The signature of the request does not fit this webhook.',
        code: 'bad_signature',
        request_id: expect.any(String),
      })
    }
    expect(await countJobs()).toBe(before)
  })

  it('is 404 alike for an unknown workspace, app and key, and 405 for other methods', async () => {
    const paths = [`/hook/none/shop/stripe`, `/hook/${WS}/none/stripe`, `${HOOK}/none`]
    const answers = await Promise.all(paths.map((path) => app.call('POST', path, { body: 'x' })))
    for (const { status, json } of answers) {
      expect(status).toBe(404)
      expect(json).toMatchObject({ error: 'Webhook not found.', code: 'webhook_not_found' })
    }
    for (const path of [`${HOOK}/stripe`, ...paths]) {
      for (const method of ['GET', 'PUT', 'OPTIONS']) {
        const answer = await app.call(method, path)
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('POST')
      }
    }
  })

  it('answers the challenge of Slack once its signature is verified, and starts nothing', async () => {
    const before = await countJobs()
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c1' })
    expect((await send('slack', body)).status).toBe(401)
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = (await sign(SECRET, `v0:${time}:${body}`)).replace('sha256=', 'v0=')
    const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': signature }
    expect(await send('slack', body, headers)).toMatchObject({
      status: 200,
      json: { challenge: 'c1' },
    })
    expect(await countJobs()).toBe(before)
  })

  it('takes any query and body, and refuses one over the limit or outside the schema', async () => {
    expect((await send('order?utm=1&utm=2', '<xml/>')).status).toBe(202)
    expect((await send('strict', '"text"')).json).toMatchObject({ code: 'input_schema' })
    expect((await send('order', 'x'.repeat(LIMIT + 1))).status).toBe(413)
  })

  it('never shows a script the header with the token', async () => {
    const id = jobIdOf(await send('ping', 'x', { 'x-ping': SECRET, 'x-other': 'kept' }))
    const row = await app.deps.db.one(sql`SELECT trigger FROM job_inputs WHERE job_id = ${id}`)
    expect(row?.trigger).toContain('X-Other')
    expect(row?.trigger).not.toContain('X-Ping')
    expect(row?.trigger).not.toContain(SECRET)
  })

  it('gets the value of a JSON body, which fits a schema of objects', async () => {
    const body = '{ "id": "j1", "price": 1.50 }'
    const id = jobIdOf(await send('json', body))
    expect(await read(`/jobs/${id}`)).toMatchObject({ input: { id: 'j1', price: 1.5 } })
    const { flow_run_id } = runShape.parse((await send('json-flow', body)).json)
    expect(await read(`/flow-runs/${flow_run_id}`)).toMatchObject({ input: { price: 1.5 } })
    const before = await countJobs()
    for (const bad of ['', 'id=j1', '{"id":', '\xff', '[1]']) {
      const { status, json } = await send('json', bad)
      expect(status).toBe(400)
      expect(json).toMatchObject({ code: bad === '[1]' ? 'input_schema' : 'malformed_json' })
    }
    expect(await countJobs()).toBe(before)
  })

  it('starts a flow, whose script gets the body and headers', async () => {
    const answer = await send('order', '{"id":"o1"}', { 'x-kept': 'yes' })
    const { flow_run_id: id } = runShape.parse(answer.json)
    expect(await read(`/flow-runs/${id}`)).toMatchObject({
      flow: 'order',
      trigger_kind: 'webhook',
      created_by: 'webhook:shop/order',
      permissioned_as: 'test',
      input: '{"id":"o1"}',
    })
  })
})

describe('a repeated delivery', () => {
  it('answers the first id, whatever else is in its body', async () => {
    const first = await sendStripe('{"id":"evt_twice"}')
    const second = await sendStripe('{"id":"evt_twice","attempt":2}')
    expect(second).toMatchObject({ status: 202, json: first.json })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const run = await send('order', '{"id":"o2"}')
    expect(await send('order', '{"id":"o2","more":1}')).toMatchObject({
      status: 202,
      json: run.json,
    })
  })

  it('of many at once starts one job', async () => {
    const before = await countJobs()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendStripe('{"id":"evt_burst"}')),
    )
    expect(new Set(answers.map(jobIdOf)).size).toBe(1)
    expect(await countJobs()).toBe(before + 1)
  })

  it('counts within its webhook, and only where there is a value', async () => {
    const body = '{"id":"evt_twice"}'
    const headers = await githubHeaders(body)
    const ids = [
      jobIdOf(await send('github', body, headers)),
      jobIdOf(await send('github', body, headers)),
      jobIdOf(await send('github', body, { ...headers, 'x-github-delivery': 'evt_twice' })),
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it.each(['before', 'after'] as const)(
    'after a crash %s the commit starts one job in all',
    async (moment) => {
      const before = await countJobs()
      const body = `{"id":"evt_crash_${moment}"}`
      // write the records of earlier deliveries first, so that the crash does not lose them
      await read('/webhooks')
      crash = moment
      const { status } = await sendStripe(body)
      crash = 'no'
      expect(status).toBe(503)
      expect(await countJobs()).toBe(moment === 'before' ? before : before + 1)
      const again = await sendStripe(body)
      expect(again.headers.get('idempotency-replayed')).toBe(moment === 'before' ? null : 'true')
      jobIdOf(again)
      expect(await countJobs()).toBe(before + 1)
    },
  )
})

describe('a webhook that responds', () => {
  it('answers the result of its job, or of its flow run', async () => {
    await emptyQueue()
    const [job] = await Promise.all([send('wait', 'x'), endNext('success')])
    expect(job).toMatchObject({ status: 200, json: { paid: true } })
    const [run] = await Promise.all([send('wait-flow', 'x'), endNext('success')])
    expect(run).toMatchObject({ status: 200, json: { paid: true } })
  })

  it('answers 502 without the cause when it fails', async () => {
    const [answer] = await Promise.all([send('wait', 'x'), endNext('failure')])
    expect(answer).toMatchObject({
      status: 502,
      json: { code: 'job_failed', job_id: expect.any(String) },
    })
    expect(answer.text).not.toContain('of the job')
  })

  it('answers the id when the result is not there in time', async () => {
    jobIdOf(await send('late', 'x'))
  })
})

const deliveryPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      status: z.number(),
      reason: z.string().nullable(),
      job_id: z.string().nullable(),
      flow_run_id: z.string().nullable(),
    }),
  ),
})
const deliveriesOf = async (key: string) =>
  deliveryPage.parse(await read(`/webhooks/shop/${key}/deliveries`)).items

describe('the owner of a webhook', () => {
  it('sees all webhooks by app and key, page by page', async () => {
    const page = z.object({
      items: z.array(z.looseObject({ key: z.string() })),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse(await read('/webhooks?limit=7'))
    const rest = page.parse(await read(`/webhooks?limit=7&cursor=${first.pagination.next_cursor}`))
    const all = [...first.items, ...rest.items]
    expect(all.map(({ key }) => key)).toEqual(
      [
        'stripe',
        'github',
        'slack',
        'ping',
        'unset',
        'strict',
        'order',
        'wait',
        'wait-flow',
        'json',
        'json-flow',
        'late',
        'quiet',
      ].sort(),
    )
    expect(all.find(({ key }) => key === 'stripe')).toEqual({
      app: 'shop',
      key: 'stripe',
      url: `http://localhost${HOOK}/stripe`,
      target: 'shop/paid',
      target_kind: 'action',
      scheme: 'stripe',
      last_received_at: expect.any(String),
      last_status: 202,
      secret_set: true,
    })
    expect(all.find(({ key }) => key === 'unset')).toMatchObject({
      last_status: 401,
      secret_set: false,
    })
    expect(all.find(({ key }) => key === 'order')).toMatchObject({
      target: 'shop/order',
      target_kind: 'flow',
      last_status: 202,
      secret_set: null,
    })
  })

  it('learns why deliveries were refused, and the log names a missing variable', async () => {
    expect((await deliveriesOf('unset'))[0]).toMatchObject({
      status: 401,
      reason: 'missing_variable',
      job_id: null,
    })
    expect(await read('/webhooks/shop/unset')).toMatchObject({
      secrets: [{ key: 'NOT_SET', is_set: false }],
    })
    expect(app.warnings).toContainEqual({
      message: expect.stringContaining('no variable that it names has a value'),
      fields: { ws: WS, app: 'shop', webhook: 'unset', variables: ['NOT_SET'] },
    })
    const reasons = (await deliveriesOf('stripe')).map(({ reason }) => reason)
    expect(reasons).toEqual(
      expect.arrayContaining([
        'missing_signature',
        'wrong_signature',
        'stale_timestamp',
        'duplicate',
      ]),
    )
    expect((await deliveriesOf('slack')).map(({ reason }) => reason)).toEqual([
      'challenge',
      'missing_signature',
    ])
    expect((await deliveriesOf('wait'))[0]).toMatchObject({ status: 502, reason: 'job_failed' })
    expect((await deliveriesOf('order'))[1]).toMatchObject({ status: 202, reason: null })
  })

  it('finds the last 50 deliveries on record, without secrets', async () => {
    for (let count = 0; count < 60; count += 1) await send('unset', `${count}`)
    expect(await deliveriesOf('unset')).toHaveLength(50)
    for (let count = 0; count < 60; count += 1) await send('ping', 'x', { 'x-ping': SECRET })
    expect(await deliveriesOf('ping')).toHaveLength(50)
    const rows = await app.deps.db.all(sql`SELECT * FROM webhook_deliveries`)
    expect(JSON.stringify(rows)).not.toContain(SECRET)
    expect(JSON.stringify(rows)).not.toContain('sha256=')
  })

  const replay = (key: string, id: string, by = token, headers = {}) =>
    app.call('POST', `/api/w/${WS}/webhooks/shop/${key}/deliveries/${id}/replay`, {
      token: by,
      headers,
    })

  it('starts again what a delivery has started', async () => {
    const body = '{"id":"evt_replay"}'
    const first = jobIdOf(await sendStripe(body))
    const [delivery] = await deliveriesOf('stripe')
    expect(delivery?.job_id).toBe(first)
    const again = await replay('stripe', delivery?.id ?? '')
    expect(again.status).toBe(201)
    const { job_id } = jobShape.parse(again.json)
    expect(job_id).not.toBe(first)
    expect(await read(`/jobs/${job_id}`)).toMatchObject({
      created_by: 'webhook:shop/stripe',
      trigger_kind: 'webhook',
      input: body,
    })
    const keyed = { 'idempotency-key': 'lost' }
    const once = await replay('stripe', delivery?.id ?? '', token, keyed)
    const repeated = await replay('stripe', delivery?.id ?? '', token, keyed)
    expect(repeated).toMatchObject({ status: 201, text: once.text })
    expect(once.text).not.toBe(again.text)
    expect(repeated.headers.get('idempotency-replayed')).toBe('true')
    const { json: audit } = await app.call('GET', `/api/w/${WS}/audit?action=webhook.replayed`, {
      token,
    })
    const target = `shop/stripe ${delivery?.id}`
    expect(audit).toMatchObject({ items: [{ target }, { target }] })
    const run = runShape.parse((await send('order', '{"id":"o9"}')).json)
    const [ofFlow] = await deliveriesOf('order')
    expect(ofFlow?.flow_run_id).toBe(run.flow_run_id)
    const runAgain = runShape.parse((await replay('order', ofFlow?.id ?? '')).json)
    expect(await read(`/flow-runs/${runAgain.flow_run_id}`)).toMatchObject({
      input: '{"id":"o9"}',
    })
    const text = '{ "id": "j2", "price": 2.50 }'
    const ofJson = runShape.parse((await send('json-flow', text)).json)
    const [sent] = await deliveriesOf('json-flow')
    expect(sent?.flow_run_id).toBe(ofJson.flow_run_id)
    const jsonAgain = runShape.parse((await replay('json-flow', sent?.id ?? '')).json)
    expect(await read(`/flow-runs/${jsonAgain.flow_run_id}`)).toMatchObject({
      input: { id: 'j2', price: 2.5 },
    })
    const scopes = await app.token(['jobs:run'])
    expect((await replay('order', ofFlow?.id ?? '', scopes)).status).toBe(403)
    const [refused] = await deliveriesOf('unset')
    expect((await replay('unset', refused?.id ?? '')).json).toMatchObject({
      code: 'nothing_to_replay',
    })
    for (const id of [refused?.id ?? '', 'no-id']) {
      const unknown = { status: 404, json: { code: 'delivery_not_found' } }
      expect([id, await replay('stripe', id)]).toMatchObject([id, unknown])
    }
  })

  it('replays a delivery without the requests that wait for a debounce', async () => {
    const first = jobIdOf(await send('quiet', '{"n":1}'))
    const [delivery] = await deliveriesOf('quiet')
    const again = await replay('quiet', delivery?.id ?? '')
    expect(jobShape.parse(again.json).job_id).not.toBe(first)
    const run = await app.call('POST', `/api/w/${WS}/jobs/run/shop/quiet`, {
      token,
      json: { n: 2 },
    })
    expect(jobShape.parse(run.json).job_id).toBe(first)
    const gone = await replay('quiet', delivery?.id ?? '')
    expect([gone.status, gone.json]).toMatchObject([410, { code: 'delivery_gone' }])
  })

  it('needs apps:read', async () => {
    const other = await app.token(['jobs:run'])
    const path = `/api/w/${WS}/webhooks`
    expect((await app.call('GET', path, { token: other })).status).toBe(403)
    expect((await app.call('GET', path)).status).toBe(401)
  })
})

describe('the limit of a webhook', () => {
  it('counts each webhook for itself, and the refusal is on record', async () => {
    const limited = await createTestApp({ rates: { hook: 2 } })
    try {
      const verify = { scheme: 'none' }
      await deployActions(
        limited.deps,
        [{ ws: WS, app: 'shop', key: 'paid' }],
        [],
        [
          { key: 'a', action: 'paid', verify },
          { key: 'b', action: 'paid', verify },
        ],
      )
      const post = (key: string) => limited.call('POST', `${HOOK}/${key}`, { body: 'x' })
      const answers = [await post('a'), await post('a'), await post('a'), await post('b')]
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 429, 202])
      expect(answers[2]?.headers.get('retry-after')).toBe('1')
      expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"default";q=2;w=1')
      const reader = await limited.token(['apps:read'])
      const list = await limited.call('GET', `/api/w/${WS}/webhooks`, { token: reader })
      expect(list.json).toMatchObject({ items: [{ key: 'a', last_status: 429 }, { key: 'b' }] })
    } finally {
      await limited.close()
    }
  })
})
