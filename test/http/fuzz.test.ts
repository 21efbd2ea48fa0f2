/**
 * Requests made from the OpenAPI document, with shapes that fit it, nearly fit it and do not. No response has a 5xx status,
 * none reveals a source location, and every error has the common body.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'
import { runs } from '../support/runs.ts'

const REQUESTS = runs({ short: 1_500, long: 5_000 })

const parameter = z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']) })
const operation = z.looseObject({
  parameters: z.array(parameter).optional(),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
    .optional(),
})
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const errorBody = z.object({ error: z.string(), code: z.string(), request_id: z.string() })

type Operation = Readonly<{
  method: string
  path: string
  query: readonly string[]
  body: unknown
}>

let app: TestApp
let tokens: readonly string[] = []
let operations: readonly Operation[] = []
let known: Readonly<Record<string, readonly string[]>> = {}
beforeAll(async () => {
  app = await createTestApp({ maxBodyBytes: 8_192 })
  const deploymentId = await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  const ids = await insertJobs(app.deps.db, [
    { ws: WS, deploymentId, app: 'hello', action: 'greet' },
    { ws: WS, deploymentId, app: 'hello', action: 'greet', status: 'success' },
  ])
  tokens = [await app.token(['*']), await app.token(['jobs:read'])]
  known = {
    ws: [WS],
    app: ['hello'],
    action: ['greet'],
    email: ['admin@localhost'],
    id: ids,
    text: ['a-name', 'name', '2030-01-01T00:00:00Z', 'https://example.com/path'],
  }
  const answer = await app.call('GET', '/api/openapi.json')
  operations = toOperations(documentShape.parse(answer.json).paths)
})
afterAll(() => app.close())

const toOperations = (
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods)
      // these would end the credential or delete the app that the other requests need
      .filter(
        (method) =>
          path !== '/api/auth/logout' && !(method === 'delete' && path.endsWith('/apps/{app}')),
      )
      .map((method) => {
        const { parameters = [], requestBody } = operation.parse(methods[method])
        const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
        const schema = requestBody?.content['application/json']?.schema
        return { method: method.toUpperCase(), path, query, body: schema }
      }),
  )

const strange = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    'null',
    '../../etc/passwd',
    '%00',
    '\u0000',
    "' OR 1=1 --",
    '__proto__',
    'constructor',
    '💥',
    '\ud800',
    '9'.repeat(400),
  ),
)

const knownWord = (): fc.Arbitrary<string> => fc.constantFrom(...Object.values(known).flat())

const word = (): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: knownWord() }, { weight: 1, arbitrary: strange })

/** Mostly a value that exists. */
const pathValue = (name: string): fc.Arbitrary<string> => {
  const values = known[name]
  if (values === undefined) return word()
  if (name === 'ws') return fc.constantFrom(...values)
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, word())
}

const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
})

/** Values with the types of a JSON schema. Of its limits and formats, they keep none. */
const fitting = (schema: unknown): fc.Arbitrary<unknown> => {
  const parsed = schemaShape.safeParse(schema)
  if (!parsed.success) return fc.jsonValue({ maxDepth: 2 })
  const { enum: values, properties, required = [], items, ...choices } = parsed.data
  const [type] = [choices.type].flat()
  const alternatives = choices.anyOf ?? choices.oneOf
  if (values !== undefined) return fc.constantFrom(...values)
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(fitting))
  if (type === 'string') return knownWord()
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.nat({ max: 100 })
  if (type === 'array') return fc.array(fitting(items), { maxLength: 3 })
  if (properties === undefined) return fc.dictionary(word(), word(), { maxKeys: 2 })
  const fields = Object.entries(properties).map(([name, each]) => [name, fitting(each)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

type Content = Pick<TestRequest, 'json' | 'body' | 'headers'>

const body = (schema: unknown): fc.Arbitrary<Content> => {
  const names = Object.keys(schemaShape.safeParse(schema).data?.properties ?? {})
  const value = fc.oneof(word(), fc.boolean(), fc.integer(), fc.jsonValue({ maxDepth: 3 }))
  const shaped =
    names.length === 0
      ? fc.jsonValue()
      : fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
  const headers = { 'content-type': 'application/json' }
  return fc.oneof(
    { weight: 6, arbitrary: fitting(schema).map((json) => ({ json })) },
    { weight: 3, arbitrary: shaped.map((json) => ({ json })) },
    { weight: 1, arbitrary: fc.constant<Content>({}) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('{', '[]', '{"a":', 'x', '"', '\u0000', '{"a":1}'.repeat(2_000))
        .map((text) => ({ body: text, headers })),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => ({
        body: Uint8Array.from(bytes),
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })),
    },
  )
}

const request = (): fc.Arbitrary<Readonly<{ method: string; path: string; init: TestRequest }>> =>
  fc.constantFrom(...operations).chain(({ method, path, query, body: schema }) => {
    const holes = [...path.matchAll(/\{\w+\}/g)].map(([hole]) => hole)
    return fc
      .record({
        values: fc.tuple(...holes.map((hole) => pathValue(hole.slice(1, -1)))),
        query:
          query.length === 0
            ? fc.constant({})
            : fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...query), strange)),
        content: method === 'GET' ? fc.constant<Content>({}) : body(schema),
        token: fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(tokens[0]) },
          { weight: 1, arbitrary: fc.constantFrom(tokens[1], 'nonsense', undefined) },
        ),
        key: fc.option(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 })),
      })
      .map(({ values, query: given, content, token, key }) => {
        const filled = holes.reduce(
          (text, hole, at) =>
            text.replace(hole, encodeURIComponent((values[at] ?? '').toWellFormed())),
          path,
        )
        const search = new URLSearchParams(given).toString()
        return {
          method,
          path: search === '' ? filled : `${filled}?${search}`,
          init: {
            ...content,
            ...(token === undefined ? {} : { token }),
            headers: {
              ...content.headers,
              ...(key === null ? {} : { 'idempotency-key': key.trim() }),
              accept: 'application/json',
            },
          },
        }
      })
  })

/** Waits up to half a minute by design. */
const isSlow = (path: string): boolean => path.includes('/wait') || path.includes('/events')

test(`${REQUESTS} requests get no answer of the 500 class, and no stack trace`, {
  timeout: 300_000,
}, async () => {
  const seen = new Set<number>()
  let changes = 0
  await fc.assert(
    fc.asyncProperty(request(), async ({ method, path, init }) => {
      if (isSlow(path)) return
      const answer = await app.call(method, path, init)
      seen.add(answer.status)
      if (method !== 'GET' && answer.status < 300) changes += 1
      expect(answer.status, `${method} ${path}\n${answer.text}`).toBeLessThan(500)
      expect(answer.text).not.toMatch(/\n\s+at |node:internal|\.ts:\d+/)
      expect(answer.headers.get('x-request-id')).not.toBeNull()
      // agents get the errors of JSON-RPC
      const isSvcError = answer.status >= 400 && answer.text !== '' && !path.startsWith('/mcp/')
      if (isSvcError) errorBody.parse(answer.json)
    }),
    { numRuns: REQUESTS },
  )
  expect(app.errors).toEqual([])
  // requests that all fail at authentication would prove nothing
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]))
  // requests that are all refused would prove little; 50 to 70 are usual
  expect(changes).toBeGreaterThan(10)
})
