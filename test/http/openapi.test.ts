import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

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
  responses: z.record(z.string(), z.object({ description: z.string().min(1) })),
  'x-scope': z.string(),
})
const openApi = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

const read = async () => openApi.parse((await app.call('GET', '/api/openapi.json')).json)

describe('GET /api/openapi.json', () => {
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

  it('refers only to shapes that it holds', async () => {
    const document = await read()
    const { text } = await app.call('GET', '/api/openapi.json')
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(references.length).toBeGreaterThan(0)
    for (const name of references) expect(document.components.schemas).toHaveProperty(String(name))
  })
})

describe('GET /api/docs', () => {
  it('lists every route and loads nothing from anywhere', async () => {
    const { status, headers, text } = await app.call('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { path } of app.routes) expect(text).toContain(path)
    expect(text).not.toMatch(/<script|src=|@import|url\(|href="http/)
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
})
