import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import type { DevRequest } from './dev-routes.ts'
import { createDevServer, type DevOptions } from './dev-server.ts'

/** A function that takes GET only; these requests run no code. */
const found = { source: { definition: { methods: ['GET'] } }, entry: {} }
const broken = { faults: [{ path: 'functions/broken/index.ts', message: 'is not closed' }] }

const options = {
  app: 'shop',
  functions: {
    names: () => ['hello', 'broken'],
    find: (name: string) => ({ hello: found, broken })[name],
  },
  routes: async ({ url: { pathname } }: DevRequest) => {
    if (pathname === '/hook/refused') throw new AppError('not_found', 'It is unknown.')
    if (pathname !== '/hook/get') return null
    return {
      status: 405,
      headers: { allow: 'POST' },
      body: { error: 'No.', code: 'method_not_allowed' },
    }
  },
  onCall: () => undefined,
} as unknown as DevOptions

const server = createDevServer(options)
let url = ''
beforeAll(async () => {
  url = `http://127.0.0.1:${await server.listen(0)}`
})
afterAll(() => server.close())

it.each([
  ['GET', '/none', 404, 'function_not_found'],
  ['POST', '/hello', 405, 'method_not_allowed'],
  ['GET', '/broken', 500, 'function_failed'],
  ['GET', '/hook/get', 405, 'method_not_allowed'],
  ['GET', '/hook/refused', 404, 'not_found'],
])('%s %s is refused with a code and the id of the request', async (method, path, status, code) => {
  const answer = await fetch(`${url}${path}`, { method })
  const id = answer.headers.get('x-request-id')
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ error: expect.any(String), code, request_id: id })
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

const statusFor = (host: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers: { host } }, async (response) =>
      resolve(`${response.statusCode} ${JSON.parse(await text(response)).code}`),
    )
    sent.once('error', reject).end()
  })

it.each(['/none', '/hook/get'])(
  'a page whose host resolves to this machine is refused at %s',
  async (path) => {
    const { port } = new URL(url)
    expect(await statusFor(`page.example:${port}`, path)).toBe('403 foreign_origin')
    expect(await statusFor(`localhost:${port}`, path)).toMatch(/^40[45] /)
    expect(await statusFor(`Shop.localhost.:${port}`, path)).toMatch(/^40[45] /)
  },
)
