import { expect, test } from 'vitest'
import { json, ok } from './answer.ts'
import { endpoint } from './endpoint.ts'
import { endpointFamilies } from './endpoints/all.ts'
import { handlers } from './handlers.ts'
import { lateRoutes } from './late-routes.ts'
import type { RawInput } from './request.ts'
import { routeFactsOf } from './route-facts.ts'
import { ROUTE_TABLE } from './route-table.gen.ts'
import { z } from './schemas/z.ts'

const things = {
  getThing: endpoint({
    method: 'get',
    path: '/things/{id}',
    admits: ['public'],
    tag: 'Things',
    summary: 'A thing',
    answers: { 200: json('It', z.object({ id: z.string() })) },
  }),
}

const facts = [routeFactsOf('getThing', things.getThing)]

const request: RawInput = {
  requestId: 'r1',
  ws: '',
  address: null,
  baseUrl: () => 'http://svc',
  header: () => undefined,
  isHead: false,
  receivedHeaders: () => [],
  signal: new AbortController().signal,
  bodyText: '',
  bodyBytes: new Uint8Array(),
  bodyStream: null,
  readBody: async () => new Uint8Array(),
  takeRate: () => undefined,
  admitLate: async () => undefined,
  principal: null,
  params: { id: 'a' },
  query: {},
  repeated: [],
  json: undefined,
}

test('handlers load with the first request, once for requests that come together', async () => {
  let loads = 0
  const [route] = lateRoutes(facts, async () => {
    loads += 1
    return handlers(things, () => ({ getThing: async ({ params: { id } }) => ok({ id }) }))({})
  })
  expect(loads).toBe(0)
  const both = await Promise.all([route?.run(request), route?.run(request)])
  expect(both).toMatchObject([{ body: { id: 'a' } }, { body: { id: 'a' } }])
  await route?.run(request)
  expect(loads).toBe(1)
})

test('a route whose family does not answer it is reported', async () => {
  const [route] = lateRoutes(facts, async () => [])
  await expect(route?.run(request)).rejects.toThrow('Nothing answers getThing.')
})

test('the table has the facts of every endpoint', () => {
  const expected = Object.entries(endpointFamilies).map(([family, endpoints]) => [
    family,
    Object.entries(endpoints).map(([id, one]) => routeFactsOf(id, one)),
  ])
  expect(ROUTE_TABLE).toEqual(expected)
})
