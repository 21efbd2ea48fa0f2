/**
 * Floods of sign-ins before any credential: each costs a password hash and must not keep others from signing in. The tests
 * use sockets, because callers who disconnect are part of the attack.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createInvite } from '#service/people/invite.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { useThirdOfRealCost } from '../support/password-cost.ts'

const PASSWORD = 'only for tests'
/** A sign-in waits for one hash of the flood and then computes its own. Generous, because the machine may be slow. */
const PROMPT_MS = 10_000
const FLOOD = 50

let putBack: () => void
beforeAll(() => {
  putBack = useThirdOfRealCost()
})
afterAll(() => putBack())

let app: TestApp
let url = ''
beforeEach(async () => {
  app = await createTestApp({ trustedProxies: ['127.0.0.1'] })
  url = await app.listen()
})
afterEach(() => app.close())

type Sent = Readonly<{ address: string; body?: unknown; path?: string; signal?: AbortSignal }>

const post = ({ address, body, path = '/api/auth/login', signal }: Sent): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })

const logIn = (address: string) => post({ address, body: { email: ADMIN, password: PASSWORD } })

/** Sends fifty made-up sign-ins at once, distributed over the given addresses in turn. */
const flood = (addresses: readonly string[], signal?: AbortSignal): Promise<Response>[] =>
  Array.from({ length: FLOOD }, (_, at) =>
    post({
      address: addresses[at % addresses.length] ?? '',
      body: { email: `nobody${at}@example.com`, password: 'made up' },
      ...(signal === undefined ? {} : { signal }),
    }),
  )

const settle = async (all: readonly Promise<Response>[]): Promise<readonly Response[]> =>
  (await Promise.allSettled(all)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))

const statuses = (answers: readonly Response[]) => new Set(answers.map(({ status }) => status))

describe('a flood of sign-ins', () => {
  it.each([
    { from: 'one address', addresses: ['203.0.113.1'] },
    { from: 'one IPv6 network', addresses: ['2001:db8::1', '2001:db8::2', '2001:db8::3'] },
  ])('from $from delays another by a hash, and gets a Retry-After', async ({ addresses }) => {
    const all = flood(addresses)
    const startedAt = performance.now()
    expect((await logIn('203.0.113.9')).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS)
    const answers = await settle(all)
    expect(statuses(answers)).toEqual(new Set([401, 429]))
    const refused = answers.filter(({ status }) => status === 429)
    // two run and four wait; the honest sign-in and a fast machine make room for a few more
    expect(refused.length).toBeGreaterThan(FLOOD / 2)
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await answer.json()).toMatchObject({ code: 'too_many_sign_ins' })
    }
  })

  it('from many addresses is bounded in all, and the second try of one gives way to a newcomer', async () => {
    const leaving = new AbortController()
    const addresses = Array.from({ length: 8 }, (_, at) => `198.51.100.${at}`)
    const all = flood(addresses, leaving.signal)
    const first = await Promise.race(all)
    // sixteen wait and two run, so svc refuses most of them before any hash is done
    expect(first.status).toBe(429)
    expect((await logIn('203.0.113.9')).status).toBe(200)
    leaving.abort()
    await settle(all)
  })

  it('costs nothing when its callers have left', async () => {
    const leaving = new AbortController()
    const all = flood(
      Array.from({ length: 20 }, (_, at) => `198.51.100.${at}`),
      leaving.signal,
    )
    const first = await Promise.race(all)
    expect([401, 429]).toContain(first.status)
    leaving.abort()
    await settle(all)
    const before = await countGuesses()
    expect((await logIn('203.0.113.9')).status).toBe(200)
    // one may have started just before its caller left
    expect((await countGuesses()) - before).toBeLessThanOrEqual(4)
  })

  it('is the same for invites and changes of a password', async () => {
    const made = await createInvite(app.deps, {
      ws: WS,
      email: 'ada@example.com',
      role: 'member',
      actor: CLI_ACTOR,
    })
    await createUser(app.deps, {
      email: 'bob@example.com',
      password: PASSWORD,
      isSuperAdmin: false,
    })
    const { text } = await startSession(app.deps, { email: 'bob@example.com', address: null })
    const all = Array.from({ length: FLOOD }, () =>
      fetch(`${url}/api/auth/password`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': '203.0.113.1',
          'sec-fetch-site': 'same-origin',
          cookie: `svc_session=${text}`,
        },
        body: JSON.stringify({ current: 'made up', new: 'long enough for all' }),
      }),
    )
    const joined = await post({
      address: '203.0.113.9',
      path: '/api/auth/accept-invite',
      body: { token: made.text, name: 'Ada', password: PASSWORD },
    })
    expect(joined.status).toBe(200)
    const answers = await settle(all)
    const codes = await Promise.all(answers.map(async (one) => JSON.parse(await one.text()).code))
    expect(codes).toContain('too_many_sign_ins')
  })
})

const countGuesses = async (): Promise<number> =>
  Number((await app.deps.db.one(sql`SELECT count(*) AS n FROM guesses`))?.n)
