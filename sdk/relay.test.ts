import { describe, expect, it, vi } from 'vitest'
import { createRelay, RelayError } from './relay.ts'

type Script = readonly (Response | Readonly<{ status: number; body?: unknown }> | 'unreachable')[]

const OPENED = {
  status: 201,
  body: { certId: 'c1', code: '012345', expiresAt: '2030-01-01T00:00:00.000Z' },
}
const WAITING = { status: 202, body: { status: 'waiting' } }

/** A server that answers with the script's responses, and then never again. */
const serve = (...script: Script) => {
  const calls: string[] = []
  const answers = [...script]
  const server: typeof fetch = async (url, init) => {
    calls.push(`${init?.method} ${String(url)} ${new Headers(init?.headers).get('authorization')}`)
    const next = answers.shift()
    if (next === 'unreachable') throw new TypeError('fetch failed')
    if (next instanceof Response) return next
    if (next !== undefined) return Response.json(next.body ?? {}, { status: next.status })
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  const relay = createRelay({ url: 'https://svc.test/', apiKey: 'ak_1.secret', fetch: server })
  return { relay, calls }
}

describe('waitForImport', () => {
  it('polls until the certificate is there', async () => {
    const delivered = { status: 'delivered', certId: 'c1', certDer: 'MA==', certKey: 'MQ==' }
    const { relay, calls } = serve(OPENED, WAITING, WAITING, { status: 200, body: delivered })
    const session = await relay.createSession()
    expect(session).toMatchObject(OPENED.body)
    expect(await session.waitForImport()).toEqual({
      kind: 'success',
      certId: 'c1',
      certDer: 'MA==',
      certKey: 'MQ==',
    })
    const path = 'https://svc.test/v2/certificates/session'
    expect(calls).toEqual([
      `POST ${path} Bearer ak_1.secret`,
      ...Array(3).fill(`GET ${path}/c1?wait_s=25 Bearer ak_1.secret`),
    ])
  })

  it.each(['expired', 'cancelled'] as const)('reports that the session was %s', async (kind) => {
    const { relay } = serve(OPENED, { status: 410, body: { status: kind } })
    expect(await (await relay.createSession()).waitForImport()).toEqual({ kind })
  })

  it('retries when the network fails, or the server is busy or restarts', async () => {
    vi.useFakeTimers()
    try {
      const trouble: Script = [
        'unreachable',
        { status: 503 },
        { status: 429 },
        WAITING,
        'unreachable',
      ]
      const { relay } = serve(OPENED, ...trouble, { status: 410, body: { status: 'expired' } })
      const session = await relay.createSession()
      const result = session.waitForImport()
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await result).toEqual({ kind: 'expired' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('takes neither a response that broke off nor a page of a proxy for a certificate', async () => {
    vi.useFakeTimers()
    try {
      const page = new Response('<html>Sign in to this network</html>', { status: 200 })
      const brokenOff = new Response('{"status":"delivered","certDer":"MA', { status: 200 })
      const gone = { status: 410, body: { status: 'delivered', code: 'session_delivered' } }
      const { relay } = serve(OPENED, page, brokenOff, gone)
      const result = (await relay.createSession())
        .waitForImport()
        .catch((thrown: unknown) => thrown)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await result).toMatchObject({ name: 'RelayError', code: 'session_delivered' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('throws errors that a retry would not fix', async () => {
    const refusals = [
      { status: 401, body: { error: 'Unknown.', code: 'invalid_api_key' } },
      { status: 404, body: { error: 'Session not found.', code: 'session_not_found' } },
      {
        status: 410,
        body: { status: 'delivered', error: 'Delivered.', code: 'session_delivered' },
      },
    ]
    for (const refusal of refusals) {
      const { relay } = serve(OPENED, refusal)
      const error: unknown = await (await relay.createSession())
        .waitForImport()
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RelayError)
      expect(error).toMatchObject({ status: refusal.status, code: refusal.body.code })
    }
  })

  it('ends with the signal’s reason', async () => {
    const { relay } = serve(OPENED, WAITING)
    const session = await relay.createSession()
    const leaving = new AbortController()
    const waiting = session.waitForImport({ signal: leaving.signal })
    leaving.abort(new Error('left the screen'))
    await expect(waiting).rejects.toThrow('left the screen')
    await expect(session.waitForImport({ signal: leaving.signal })).rejects.toThrow('left')
  })
})

it('cancel accepts a session that has ended, and no other refusal', async () => {
  const { relay, calls } = serve(OPENED, { status: 200 }, { status: 410 }, { status: 404 })
  const session = await relay.createSession()
  await session.cancel()
  await session.cancel()
  expect(calls.at(-1)).toMatch(/^DELETE .*\/session\/c1 /)
  await expect(session.cancel()).rejects.toMatchObject({ status: 404 })
})

it('createSession reports why it failed', async () => {
  const { relay } = serve({ status: 401, body: { error: 'No.', code: 'invalid_api_key' } })
  await expect(relay.createSession()).rejects.toMatchObject({ message: 'No.', status: 401 })
})
