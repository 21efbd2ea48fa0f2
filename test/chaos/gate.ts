/**
 * A node's connection to sqld that can hold back what the node sends and deliver it later, even after the node has stopped
 * waiting, like a late packet. So a write may arrive after its lease has ended.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Gate = Readonly<{
  url: string
  hold: () => void
  release: () => void
  close: () => Promise<void>
}>

/** @param target `http://host:port` */
export const openGate = async (target: string): Promise<Gate> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let held: (() => void)[] | null = null
  /** Works in order, now or when the gate opens. */
  const pass = (work: () => void): void => {
    if (held === null) work()
    else held.push(work)
  }
  // without noDelay, the second of two short messages waits 40 ms for the response to the first
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => pass(() => upstream.write(bytes)))
    client.on('close', () => pass(() => upstream.end()))
    upstream.on('data', (bytes) => client.write(bytes))
    upstream.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A gate has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    hold: () => {
      held ??= []
    },
    release: () => {
      const waiting = held ?? []
      held = null
      for (const work of waiting) work()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
