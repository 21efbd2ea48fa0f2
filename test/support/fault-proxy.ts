/** A TCP proxy with faults: it is slow, cuts connections after a request was served, or never answers. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type ProxyFault =
  | 'none'
  /** Each piece of a response arrives late. */
  | 'delay'
  /** The server handles the request, and the response arrives when the fault is over. */
  | 'hold'
  /** The server handles the request, and the response is lost together with its connection. */
  | 'cut_answer'
  /** The same, but the connection ends as if it were complete. */
  | 'end_answer'
  /** New connections are accepted but get no response. */
  | 'half_open'
  /** New connections are refused. */
  | 'refuse'

export type FaultProxy = Readonly<{
  url: string
  set: (fault: ProxyFault) => void
  /** Leads new connections to another server, as if the address had moved there. @param target `http://host:port` */
  lead: (target: string) => void
  /** Number of connections made to the proxy. */
  connections: () => number
  /** Resets all connections. */
  cut: () => void
  /** Forgets all connections, as a router does that has no room for them: they stay open, and nothing crosses them any more. */
  forget: () => void
  close: () => Promise<void>
}>

const DELAY_MS = 400

export type FaultProxyOptions = Readonly<{
  /** Duration of a network round trip in whole milliseconds, half of it each way. @default 0 */
  roundTripMs?: number
}>

/** @param target `http://host:port` */
export const startFaultProxy = async (
  target: string,
  { roundTripMs = 0 }: FaultProxyOptions = {},
): Promise<FaultProxy> => {
  let { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  let fault: ProxyFault = 'none'
  let held: (() => void)[] = []

  /** Two constant delays, because timers of equal length end in the order in which they began. */
  const toServerMs = Math.floor(roundTripMs / 2)
  const toClientMs = roundTripMs - toServerMs
  const travel = (ms: number, arrive: () => void): void => {
    if (ms === 0) arrive()
    else setTimeout(arrive, ms)
  }
  const pass = (to: Socket, ms: number, bytes: Buffer): void =>
    travel(ms, () => {
      if (to.writable) to.write(bytes)
    })

  const answer = (client: Socket, bytes: Buffer): void => {
    if (fault === 'half_open' || forgotten.has(client)) return
    if (fault === 'hold') {
      held.push(() => pass(client, toClientMs, bytes))
      return
    }
    if (fault === 'cut_answer') {
      client.resetAndDestroy()
      return
    }
    if (fault === 'end_answer') {
      client.end()
      return
    }
    if (fault === 'delay') setTimeout(() => client.writable && client.write(bytes), DELAY_MS)
    else pass(client, toClientMs, bytes)
  }
  let connections = 0
  // without it, two short messages in a row would wait 40 ms for the response to the first
  const server = createServer({ noDelay: true }, (client) => {
    connections += 1
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => undefined)
    if (fault === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true })
    sockets.add(upstream)
    upstream.on('close', () => {
      sockets.delete(upstream)
      if (!forgotten.has(client)) travel(toClientMs, () => client.end())
    })
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes) => {
      if (fault !== 'half_open' && !forgotten.has(client)) pass(upstream, toServerMs, bytes)
    })
    upstream.on('data', (bytes) => answer(client, bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    set: (next) => {
      fault = next
      if (fault === 'hold') return
      for (const arrive of held) arrive()
      held = []
    },
    lead: (next) => {
      ;({ hostname, port } = new URL(next))
    },
    connections: () => connections,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket)
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
