/** When a server has few connections, callers who hold many of them make room for those who hold few. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClientAddress } from '#http/admission/client-address.ts'
import { createRelaySockets, RELAY_SOCKET_PATH } from '#http/relay/relay-socket.ts'
import type { FunctionSurface } from '#http/surfaces/function-surface.ts'
import { type Listener, listen } from '#node/listener/listen.ts'
import { JOBS, type JobCaller, openJobCaller } from '../support/job-caller.ts'
import { createRelayCaller } from '../support/relay-caller.ts'
import { createTenant } from '../support/tenant.ts'

const MOST = 6

/** A function whose calls never end. */
const functions: FunctionSurface = {
  find: (_, url) =>
    Promise.resolve(
      url.includes('/fn/') ? { ws: 'a', app: 'slow', name: 'slow', isOwnOrigin: true } : null,
    ),
  handle: () => {
    calls += 1
    return new Promise(() => undefined)
  },
}
let calls = 0

let caller: JobCaller
let listener: Listener
let headers: string
const clients: Socket[] = []
beforeEach(async () => {
  caller = await openJobCaller({ functions: () => functions, trustedProxies: ['127.0.0.1'] })
  listener = await listen({ host: '127.0.0.1', port: 0, most: MOST }, caller.app.handle)
  headers = `authorization: Bearer ${await caller.app.token(['jobs:read', 'jobs:run'])}`
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await listener.stop()
  await caller.close()
})

const ask = (path: string, more: string): Socket => {
  const client = connect(listener.port, listener.host)
  client.on('error', () => undefined)
  clients.push(client)
  client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n\r\n`)
  return client
}

/** Opens streams of one job, one after the other. */
const openStreams = async (count: number): Promise<readonly Socket[]> => {
  const id = await caller.runFor()
  const streams: Socket[] = []
  for (let left = count; left > 0; left -= 1) {
    const stream = ask(`${JOBS}/${id}/events`, headers)
    const [head] = await once(stream, 'data')
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 /)
    streams.push(stream.resume())
  }
  return streams
}
const statusOf = async (path: string, more: string): Promise<string> =>
  (await text(ask(path, `connection: close\r\n${more}`))).slice(9, 12)
const isEnded = ({ destroyed }: Socket): boolean => destroyed

it('a workspace with a stream on every connection makes room for another, and gets no more itself', async () => {
  const streams = await openStreams(MOST)
  const rival = await createTenant(caller.app, 'rival')
  const list = (): Promise<string> =>
    statusOf('/api/w/rival/jobs', `authorization: Bearer ${rival.token}`)
  expect(await list()).toBe('200')
  await expect.poll(() => streams.filter(isEnded)).toEqual(streams.slice(0, 1))

  await openStreams(1)
  const refused = await text(ask(JOBS, `connection: close\r\n${headers}`))
  expect(refused).toMatch(/^HTTP\/1\.1 503 /)
  expect(refused).toMatch(/retry-after: 2/i)
  expect(refused).toContain('"code":"unavailable"')
  expect(await list()).toBe('200')
})

it('callers without a credential and health checks get a connection, and an unknown credential its refusal', async () => {
  await openStreams(MOST)
  expect(await statusOf('/api/w/default/jobs', 'authorization: Bearer unknown')).toBe('401')
  expect(await statusOf('/api/config', '')).toBe('200')
  await openStreams(1)
  expect(await statusOf('/healthz', '')).toBe('200')
})

it('the WebSockets of a workspace count as its other connections', async () => {
  const { app } = caller
  const phone = await createRelayCaller(app)
  const log = { debug: () => 0, info: () => 0, warn: () => 0, error: () => 0 }
  const open = { log, rateLimit: () => undefined, toClientAddress: createClientAddress([]) }
  const sockets = createRelaySockets({ ...app.deps, ...open })
  listener.upgradeWith(RELAY_SOCKET_PATH, sockets.accept)
  const { certId } = await phone.open()
  const url = `ws://${listener.host}:${listener.port}/v2/certificates/session/${certId}/ws`
  const connectSocket = () =>
    new WebSocket(url, { headers: { authorization: `Bearer ${phone.key}` } })
  const opened = Array.from({ length: MOST }, connectSocket)
  await Promise.all(opened.map((one) => once(one, 'message')))

  const rival = await createTenant(app, 'rival')
  expect(await statusOf('/api/w/rival/jobs', `authorization: Bearer ${rival.token}`)).toBe('200')
  const { CLOSED } = WebSocket
  await expect.poll(() => opened.filter(({ readyState }) => readyState === CLOSED).length).toBe(1)
  await Promise.all([openStreams(1)])
  const [error] = await once(connectSocket(), 'error')
  expect(String(error)).toContain('503')
  for (const one of opened) one.terminate()
  sockets.close()
})

it('callers behind a trusted proxy count by their own address', async () => {
  const call = async (address: string): Promise<Socket> => {
    const before = calls
    const client = ask('/fn/a/slow/slow', `x-forwarded-for: ${address}`).resume()
    await expect.poll(() => calls).toBe(before + 1)
    return client
  }
  const flood: Socket[] = []
  for (let at = 0; at < MOST; at += 1) flood.push(await call('192.0.2.1'))
  expect(await statusOf('/fn/a/slow/slow', 'x-forwarded-for: 192.0.2.1')).toBe('503')
  const other = await call('192.0.2.2')
  await expect.poll(() => flood.filter(isEnded).length).toBe(1)
  expect(other.destroyed).toBe(false)
})
