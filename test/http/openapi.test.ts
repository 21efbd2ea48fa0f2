import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#http/endpoints/all.ts'
import { openApiDocument } from '#http/openapi.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { ROOT } from '../support/repository.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ metricsToken: 'scrape-me' })
})
afterAll(() => app.close())

const operation = z.object({
  summary: z.string().min(3),
  tags: z.array(z.string()).length(1),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        schema: z.looseObject({}),
      }),
    )
    .optional(),
  responses: z.record(
    z.string(),
    z.union([
      z.object({ description: z.string().min(1) }),
      z.object({ $ref: z.string().startsWith('#/components/responses/') }),
    ]),
  ),
  'x-scope': z.string(),
})
const openApi = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()),
  }),
})

/** Content types by path, method and status. */
const answerTypes = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      responses: z
        .record(z.string(), z.looseObject({ content: z.looseObject({}).optional() }))
        .optional(),
    }),
  ),
)

const read = async () => openApi.parse((await app.call('GET', '/api/openapi.json')).json)

const record = z.record(z.string(), z.unknown())
const requestBodies = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ requestBody: z.unknown().optional() })),
  ),
  components: z.object({ schemas: record }),
})

/** Returns the places of lists whose length has no limit. */
const endlessLists = (
  schema: unknown,
  { at, schemas }: Readonly<{ at: string; schemas: Readonly<Record<string, unknown>> }>,
): readonly string[] => {
  const { data } = record.safeParse(schema)
  if (data === undefined) {
    return Array.isArray(schema) ? schema.flatMap((one) => endlessLists(one, { at, schemas })) : []
  }
  const { $ref } = data
  if (typeof $ref === 'string') {
    return endlessLists(schemas[$ref.split('/').at(-1) ?? ''], { at, schemas })
  }
  const isEndless = data.type === 'array' && data.maxItems === undefined
  return [
    ...(isEndless ? [at] : []),
    ...Object.entries(data).flatMap(([key, inner]) =>
      endlessLists(inner, { at: `${at}.${key}`, schemas }),
    ),
  ]
}

describe('GET /api/openapi.json', () => {
  it('limits every list of a request, because each wrong item takes long to refuse', async () => {
    const answer = await app.call('GET', '/api/openapi.json')
    const { paths, components } = requestBodies.parse(answer.json)
    const endless = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        endlessLists(requestBody, { at: `${method} ${path}`, schemas: components.schemas }),
      ),
    )
    expect(endless).toEqual([])
  })

  it('describes every route, with its scope', async () => {
    const { paths } = await read()
    for (const {
      method,
      path,
      admits: [scope],
    } of app.routes) {
      expect(paths[path]?.[method]?.['x-scope']).toBe(scope)
    }
  })

  it('names every parameter of every path', async () => {
    const { paths } = await read()
    for (const [path, methods] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        const given = parameters.filter((parameter) => parameter.in === 'path')
        expect(given.map(({ name }) => name).sort()).toEqual(names.sort())
      }
    }
  })

  it('lists every type that an answer may have: pages with their refusals, and a followed log', async () => {
    const { json } = await app.call('GET', '/api/openapi.json')
    const { paths } = z.looseObject({ paths: answerTypes }).parse(json)
    const typesOf = (path: string, status: string) =>
      Object.keys(paths[path]?.get?.responses?.[status]?.content ?? {}).sort()
    expect(typesOf('/api/flow/run', '200')).toEqual(['text/html'])
    expect(typesOf('/api/flow/run', '410')).toEqual(['application/json', 'text/html'])
    expect(typesOf('/api/w/{ws}/jobs/{id}/logs', '200')).toEqual([
      'application/json',
      'text/event-stream',
      'text/plain',
    ])
    const ofMcp = paths['/mcp/{ws}']?.post?.responses?.['200']?.content ?? {}
    expect(Object.keys(ofMcp).sort()).toEqual(['application/json', 'text/event-stream'])
  })

  it('joins no shape with null, which no value fits', async () => {
    const { text } = await app.call('GET', '/api/openapi.json')
    // a reference joined with a type that may be null
    expect(text).not.toMatch(/"allOf":\[\{"\$ref":"[^"]*"\},\{"type":\[[^\]]*"null"/)
  })

  it('has no pattern with the flags of a regular expression, which nothing fits', async () => {
    const { text } = await app.call('GET', '/api/openapi.json')
    // the generator keeps the end of /^a$/u
    expect(text.match(/"pattern":"[^"]*\/[a-z]+"/g)).toBeNull()
  })

  it('lists the refusals of bodies, and describes itself as JSON', async () => {
    const { paths } = await read()
    const [tokens, document] = [paths['/api/w/{ws}/tokens'], paths['/api/openapi.json']]
    expect(Object.keys(tokens?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '413', '415']),
    )
    expect(Object.keys(tokens?.get?.responses ?? {})).not.toContain('415')
    expect(JSON.stringify(document?.get?.responses['200'])).not.toContain('"type":"string"')
  })

  it('refers only to shapes that it holds', async () => {
    const document = await read()
    const { text } = await app.call('GET', '/api/openapi.json')
    for (const kind of ['schemas', 'responses'] as const) {
      const references = [...text.matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g'))]
      expect(references.length).toBeGreaterThan(0)
      for (const [, name = ''] of references) expect(document.components[kind]).toHaveProperty(name)
    }
  })
})

describe('redocly lint', () => {
  const lint = async (document: object): Promise<readonly string[]> => {
    const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') })
    const absoluteRef = join(ROOT, 'openapi.json')
    const found = await lintFromString({ source: JSON.stringify(document), absoluteRef, config })
    return found.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  }

  it('finds neither an error nor a warning', { timeout: 60_000 }, async () => {
    expect(await lint(openApiDocument(allEndpoints, '1.2.3'))).toEqual([])
  })

  it('would find them', { timeout: 60_000 }, async () => {
    const { info, ...rest } = openApiDocument(allEndpoints, '1.2.3')
    const faulty = { ...rest, info: { title: info.title }, security: 'none' }
    const found = await lint(faulty)
    expect(found.filter((each) => each.startsWith('info-license'))).toHaveLength(1)
    expect(found.filter((each) => each.startsWith('struct')).length).toBeGreaterThan(0)
  })
})

describe('GET /api/docs', () => {
  it('lists every route and loads nothing from anywhere', async () => {
    const { status, headers, text } = await app.call('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { path } of app.routes) expect(text).toContain(path)
    expect(text).not.toMatch(/ src=|@import|url\(|href="http|<link rel="stylesheet"/)
  })

  it('runs its own two scripts alone, by their hashes', async () => {
    const { headers, text } = await app.call('GET', '/api/docs')
    const policy = headers.get('content-security-policy') ?? ''
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, body = '']) => body)
    expect(scripts).toHaveLength(2)
    for (const body of [...scripts, /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '']) {
      expect(policy).toContain(createHash('sha256').update(body).digest('base64'))
    }
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toContain('unsafe')
  })

  it('is compressed for who takes it, below 100 kB', async () => {
    for (const [path, encoding] of [
      ['/api/docs', 'gzip'],
      ['/api/docs', 'br'],
      ['/api/openapi.json', 'br'],
    ] as const) {
      const headers = { 'accept-encoding': encoding }
      const answer = await app.request('GET', path, { headers })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      const body = Buffer.from(await answer.arrayBuffer())
      expect(body.length).toBeLessThan(100_000)
      const text = String(encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body))
      expect(text).toBe((await app.call('GET', path)).text)
    }
  })
})

describe('GET /metrics', () => {
  it('is for callers on this machine, or with the token', async () => {
    const scrape = (headers: Record<string, string>) => app.call('GET', '/metrics', { headers })
    expect((await scrape({})).status).toBe(403)
    expect((await scrape({ authorization: 'Bearer scrape-you' })).status).toBe(403)
    const answer = await scrape({ authorization: 'Bearer scrape-me' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.text).toBe('svc_up 1\n')
  })

  it('takes a proxy on this machine for no caller of this machine', async () => {
    const url = `${await app.listen()}/metrics`
    const status = async (headers: Record<string, string>) => (await fetch(url, { headers })).status
    expect(await status({})).toBe(200)
    expect(await status({ 'x-forwarded-for': '203.0.113.9' })).toBe(403)
    expect(await status({ forwarded: 'for=203.0.113.9' })).toBe(403)
    const token = { authorization: 'Bearer scrape-me', 'x-forwarded-for': '203.0.113.9' }
    expect(await status(token)).toBe(200)
  })

  it('is closed to a web page whose domain resolves to this machine', async () => {
    const url = `${await app.listen()}/metrics`
    const status = async (host: string) => {
      const [answer] = await once(get(url, { headers: { host } }), 'response')
      answer.resume()
      return answer.statusCode
    }
    for (const host of [
      'attacker.example',
      'localhost.attacker.example:3000',
      '127.0.0.1.nip.io',
    ]) {
      expect(await status(host)).toBe(403)
    }
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'my-machine:3000']) {
      expect(await status(host)).toBe(200)
    }
  })
})
