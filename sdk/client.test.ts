import { describe, expect, expectTypeOf, test } from 'vitest'
import { ApiError, type Client, createClient, type Schemas, type ServerEvent } from './client.ts'

/** A client whose server sends the given responses and records the requests. */
const withAnswers = (...answers: readonly Response[]) => {
  const asked: Request[] = []
  const left = [...answers]
  const client = createClient({
    url: 'http://svc.test/',
    token: 'secret',
    workspace: 'my team',
    fetch: async (request) => {
      asked.push(request)
      return left.shift() ?? Response.json({})
    },
  })
  return { client, asked }
}

const chunks = (...parts: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (out) => {
      for (const part of parts) out.enqueue(new TextEncoder().encode(part))
      out.close()
    },
  })

describe('a call', () => {
  test('fills the path, below the workspace, and sends the token', async () => {
    const { client, asked } = withAnswers()
    await client.get('/jobs/{id}', { params: { id: 'a/b?' } })
    expect(asked[0]?.url).toBe('http://svc.test/api/w/my%20team/jobs/a%2Fb%3F')
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer secret')
  })

  test('to a path outside of workspaces leaves it unchanged', async () => {
    const { client, asked } = withAnswers()
    await client.get('/api/auth/me')
    await client.get('/healthz')
    expect(asked.map(({ url }) => url)).toEqual([
      'http://svc.test/api/auth/me',
      'http://svc.test/healthz',
    ])
  })

  test('leaves out what is undefined in a query', async () => {
    const { client, asked } = withAnswers()
    await client.get('/jobs', { query: { limit: 5, status: 'failure', cursor: undefined } })
    expect(new URL(asked[0]?.url ?? '').search).toBe('?limit=5&status=failure')
  })

  test('sends JSON as JSON, a text and a form unchanged', async () => {
    const { client, asked } = withAnswers()
    const params = { app: 'hello', action: 'greet' }
    await client.post('/jobs/run/{app}/{action}', {
      params,
      body: { name: 'Ada' },
      idempotencyKey: 'once',
    })
    await client.post('/jobs/webhook/{app}/{action}', { params, body: '{"raw":1}' })
    await client.post('/deployments', { body: new FormData() })
    const [json, text, form] = asked
    expect(await json?.text()).toBe('{"name":"Ada"}')
    expect(json?.headers.get('content-type')).toBe('application/json')
    expect(json?.headers.get('idempotency-key')).toBe('once')
    expect(await text?.text()).toBe('{"raw":1}')
    expect(text?.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(form?.headers.get('content-type')).toMatch(/^multipart\/form-data/)
  })

  test.each(['', '.', '..'])('with the path parameter "%s" is not sent', async (id) => {
    const { client, asked } = withAnswers()
    await expect(client.get('/jobs/{id}', { params: { id } })).rejects.toThrow('params.id')
    expect(asked).toEqual([])
  })

  test('sends no credential when there is none', async () => {
    let seen: string | null = 'no request'
    const client = createClient({
      url: 'http://svc.test',
      workspace: 'default',
      fetch: async ({ headers }) => {
        seen = headers.get('authorization')
        return Response.json({})
      },
    })
    await client.get('/jobs')
    expect(seen).toBeNull()
  })
})

describe('an answer', () => {
  test('is JSON, a text, or nothing', async () => {
    const { client } = withAnswers(
      Response.json({ job_id: '1' }),
      new Response('a line\n', { headers: { 'content-type': 'text/plain' } }),
      new Response(null, { status: 204 }),
    )
    const params = { id: '1' }
    expect(await client.get('/jobs/{id}', { params })).toEqual({ job_id: '1' })
    expect(await client.get('/jobs/{id}/logs', { params })).toBe('a line\n')
    expect(await client.delete('/schedules/{id}', { params })).toBeUndefined()
  })

  test('has events in its type only where the call asks for events', () => {
    const { client } = withAnswers()
    const params = { id: '1' }
    const headers = { accept: 'text/event-stream' } as const
    const log = () => client.get('/jobs/{id}/logs', { params, query: { format: 'json' } })
    expectTypeOf(log).returns.resolves.toEqualTypeOf<string | Schemas['LogItems']>()
    const followed = () => client.get('/jobs/{id}/logs', { params, headers })
    expectTypeOf(followed).returns.resolves.toEqualTypeOf<AsyncIterable<ServerEvent>>()
    const states = () => client.get('/jobs/{id}/events', { params })
    expectTypeOf(states).returns.resolves.toEqualTypeOf<AsyncIterable<ServerEvent>>()
    // @ts-expect-error the route has no such parameter
    const misspelt = () => client.get('/jobs/{id}/logs', { params, query: { tail: 1 } })
    expectTypeOf(misspelt).toBeFunction()
  })

  test('of a stream is its events, wherever the bytes are split', async () => {
    const text =
      'event: status\ndata: {"status":"é\u2028"}\n\n: still here\n\nevent: end\ndata: 1\n\n'
    const bytes = [...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte]))
    const body = new ReadableStream<Uint8Array>({
      start: (out) => {
        for (const byte of bytes) out.enqueue(byte)
        out.close()
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    const { client } = withAnswers(new Response(body, { headers }))
    const events: unknown[] = []
    const stream = await client.get('/jobs/{id}/events', { params: { id: '1' } })
    for await (const event of stream) events.push(event)
    expect(events).toEqual([
      { event: 'status', data: { status: 'é\u2028' } },
      { event: 'end', data: 1 },
    ])
  })

  test('with an error status becomes an ApiError with all fields', async () => {
    const body = {
      error: 'Job "1" not found.',
      code: 'not_found',
      request_id: 'r1',
      details: [{ path: 'params.id', message: 'is not an id' }],
    }
    const { client } = withAnswers(Response.json(body, { status: 404 }))
    const error = await client.get('/jobs/{id}', { params: { id: '1' } }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'not_found',
      message: 'Job "1" not found.',
      details: body.details,
      requestId: 'r1',
    })
  })

  test('of a proxy that is not JSON becomes an ApiError too', async () => {
    const { client } = withAnswers(new Response(chunks('<h1>Bad', ' gateway'), { status: 502 }))
    await expect(client.get('/jobs')).rejects.toMatchObject({
      status: 502,
      code: 'http_502',
      message: 'The server answered 502: <h1>Bad gateway',
      details: [],
      requestId: null,
    })
  })
})

test('path, query, body and answer are typed', () => {
  expectTypeOf<Awaited<ReturnType<typeof typed>>>().toEqualTypeOf<Schemas['JobAccepted']>()
})

const typed = (client: Client) => {
  const params = { app: 'hello', action: 'greet' }
  // @ts-expect-error: no such path
  void (() => client.get('/job'))
  // @ts-expect-error: the path needs its parameters
  void (() => client.get('/jobs/{id}'))
  // @ts-expect-error: no such status
  void (() => client.get('/jobs', { query: { status: 'done' } }))
  // @ts-expect-error: a variable has a value
  void (() => client.post('/variables', { body: { key: 'a' } }))
  return client.post('/jobs/run/{app}/{action}', { params, body: {} })
}
