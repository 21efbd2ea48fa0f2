import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginLogin, untilGranted } from './device-login.ts'

const answers: (readonly [number, string])[] = []
const server = createServer((_request, response) => {
  const [status, text] = answers.shift() ?? [500, '']
  response.writeHead(status).end(text)
})
let endpoint = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address !== null && typeof address === 'object') endpoint = `http://127.0.0.1:${address.port}`
})
afterAll(() => void server.close())

const login = {
  device_code: 'd',
  user_code: 'u',
  verification_uri: 'v',
  verification_uri_complete: 'c',
  expires_in: 600,
  interval: 5,
}

test('a login outlasts a server that restarts or is busy', async () => {
  answers.push(
    [400, '{"error":"authorization_pending"}'],
    [503, '<html>Bad Gateway</html>'],
    [429, '{"error":"Too many requests.","code":"rate_limited"}'],
    [400, '{"error":"slow_down"}'],
    [200, '{"access_token":"t","workspace":"default"}'],
  )
  const pauses: number[] = []
  const wait = async (ms: number): Promise<void> => void pauses.push(ms)
  expect(await untilGranted({ endpoint, login }, wait)).toMatchObject({ access_token: 't' })
  expect(pauses).toEqual([5_000, 5_000, 1_000, 1_000, 10_000])
})

test('a login that was denied ends', async () => {
  answers.push([400, '{"error":"access_denied"}'])
  const ended = untilGranted({ endpoint, login }, async () => undefined)
  await expect(ended).rejects.toThrow('was denied in the browser')
})

test('a server that is not svc is named, whatever its status', async () => {
  answers.push([501, '<html>Unsupported method</html>'])
  await expect(beginLogin(endpoint)).rejects.toThrow(`${endpoint} does not answer as svc does`)
})

test('a server that was not reached is named with the code of the failure', async () => {
  await new Promise((resolve) => server.close(resolve))
  // a connection of its own: fetch keeps those to the other name
  const other = endpoint.replace('127.0.0.1', 'localhost')
  await expect(beginLogin(other)).rejects.toThrow(
    `${other} does not answer (ECONNREFUSED). Is svc running there?`,
  )
})
