/**
 * The certificate relay over two servers of one database: whichever server
 * the phone uses, it gets what the desktop sent to the other.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { createRelay } from '../../sdk/relay.ts'
import { MATERIAL } from '../support/relay-caller.ts'
import { LONG_LEASE, type Node } from './durable-node.ts'
import { type Fleet, type FleetBackend, openFleet } from './fleet.ts'

const BACKENDS: readonly FleetBackend[] = ['file', 'sqld']

const post = async (node: Node, path: string, body: object) => {
  const answer = await fetch(`${node.url}/v2/certificates/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json: unknown = await answer.json()
  return { status: answer.status, json }
}

const resolved = z.object({ certId: z.string() })

describe.each(BACKENDS)('two servers over %s', { timeout: 60_000 }, (backend) => {
  let fleet: Fleet
  let servers: readonly [Node, Node]
  let apiKey = ''
  beforeAll(async () => {
    fleet = await openFleet(backend, LONG_LEASE)
    servers = await Promise.all([fleet.start('server'), fleet.start('server')])
    const made = await fleet.call(servers[0], 'POST', '/api-keys', { name: 'relay' })
    apiKey = z.object({ key: z.string() }).parse(made.json).key
  }, 120_000)
  afterAll(() => fleet.close())

  const send = async (to: Node, code: string) => {
    const { certId } = resolved.parse((await post(to, 'resolve', { code })).json)
    return post(to, `upload/${certId}`, MATERIAL)
  }

  /** @returns milliseconds from the upload to its arrival */
  const relayOnce = async (phone: Node, desktop: Node): Promise<number> => {
    const session = await createRelay({ url: phone.url, apiKey }).createSession()
    const left = new AbortController()
    const result = session.waitForImport({ signal: left.signal })
    // the test may end first; a client that still waits would fail minutes later, in the middle of other tests
    result.catch(() => undefined)
    onTestFinished(() => left.abort())
    // polls become less and less frequent: after a second, the next one is most of a second away
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = performance.now()
    expect((await send(desktop, session.code)).status).toBe(200)
    expect(await result).toEqual({ kind: 'success', certId: session.certId, ...MATERIAL })
    const took = performance.now() - before
    expect((await post(desktop, `upload/${session.certId}`, MATERIAL)).status).toBe(410)
    return took
  }

  test('a phone that waits at one gets at once what is uploaded to the other', async () => {
    const [one, other] = servers
    // on a busy machine a later poll may be as fast
    await vi.waitFor(
      async () => {
        expect(await relayOnce(one, other)).toBeLessThan(500)
        expect(await relayOnce(other, one)).toBeLessThan(500)
      },
      { timeout: 30_000, interval: 200 },
    )
  })

  test('over a WebSocket too, and cancel is heard at the other', async () => {
    const [phone, desktop] = servers
    const session = await createRelay({ url: desktop.url, apiKey }).createSession()
    const listenAt = (certId: string): string[] => {
      const url = `${phone.url.replace('http', 'ws')}/v2/certificates/session/${certId}/ws`
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } })
      const messages: string[] = []
      socket.on('message', (data) => messages.push(String(data)))
      return messages
    }
    const messages = listenAt(session.certId)
    await vi.waitFor(() => expect(messages).toHaveLength(1), { timeout: 5_000 })
    expect((await send(desktop, session.code)).status).toBe(200)
    await vi.waitFor(() => expect(messages).toHaveLength(2), { timeout: 5_000 })
    expect(JSON.parse(messages[1] ?? '')).toMatchObject({ status: 'delivered', ...MATERIAL })
    const given = await createRelay({ url: phone.url, apiKey }).createSession()
    const waiting = given.waitForImport()
    await given.cancel()
    expect(await waiting).toEqual({ kind: 'cancelled' })
  })

  test('twenty receivers at both get one certificate between them', async () => {
    const session = await createRelay({ url: servers[0].url, apiKey }).createSession()
    const receive = async (at: number) => {
      const { url } = at % 2 === 0 ? servers[0] : servers[1]
      const answer = await fetch(`${url}/v2/certificates/session/${session.certId}?wait_s=20`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      return { status: answer.status, text: await answer.text() }
    }
    const waiting = Array.from({ length: 20 }, (_, at) => receive(at))
    expect((await send(servers[1], session.code)).status).toBe(200)
    const answers = await Promise.all(waiting)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(410)])
    expect(answers.filter(({ text }) => text.includes(MATERIAL.certKey))).toHaveLength(1)
  })

  test('an address has ten wrong codes at both together', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 14; at += 1) {
      const server = at % 2 === 0 ? servers[0] : servers[1]
      // there is no session, so every code is wrong
      statuses.push((await post(server, 'resolve', { code: String(at).padStart(6, '0') })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(404), ...Array(4).fill(429)])
  })

  test('a session expires under a phone that waits, and a server that stops notifies the phone', async () => {
    const short = { SVC_RELAY_TTL_S: '2' }
    const server = await fleet.start('server', { env: short })
    const relay = createRelay({ url: server.url, apiKey })
    const session = await relay.createSession()
    expect(await session.waitForImport()).toEqual({ kind: 'expired' })
    const other = await createRelay({ url: servers[1].url, apiKey }).createSession()
    const url = `${server.url.replace('http', 'ws')}/v2/certificates/session/${other.certId}/ws`
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } })
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('message', resolve))
    expect(await server.process.stop()).toBe(0)
    expect(await closed).toBe(1001)
    for (const node of servers)
      expect(node.process.said()).not.toContain(MATERIAL.certKey.slice(0, 30))
  })
})
