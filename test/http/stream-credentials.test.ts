/** Streams end within 2 s of the end of their credential, for whatever reason it ends [wire 8.4]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import {
  createConsumer,
  issueConsumerKey,
  replaceGrants,
} from '#service/customers/manage-consumer.ts'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/** The promise is 2 s. The slack allows for a busy machine. */
const PROMISED_MS = 2_000
const SLACK_MS = 3_000

let caller: FlowCaller
let job = ''
let run = ''
beforeAll(async () => {
  caller = await openFlowCaller({
    flows: [{ key: 'f', steps: [{ key: 'one', kind: 'action', action: 'echo' }] }],
    actions: { echo: (input) => input },
  })
  run = await caller.start('f')
  const started = await caller.call('POST', `/api/w/${WS}/jobs/run/shop/echo`, {})
  job = JSON.parse(started.text).job_id
})
afterAll(() => caller.app.close())

type CredentialToEnd = Readonly<{
  headers: Readonly<Record<string, string>>
  end: () => Promise<unknown>
}>

let count = 0
const person = async (): Promise<string> => {
  count += 1
  const email = `person${count}@example.com`
  await createUser(caller.app.deps, { email, password: null, isSuperAdmin: false })
  await addMember(caller.app.deps, { ws: WS, email, role: 'admin' })
  return email
}
const admin = (method: string, path: string, json?: unknown) => caller.call(method, path, json)
const write = (statement: Statement) => caller.app.deps.db.write([statement])

const withToken = async (): Promise<Readonly<{ email: string; id: string; bearer: string }>> => {
  const email = await person()
  const { text, token } = await caller.app.issue(['jobs:read', 'flows:read'], { email })
  return { email, id: token.id, bearer: `Bearer ${text}` }
}
const withSession = async (): Promise<Readonly<{ email: string; cookie: string }>> => {
  const email = await person()
  const { text } = await startSession(caller.app.deps, { email, address: null })
  return { email, cookie: `svc_session=${text}` }
}

const ENDS: Readonly<Record<string, () => Promise<CredentialToEnd>>> = {
  'a token that is revoked': async () => {
    const { bearer, id } = await withToken()
    const end = () => admin('DELETE', `/api/w/${WS}/tokens/${id}`)
    return { headers: { authorization: bearer }, end }
  },
  'a token that expires': async () => {
    const { bearer, id } = await withToken()
    const end = () => write(sql`UPDATE tokens SET expires_at = 1 WHERE id = ${id}`)
    return { headers: { authorization: bearer }, end }
  },
  'a token whose member is disabled': async () => {
    const { bearer, email } = await withToken()
    const end = () => admin('PATCH', `/api/w/${WS}/members/${email}`, { disabled: true })
    return { headers: { authorization: bearer }, end }
  },
  'a session whose member is removed': async () => {
    const { cookie, email } = await withSession()
    const end = () => admin('DELETE', `/api/w/${WS}/members/${email}`)
    return { headers: { cookie }, end }
  },
  'a session whose account is disabled': async () => {
    const { cookie, email } = await withSession()
    const end = () => admin('PATCH', `/api/admin/users/${email}`, { disabled: true })
    return { headers: { cookie }, end }
  },
  'a session that logs out': async () => {
    const { cookie } = await withSession()
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const end = () => caller.app.call('POST', '/api/auth/logout', { headers })
    return { headers: { cookie }, end }
  },
  'a session that expires': async () => {
    const { cookie, email } = await withSession()
    const end = () => write(sql`UPDATE sessions SET expires_at = 1 WHERE email = ${email}`)
    return { headers: { cookie }, end }
  },
}

const open = async (path: string, { headers }: CredentialToEnd) => {
  const response = await caller.app.request('GET', path, {
    headers: { ...headers, accept: 'text/event-stream' },
  })
  expect(response.status).toBe(200)
  return response
}

/** Resolves with the milliseconds until the stream ends. Rejects when that takes too long. */
const overAfter = (response: Response): Promise<number> => {
  const startedAt = performance.now()
  const late = AbortSignal.timeout(PROMISED_MS + SLACK_MS)
  return new Promise((resolve, reject) => {
    late.addEventListener('abort', () => reject(new Error('The stream goes on.')))
    response.text().then(() => resolve(performance.now() - startedAt), reject)
  })
}

describe('a stream is cut with', () => {
  it.each(Object.keys(ENDS))('%s', async (name) => {
    const held = (await ENDS[name]?.()) ?? expect.fail()
    const streams = await Promise.all([
      open(`/api/w/${WS}/jobs/${job}/events`, held),
      open(`/api/w/${WS}/jobs/${job}/logs`, held),
      open(`${FLOW_RUNS}/${run}/events`, held),
    ])
    await held.end()
    await Promise.all(streams.map(overAfter))
  })

  it('a customer key that is revoked', async () => {
    const { deps } = caller.app
    const request = { ws: WS, name: 'Acme', externalRef: null, actor: CLI_ACTOR }
    const { id } = await createConsumer(deps, request)
    const act = { ws: WS, id, actor: CLI_ACTOR }
    await replaceGrants(deps, act, [{ app: 'shop', action: 'echo' }])
    const issued = await issueConsumerKey(deps, act, { label: 'x', expiresInDays: null })
    const headers = { authorization: `Bearer ${issued.text}` }
    const started = await caller.app.call('POST', `/api/w/${WS}/jobs/run/shop/echo`, {
      headers,
      json: {},
    })
    const own = JSON.parse(started.text).job_id
    const end = () => admin('DELETE', `/api/w/${WS}/consumers/${id}/keys/${issued.key.id}`)
    const stream = await open(`/api/w/${WS}/jobs/${own}/events`, { headers, end })
    await end()
    await overAfter(stream)
  })
})

it('a stream goes on while its credential holds', async () => {
  const token = await caller.app.token(['jobs:read'], { email: ADMIN })
  const headers = { authorization: `Bearer ${token}` }
  const response = await open(`/api/w/${WS}/jobs/${job}/events`, {
    headers,
    end: async () => undefined,
  })
  const other = await ENDS['a token that is revoked']?.()
  const doomed = await open(`/api/w/${WS}/jobs/${job}/events`, other ?? expect.fail())
  await other?.end()
  await overAfter(doomed)
  const reader = response.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  const next = reader?.read()
  await admin('POST', `/api/w/${WS}/jobs/${job}/cancel`)
  expect((await next)?.done).toBe(false)
  await reader?.cancel()
})
