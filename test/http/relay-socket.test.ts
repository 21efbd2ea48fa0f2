/** The relay's WebSocket: the responses of the long poll as messages, and the same refusals before the handshake. */
import { getEventListeners, once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createClientAddress } from '#http/admission/client-address.ts'
import {
  createRelaySockets,
  RELAY_SOCKET_PATH,
  type RelaySockets,
} from '#http/relay/relay-socket.ts'
import { type Listener, listen } from '#node/listener/listen.ts'
import { revokeApiKey } from '#service/customers/api-key.ts'
import { createHints } from '#service/hints.ts'
import { expireSessions } from '#service/relay/expire-sessions.ts'
import { holdRelayMaterial } from '#store/relay.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { createRelayCaller, MATERIAL, type RelayCaller } from '../support/relay-caller.ts'

let app: TestApp
let phone: RelayCaller
let listener: Listener
let sockets: RelaySockets
const logged: string[] = []
const note = (message: string): void => void logged.push(message)
const OPEN = {
  log: { debug: note, info: note, warn: note, error: note },
  rateLimit: () => undefined,
  toClientAddress: createClientAddress([]),
}
beforeAll(async () => {
  app = await createTestApp()
  phone = await createRelayCaller(app)
  sockets = createRelaySockets({ ...app.deps, ...OPEN })
  listener = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('http'))
  listener.upgradeWith(RELAY_SOCKET_PATH, sockets.accept)
})
afterAll(async () => {
  sockets.close()
  await listener.stop()
  await app.close()
})

type Connection = Readonly<{
  /** Resolves with the next message. */
  next: () => Promise<unknown>
  /** Resolves with the close code. */
  ended: Promise<number>
  socket: WebSocket
}>

const connect = (
  certId: string,
  key = phone.key,
  options: object = {},
  at = listener,
): Connection => {
  const url = `${at.url.replace('http', 'ws')}/v2/certificates/session/${certId}/ws`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` }, ...options })
  const messages: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  socket.on('message', (data) => {
    const message: unknown = JSON.parse(String(data))
    const taker = waiting.shift()
    if (taker === undefined) messages.push(message)
    else taker(message)
  })
  socket.on('error', () => undefined)
  return {
    socket,
    next: () =>
      messages.length > 0
        ? Promise.resolve(messages.shift())
        : new Promise((resolve) => waiting.push(resolve)),
    ended: new Promise((resolve) => socket.on('close', resolve)),
  }
}

/** Resolves with the status of a refused handshake. */
const refusedWith = (certId: string, key: string, at = listener): Promise<number> =>
  new Promise((resolve) => {
    const { socket } = connect(certId, key, {}, at)
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })

describe('a receiver', () => {
  it('gets `waiting`, then the certificate, and nothing more', async () => {
    const { certId, expiresAt } = await phone.open()
    const connection = connect(certId)
    expect(await connection.next()).toEqual({ status: 'waiting', expiresAt })
    await phone.upload(certId)
    expect(await connection.next()).toEqual({ status: 'delivered', certId, ...MATERIAL })
    expect(await connection.ended).toBe(1000)
    expect((await phone.receive(certId)).status).toBe(410)
  })

  it('gets at once what was uploaded before it came', async () => {
    const { certId } = await phone.open()
    await phone.upload(certId)
    const connection = connect(certId)
    expect(await connection.next()).toMatchObject({ status: 'delivered', ...MATERIAL })
    expect(await connection.ended).toBe(1000)
  })

  it('is one of twenty who gets it; the others get 410', async () => {
    const { certId } = await phone.open()
    const connections = Array.from({ length: 20 }, () => connect(certId))
    await Promise.all(connections.map(({ next }) => next()))
    await phone.upload(certId)
    const last = await Promise.all(connections.map(({ next }) => next()))
    expect(
      last.filter((message) => JSON.stringify(message).includes(MATERIAL.certKey)),
    ).toHaveLength(1)
    expect(
      last.filter((message) => JSON.stringify(message) === '{"status":"delivered"}'),
    ).toHaveLength(19)
    await Promise.all(connections.map(({ ended }) => ended))
  })

  it('is cut within two seconds of the end of its key, though it does nothing', async () => {
    const other = await createRelayCaller(app)
    const { certId } = await other.open()
    const connection = connect(certId, other.key)
    await connection.next()
    const [keyId = ''] = other.key.split('.')
    await revokeApiKey(app.deps, { ws: WS, keyId, actor: CLI_ACTOR })
    expect(await connection.ended).toBe(1008)
  })

  it('who has gone is not kept for the key whose other receivers stay', async () => {
    const signals = new Set<AbortSignal>()
    const { addEventListener } = AbortSignal.prototype
    const spy = vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function add(
      this: AbortSignal,
      ...args: unknown[]
    ) {
      signals.add(this)
      return Reflect.apply(addEventListener, this, args)
    })
    const listeners = (): number =>
      [...signals].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0)
    try {
      const stays = connect((await phone.open()).certId)
      await stays.next()
      const before = listeners()
      expect(before).toBeGreaterThan(0)
      for (let count = 0; count < 3; count += 1) {
        const goes = connect((await phone.open()).certId)
        await goes.next()
        goes.socket.close()
        await goes.ended
      }
      await expect.poll(listeners).toBe(before)
      stays.socket.close()
      await stays.ended
    } finally {
      spy.mockRestore()
    }
  })

  it('is notified of cancel and expiry', async () => {
    const cancelled = await phone.open()
    const expired = await phone.open()
    const [first, second] = [connect(cancelled.certId), connect(expired.certId)]
    await Promise.all([first.next(), second.next()])
    await phone.cancel(cancelled.certId)
    await app.deps.db.write([
      sql`UPDATE relay_sessions SET expires_at = 1 WHERE id = ${expired.certId}`,
    ])
    await expireSessions(app.deps)
    expect(await first.next()).toEqual({ status: 'cancelled' })
    expect(await second.next()).toEqual({ status: 'expired' })
    expect(await Promise.all([first.ended, second.ended])).toEqual([1000, 1000])
    const late = connect(cancelled.certId)
    expect(await late.next()).toEqual({ status: 'cancelled' })
    expect(await late.ended).toBe(1000)
  })

  it('who has gone does not get what another may still have', async () => {
    const { certId } = await phone.open()
    const connection = connect(certId)
    await connection.next()
    connection.socket.terminate()
    await connection.ended
    await phone.upload(certId)
    expect((await phone.receive(certId)).status).toBe(200)
  })

  it('who does not answer a ping gets nothing and is dropped', async () => {
    const { certId } = await phone.open()
    const connection = connect(certId, phone.key, { autoPong: false })
    await connection.next()
    await phone.upload(certId)
    expect(await connection.ended).toBe(1006)
    expect((await phone.receive(certId)).status).toBe(200)
  })

  it('whose key is revoked while it waits gets nothing', async () => {
    const doomed = await createRelayCaller(app)
    const { certId } = await doomed.open()
    const connection = connect(certId, doomed.key)
    await connection.next()
    const keyId = doomed.key.split('.')[0] ?? ''
    await revokeApiKey(app.deps, { ws: WS, keyId, actor: CLI_ACTOR })
    // an upload that was under way
    const change = { id: certId, changeId: app.deps.newId() }
    const held = { ws: WS, material: Buffer.from('sealed'), mostBytes: 100 }
    await app.deps.db.write(holdRelayMaterial(change, held))
    app.deps.hints.relayChanged.emit(certId)
    expect(await connection.ended).toBe(1011)
    const row = await app.deps.db.one(sql`SELECT state FROM relay_sessions WHERE id = ${certId}`)
    expect(row).toEqual({ state: 'uploaded' })
  })

  it('is found by polling where no hint arrives', async () => {
    const { certId } = await phone.open()
    const deaf = createRelaySockets({
      ...app.deps,
      hints: createHints(),
      log: { debug: fail, info: fail, warn: fail, error: fail },
      rateLimit: () => undefined,
      toClientAddress: createClientAddress([]),
    })
    const other = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('http'))
    other.upgradeWith(RELAY_SOCKET_PATH, deaf.accept)
    const url = `${other.url.replace('http', 'ws')}/v2/certificates/session/${certId}/ws`
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${phone.key}` } })
    const messages: string[] = []
    socket.on('message', (data) => messages.push(String(data)))
    await expect.poll(() => messages.length).toBe(1)
    await phone.upload(certId)
    await expect.poll(() => messages.length, { timeout: 5_000 }).toBe(2)
    expect(JSON.parse(messages[1] ?? '')).toMatchObject({ status: 'delivered', ...MATERIAL })
    deaf.close()
    await other.stop()
  })
})

const fail = (message: string): void => {
  throw new Error(message)
}

describe('another client', () => {
  it('is refused before the handshake', async () => {
    const { certId } = await phone.open()
    const stranger = await createRelayCaller(app)
    expect(await refusedWith(certId, stranger.key)).toBe(404)
    expect(await refusedWith('9b2e0f36-3f5a-4f0e-8a56-0d2f5f3f9c11', phone.key)).toBe(404)
    expect(await refusedWith('x', phone.key)).toBe(404)
    expect(await refusedWith(certId, await app.token(['*']))).toBe(401)
    expect(await refusedWith(certId, '')).toBe(401)
    expect(logged).toEqual([])
  })

  it('of a key is refused while the key has as many sockets as it may, and admitted after', async () => {
    const few = createRelaySockets({ ...app.deps, ...OPEN }, { ofKey: 2, ofWorkspace: 10 })
    const other = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('http'))
    other.upgradeWith(RELAY_SOCKET_PATH, few.accept)
    const { certId } = await phone.open()
    const [first, second] = [1, 2].map(() => connect(certId, phone.key, {}, other))
    await Promise.all([first?.next(), second?.next()])
    expect(await refusedWith(certId, phone.key, other)).toBe(429)
    const stranger = await createRelayCaller(app)
    const own = connect((await stranger.open()).certId, stranger.key, {}, other)
    expect(await own.next()).toMatchObject({ status: 'waiting' })
    first?.socket.close()
    await first?.ended
    const isAdmitted = (): Promise<boolean> =>
      new Promise((resolve) => {
        const { socket } = connect(certId, phone.key, {}, other)
        socket.on('open', () => resolve(true))
        socket.on('unexpected-response', () => resolve(false))
      })
    await expect.poll(isAdmitted).toBe(true)
    few.close()
    await other.stop()
  })

  it('of a workspace is refused while its keys together have as many sockets as they may', async () => {
    const few = createRelaySockets({ ...app.deps, ...OPEN }, { ofKey: 2, ofWorkspace: 3 })
    const other = await listen({ host: '127.0.0.1', port: 0 }, () => new Response('http'))
    other.upgradeWith(RELAY_SOCKET_PATH, few.accept)
    const colleague = await createRelayCaller(app)
    const receivers = [phone, phone, colleague].map(async (caller) => {
      const connection = connect((await caller.open()).certId, caller.key, {}, other)
      await connection.next()
      return connection
    })
    const [first] = await Promise.all(receivers)
    const { certId } = await colleague.open()
    expect(await refusedWith(certId, colleague.key, other)).toBe(429)
    first?.socket.close()
    await first?.ended
    const next = connect(certId, colleague.key, {}, other)
    expect(await next.next()).toMatchObject({ status: 'waiting' })
    few.close()
    await other.stop()
  })

  it('gets only the remedy over plain HTTP', async () => {
    const { certId } = await phone.open()
    const path = `/v2/certificates/session/${certId}/ws`
    expect(await app.call('GET', path, { token: phone.key })).toMatchObject({
      status: 426,
      json: { code: 'upgrade_required' },
    })
  })

  it.each([
    ['Sec-WebSocket-Version', { 'sec-websocket-version': '12' }],
    ['Sec-WebSocket-Key', { 'sec-websocket-key': 'x' }],
  ])('gets the body of all errors for a wrong %s', async (name, wrong) => {
    const { certId } = await phone.open()
    const sent = request(`${listener.url}/v2/certificates/session/${certId}/ws`, {
      headers: {
        authorization: `Bearer ${phone.key}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...wrong,
      },
    })
    const [answer] = await once(sent.end(), 'response')
    expect(answer).toMatchObject({ statusCode: 426 })
    expect(answer.headers).toMatchObject({ upgrade: 'websocket', 'sec-websocket-version': '13' })
    expect(JSON.parse(await text(answer))).toEqual({
      error: expect.stringContaining(name),
      code: 'upgrade_required',
      request_id: answer.headers['x-request-id'],
    })
  })

  it('cannot fill the memory with messages', async () => {
    const { certId } = await phone.open()
    const connection = connect(certId)
    await connection.next()
    connection.socket.send('x'.repeat(2_000))
    expect(await connection.ended).toBe(1009)
    expect((await phone.receive(certId)).status).toBe(202)
  })
})

it('a node that stops closes all sockets with a code', async () => {
  const { certId } = await phone.open()
  const connection = connect(certId)
  await connection.next()
  sockets.close()
  expect(await connection.ended).toBe(1001)
  await phone.upload(certId)
  expect((await phone.receive(certId)).status).toBe(200)
})
