/** nginx in front of a server, as in compose.yaml and without any setting: what plain requests do not show. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { z } from 'zod'
import { createRelay } from '../../sdk/relay.ts'
import { portOf } from '../support/port-of.ts'
import { readSource } from '../support/repository.ts'
import { LONG_LEASE, type Node } from './durable-node.ts'
import { type Fleet, openFleet } from './fleet.ts'

const composeFile = z.object({
  configs: z.object({ nginx: z.object({ content: z.string() }) }),
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

type Ports = Readonly<Record<'composed' | 'plain', number>>

/** The configuration of compose.yaml, with addresses of this machine, and one without settings. */
const configurationFor = ({ url }: Node, ports: Ports, folder: string): string => {
  const { configs } = composeFile.parse(parse(readSource('compose.yaml'), { merge: true }))
  const site = configs.nginx.content
    .replaceAll('$$', '$')
    .replace('listen 80;', `listen 127.0.0.1:${ports.composed};`)
    .replace(/resolver .*;/, '')
    .replace('http://server:3000', url)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join(' ')
  return `daemon off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary}
${site}
server { listen 127.0.0.1:${ports.plain}; location / { proxy_pass ${url}; } } }`
}

let fleet: Fleet
let composed: Node
let plain: Node
let stopProxy: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  fleet = await openFleet('file', LONG_LEASE)
  const server = await fleet.start('server')
  const folder = join(fleet.folder.path, 'nginx')
  mkdirSync(folder, { mode: 0o777 })
  const ports = { composed: await freePort(), plain: await freePort() }
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configurationFor(server, ports, folder))
  const nginx = spawn('nginx', ['-c', file], { stdio: 'inherit' })
  // one that cannot start has ended before
  const ended = once(nginx, 'exit')
  stopProxy = async () => {
    nginx.kill('SIGQUIT')
    await ended
  }
  composed = { ...server, url: `http://127.0.0.1:${ports.composed}` }
  plain = { ...server, url: `http://127.0.0.1:${ports.plain}` }
  await vi.waitFor(async () => expect((await fetch(`${plain.url}/healthz`)).status).toBe(200))
}, 120_000)
afterAll(async () => {
  await stopProxy()
  await fleet.close()
})

const started = z.object({ job_id: z.string() })

test.each([
  ['composed', () => composed],
  ['plain', () => plain],
])('%s: events of a job come when they happen', async (_, pick) => {
  const proxy = pick()
  const queued = await fleet.call(proxy, 'POST', '/jobs/run/crash/quick', { id: 1 })
  const { job_id: id } = started.parse(queued.json)
  const left = new AbortController()
  const stream = await fetch(`${proxy.url}/api/w/default/jobs/${id}/events`, {
    headers: { authorization: `Bearer ${fleet.folder.token}` },
    signal: left.signal,
  })
  const first = await stream.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toContain('"status":"queued"')
  left.abort()
})

test('a phone reads the relay over a WebSocket', async () => {
  const made = await fleet.call(composed, 'POST', '/api-keys', { name: 'relay' })
  const apiKey = z.object({ key: z.string() }).parse(made.json).key
  const { certId } = await createRelay({ url: composed.url, apiKey }).createSession()
  const url = `${composed.url.replace('http', 'ws')}/v2/certificates/session/${certId}/ws`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } })
  const [message] = await once(socket, 'message')
  expect(String(message)).toContain('"status":"waiting"')
  socket.terminate()
})
