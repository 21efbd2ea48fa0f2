/** A TCP proxy that misbehaves: slow, cutting connections once a request has been served, or silent. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type ProxyFault =
  | 'none'
  /** Each piece of an answer comes late. */
  | 'delay'
  /** What was asked is done, and the answer is lost with its connection. */
  | 'cut_answer'
  /** New connections are taken and nothing is ever said. */
  | 'half_open'
  /** New connections are refused. */
  | 'refuse'

export type FaultProxy = Readonly<{
  url: string
  set: (fault: ProxyFault) => void
  /** How many connections were made to it. */
  connections: () => number
  /** Resets all connections. */
  cut: () => void
  close: () => Promise<void>
}>

const DELAY_MS = 400

/** @param target `http://host:port` */
export const startFaultProxy = async (target: string): Promise<FaultProxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let fault: ProxyFault = 'none'

  const answer = (client: Socket, bytes: Buffer): void => {
    if (fault === 'half_open') return
    if (fault === 'cut_answer') {
      client.resetAndDestroy()
      return
    }
    if (fault === 'delay') setTimeout(() => client.writable && client.write(bytes), DELAY_MS)
    else client.write(bytes)
  }
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => undefined)
    if (fault === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    sockets.add(upstream)
    upstream.on('close', () => {
      sockets.delete(upstream)
      client.end()
    })
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes) => {
      if (fault !== 'half_open') upstream.write(bytes)
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
    },
    connections: () => connections,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
