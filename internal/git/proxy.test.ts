import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { portOf } from '../../test/support/port-of.ts'
import { createGit } from './git.ts'

let accepted = 0
const server = createServer((socket) => {
  accepted += 1
  socket.destroy()
})
beforeEach(async () => {
  accepted = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.close()
  await once(server, 'close')
})

const probe = (url: string, environment: Readonly<Record<string, string>>) =>
  createGit({
    localRoots: [],
    network: 'public',
    environment: { PATH: process.env.PATH ?? '', ...environment },
    resolve: async () => ['127.0.0.1'],
  })
    .probe({ url: url.replace('P', String(portOf(server))), auth: null }, async () => undefined)
    .catch((error: unknown) => error)

// nothing listens at this port
const PROXY = 'http://127.0.0.1:9'

test.each([
  ['git://localhost:P/a.git', { ALL_PROXY: PROXY }],
  ['ssh://git@localhost:P/a.git', { ALL_PROXY: PROXY }],
  ['http://localhost:P/a.git', { HTTPS_PROXY: PROXY }],
  ['https://localhost:P/a.git', { http_proxy: PROXY }],
  // curl does not read it, because callers of CGI programs can set it
  ['http://localhost:P/a.git', { HTTP_PROXY: PROXY }],
])('the host of %s is checked when %j does not apply to it', async (url, environment) => {
  expect(await probe(url, environment)).toMatchObject({ code: 'url_not_allowed' })
  expect(accepted).toBe(0)
})

test.each([
  { http_proxy: PROXY, no_proxy: 'localhost' },
  { all_proxy: PROXY, NO_PROXY: '*' },
])(
  'a host that %j leaves out of the proxy is not reached directly if it is closed',
  async (environment) => {
    expect(await probe('http://localhost:P/a.git', environment)).toMatchObject({ reachable: false })
    expect(accepted).toBe(0)
  },
)
