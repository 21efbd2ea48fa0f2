import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from './exchange.ts'

const describeRequest = async (request: IncomingMessage): Promise<string> =>
  JSON.stringify({
    method: request.method,
    url: request.url,
    token: request.headers.authorization,
    type: request.headers['content-type']?.split(';')[0],
    body: await text(request),
  })

const server = createServer(async (request, response) => {
  if (request.url === '/old') response.writeHead(307, { location: '/new' }).end()
  else if (request.url === '/101') {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end()
  } else if (request.url === '/cut') response.writeHead(200, { 'content-length': '9' }).destroy()
  else response.writeHead(request.url === '/gone' ? 404 : 200).end(await describeRequest(request))
})
let url = ''

const addressOf = (address: AddressInfo | string | null): string =>
  typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = addressOf(server.address())
})
afterAll(() => server.close())

const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }

test('method, headers and body arrive, and the answer comes with its status', async () => {
  const sent = await exchange(`${url}/gone`, { method: 'POST', headers, body: '{"한":1}' })
  expect(sent.status).toBe(404)
  expect(JSON.parse(sent.text)).toEqual({
    method: 'POST',
    url: '/gone',
    token: 'Bearer t',
    type: 'application/json',
    body: '{"한":1}',
  })
})

test('a redirect is followed with method and body', async () => {
  const sent = await exchange(`${url}/old`, { method: 'POST', headers, body: '{}' })
  expect(JSON.parse(sent.text)).toMatchObject({ method: 'POST', url: '/new', body: '{}' })
})

test('a form is sent as one', async () => {
  const body = new FormData()
  body.set('name', 'value')
  const sent = await exchange(`${url}/form`, { method: 'PUT', headers: {}, body })
  expect(JSON.parse(sent.text)).toMatchObject({ method: 'PUT', type: 'multipart/form-data' })
})

test('no server, and an answer that ends early, are errors', async () => {
  const wanted = { method: 'GET', headers: {} }
  await expect(exchange('http://127.0.0.1:9/', wanted)).rejects.toThrow('ECONNREFUSED')
  await expect(exchange(`${url}/cut`, wanted)).rejects.toThrow()
})

test('an answer 101 is an error, because there will be no other', async () => {
  await expect(exchange(`${url}/101`, { method: 'GET', headers })).rejects.toThrow(
    'without a response',
  )
})
