/** Sharing one job read-only [access 13.1]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import {
  createConsumer,
  issueConsumerKey,
  replaceGrants,
} from '#service/customers/manage-consumer.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { Database } from '#store/database.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const JOBS = `/api/w/${WS}/jobs`
const UNKNOWN = '019abcde-0000-7000-8000-000000000000'
const PARTS = ['', '/result', '/logs'] as const

let app: TestApp
let token = ''
let isFailing = false
const wrapDatabase = (db: Database): Database => ({
  ...db,
  one: (statement) => (isFailing ? Promise.reject(new Error('broken')) : db.one(statement)),
})

beforeAll(async () => {
  app = await createTestApp({ wrapDatabase, baseUrl: 'https://svc.example' })
  token = await app.token(['jobs:run', 'jobs:read'])
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
})
afterAll(() => app.close())

const runJob = async (): Promise<string> => {
  const json = { password: 'input-stays-inside' }
  const answer = await app.call('POST', `${JOBS}/run/hello/greet`, { token, json })
  return z.object({ job_id: z.string() }).parse(answer.json).job_id
}
const endJob = async (id: string): Promise<void> => {
  const options = { worker: 'w1', tags: ['default'], limit: 100, leaseMs: 60_000 }
  const job = (await claimJobs(app.deps, options)).find((claimed) => claimed.id === id)
  if (job === undefined) throw new Error('The job was not claimed.')
  const chunk = insertLogChunk({ claim: job, seq: 0, bytes: Buffer.from('häuser\n') })
  await completeJob(app.deps, {
    job,
    outcome: { kind: 'success', resultJson: '{"total":3}' },
    retry: null,
    logs: [chunk],
  })
}

const issued = z.object({
  id: z.uuid(),
  token: z.string(),
  url: z.string(),
  expires_at: z.iso.datetime(),
})
const share = (id: string, json?: unknown, by = token) =>
  app.call(
    'POST',
    `${JOBS}/${id}/view-tokens`,
    json === undefined ? { token: by } : { token: by, json },
  )
const shareFor = async (id: string, json?: unknown) => issued.parse((await share(id, json)).json)
const view = (text: string, part = '') => app.call('GET', `/api/public/jobs/${text}${part}`)
const statuses = async (text: string) =>
  Promise.all(PARTS.map(async (part) => (await view(text, part)).status))

describe('a browser', () => {
  const open = (text: string, language = 'en') => {
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': language }
    return app.call('GET', `/api/public/jobs/${text}`, { headers })
  }

  it('is shown a page with workspace, times, result and log, and without the input', async () => {
    const id = await runJob()
    const { token: text } = await shareFor(id)
    const before = await open(text)
    expect(before.headers.get('refresh')).not.toBeNull()
    await endJob(id)
    const shown = await open(text)
    expect(shown.status).toBe(200)
    for (const part of ['hello/greet', 'Success', '&quot;total&quot;: 3', 'häuser', '<time dat']) {
      expect(shown.text).toContain(part)
    }
    expect(shown.text).toMatch(/<p class="hint from">\S+<\/p>/)
    expect(shown.text).not.toContain('input-stays-inside')
    expect(shown.headers.get('refresh')).toBeNull()
    expect(shown.headers.get('vary')).toContain('Accept')
    expect((await open(text, 'ko')).text).toContain('공유된 작업입니다')
  })

  it('is shown why a link has ended', async () => {
    const id = await runJob()
    const { token: text, id: tokenId } = await shareFor(id)
    await app.call('DELETE', `${JOBS}/${id}/view-tokens/${tokenId}`, { token })
    const shown = await open(text, 'ko')
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      410,
      expect.stringMatching(/html/),
    ])
    expect(shown.text).toContain('만료되었거나 폐기')
    expect((await view(text)).json).toMatchObject({ code: 'view_token_ended' })
  })
})

describe('issuing and revoking', () => {
  it.each([
    ['GET', '/view-tokens'],
    ['POST', '/view-tokens'],
    ['DELETE', '/view-tokens'],
    ['DELETE', `/view-tokens/${UNKNOWN}`],
  ])('%s %s needs jobs:read in this workspace', async (method, path) => {
    const id = await runJob()
    const send = (by?: string) =>
      app.call(method, `${JOBS}/${id}${path}`, by === undefined ? {} : { token: by })
    expect((await send()).status).toBe(401)
    expect((await send(await app.token(['*'], { ws: 'other' }))).status).toBe(403)
    expect(await send(await app.token(['jobs:run']))).toMatchObject({
      status: 403,
      json: { code: 'missing_scope' },
    })
  })

  it('returns the token once, with an address under the public one, for 24 hours', async () => {
    const answer = await share(await runJob())
    expect(answer.status).toBe(201)
    const made = issued.parse(answer.json)
    expect(parseTokenText(made.token)).toMatchObject({ kind: 'view_token' })
    expect(made.url).toBe(`https://svc.example/api/public/jobs/${made.token}`)
    const hours = (Date.parse(made.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    const row = await app.deps.db.one(sql`SELECT * FROM view_tokens WHERE id = ${made.id}`)
    expect(JSON.stringify(row)).not.toContain(made.token.slice(-38))
  })

  it('is listed with who made it, and without its text', async () => {
    const id = await runJob()
    const [first, second] = [await shareFor(id), await shareFor(id)]
    await app.call('DELETE', `${JOBS}/${id}/view-tokens/${first.id}`, { token })
    const list = await app.call('GET', `${JOBS}/${id}/view-tokens`, { token })
    expect(list.json).toMatchObject({
      items: [
        { id: second.id, token_prefix: second.token.slice(5, 13), revoked_at: null },
        { id: first.id, revoked_at: expect.any(String) },
      ],
      pagination: { next_cursor: null },
    })
    expect(list.text).not.toContain(second.token.slice(-38))
    const page = await app.call('GET', `${JOBS}/${id}/view-tokens?limit=1`, { token })
    expect(page.json).toMatchObject({ items: [{ id: second.id }] })
  })

  it('lasts at most 7 days', async () => {
    const id = await runJob()
    const week = await shareFor(id, { expires_in_s: 604_800 })
    expect(Date.parse(week.expires_at)).toBeGreaterThan(Date.now() + 604_000_000)
    for (const seconds of [0, -1, 1.5, 604_801, '60', null]) {
      expect((await share(id, { expires_in_s: seconds })).status).toBe(400)
    }
    expect((await share(id, { forever: true })).status).toBe(400)
  })

  it('knows only jobs of this workspace', async () => {
    for (const id of [UNKNOWN, 'no-uuid']) {
      expect((await share(id)).status).toBe(404)
      const all = await app.call('DELETE', `${JOBS}/${id}/view-tokens`, { token })
      expect(all.status).toBe(404)
    }
    const theirs = await app.token(['jobs:read'], { ws: 'other' })
    const path = `/api/w/other/jobs/${await runJob()}/view-tokens`
    expect((await app.call('POST', path, { token: theirs })).status).toBe(404)
  })

  it('is refused to the customer who started the job', async () => {
    const request = { ws: WS, name: 'Acme', externalRef: null, actor: CLI_ACTOR }
    const { id } = await createConsumer(app.deps, request)
    const act = { ws: WS, id, actor: CLI_ACTOR }
    await replaceGrants(app.deps, act, [{ app: 'hello', action: 'greet' }])
    const { text } = await issueConsumerKey(app.deps, act, { label: 'k', expiresInDays: null })
    const run = await app.call('POST', `${JOBS}/run/hello/greet`, { token: text, json: {} })
    const { job_id } = z.object({ job_id: z.string() }).parse(run.json)
    expect((await app.call('GET', `${JOBS}/${job_id}`, { token: text })).status).toBe(200)
    expect(await share(job_id, undefined, text)).toMatchObject({ status: 403 })
  })

  it('revokes one at once, and leaves the others of the job', async () => {
    const id = await runJob()
    const [one, two] = [await shareFor(id), await shareFor(id)]
    const path = `${JOBS}/${id}/view-tokens/${one.id}`
    expect((await app.call('DELETE', path, { token })).status).toBe(204)
    expect((await app.call('DELETE', path, { token })).status).toBe(204)
    expect(await statuses(one.token)).toEqual([410, 410, 410])
    expect(await statuses(two.token)).toEqual([200, 202, 200])
    const elsewhere = `${JOBS}/${await runJob()}/view-tokens/${two.id}`
    expect((await app.call('DELETE', elsewhere, { token })).status).toBe(404)
    expect((await view(two.token)).status).toBe(200)
  })

  it('revokes all of a job at once, and none of another', async () => {
    const [id, other] = [await runJob(), await runJob()]
    const [one, two, three] = [await shareFor(id), await shareFor(id), await shareFor(other)]
    const all = () => app.call('DELETE', `${JOBS}/${id}/view-tokens`, { token })
    expect([(await all()).status, (await all()).status]).toEqual([204, 204])
    expect((await view(one.token)).status).toBe(410)
    expect((await view(two.token)).status).toBe(410)
    expect((await view(three.token)).status).toBe(200)
  })

  it('leaves its mark in the audit log', async () => {
    const id = await runJob()
    const made = await shareFor(id)
    await app.call('DELETE', `${JOBS}/${id}/view-tokens/${made.id}`, { token })
    const rows = await app.deps.db.all(
      sql`SELECT action FROM audit_log WHERE target = ${`${id} ${made.id}`} ORDER BY id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['view_token.created', 'view_token.revoked'])
  })
})

describe('the link', () => {
  it('shows status, result and logs to any caller, but neither the input nor the requester', async () => {
    const id = await runJob()
    const { token: text, expires_at } = await shareFor(id)
    expect((await view(text)).json).toMatchObject({ job_id: id, status: 'queued' })
    expect(await view(text, '/result')).toMatchObject({ status: 202, json: { status: 'pending' } })
    expect((await view(text, '/logs')).text).toBe('')
    await endJob(id)
    const job = await view(text)
    expect(job.json).toEqual({
      job_id: id,
      status: 'success',
      app: 'hello',
      action: 'greet',
      created_at: expect.any(String),
      started_at: expect.any(String),
      completed_at: expect.any(String),
      duration_ms: expect.any(Number),
      expires_at,
    })
    expect((await view(text, '/result')).json).toEqual({ status: 'success', result: { total: 3 } })
    const log = await view(text, '/logs?tail_bytes=6')
    expect(log.text).toBe('user\n')
    expect(log.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(log.headers.get('referrer-policy')).toBe('no-referrer')
    expect(log.headers.get('cache-control')).toBe('no-store')
    for (const part of PARTS) {
      expect((await view(text, part)).text).not.toMatch(/input-stays-inside|admin@localhost/)
    }
  })

  it('is read-only, and no credential of the API', async () => {
    const id = await runJob()
    const { token: text } = await shareFor(id)
    for (const [method, part] of [
      ['POST', ''],
      ['DELETE', ''],
      ['PUT', '/result'],
      ['POST', '/logs'],
    ] as const) {
      expect((await app.call(method, `/api/public/jobs/${text}${part}`)).status).toBe(405)
    }
    for (const part of ['/cancel', '/view-tokens', '/events', '/input']) {
      expect((await app.call('POST', `/api/public/jobs/${text}${part}`)).status).toBe(404)
    }
    expect((await app.call('GET', `${JOBS}/${id}`, { token: text })).status).toBe(401)
    expect((await app.call('GET', '/api/auth/me', { token: text })).status).toBe(401)
  })

  it('ends when its time is over', async () => {
    const { id, token: text } = await shareFor(await runJob(), { expires_in_s: 60 })
    expect((await view(text)).status).toBe(200)
    await app.deps.db.write([
      sql`UPDATE view_tokens SET expires_at = expires_at - 60000 WHERE id = ${id}`,
    ])
    expect(await statuses(text)).toEqual([410, 410, 410])
    expect((await view(text)).json).toMatchObject({ code: 'view_token_ended' })
  })

  it('is not found when mistyped, made up, of another kind, or when its job is gone', async () => {
    const id = await runJob()
    const { token: text } = await shareFor(id)
    const mistyped = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    for (const wrong of [mistyped, token, 'svcv_x', id, '%00']) {
      expect(await statuses(wrong)).toEqual([404, 404, 404])
    }
    await app.deps.db.write([sql`DELETE FROM jobs WHERE id = ${id}`])
    expect(await statuses(text)).toEqual([404, 404, 404])
  })

  it('never reaches the log, not even when the server fails', async () => {
    const { token: text } = await shareFor(await runJob())
    isFailing = true
    expect(await statuses(text)).toEqual([500, 500, 500])
    isFailing = false
    expect(app.errors).toHaveLength(3)
    expect(JSON.stringify(app.errors.map(({ fields }) => fields.path))).toContain('svcv_')
    expect(JSON.stringify(app.errors)).not.toContain(text.slice(-38))
    expect(app.ended.join()).not.toContain(text)
  })

  it('is limited as every caller without a credential is', async () => {
    const limited = await createTestApp({ rates: { run: 0, other: 0, anonymous: 2 } })
    const get = async () => (await limited.call('GET', '/api/public/jobs/svcv_x')).status
    expect([await get(), await get(), await get()]).toEqual([404, 404, 429])
    await limited.close()
  })
})
