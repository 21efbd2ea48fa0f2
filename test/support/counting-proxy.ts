/** A TCP proxy in front of sqld that counts the requests of a client: statements and batches over WebSockets, calls over HTTP. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type CountingProxy = Readonly<{
  url: string
  /** Requests since the last call; the opening of a connection does not count. */
  take: () => number
  /** Connections since the last call. */
  takeConnections: () => number
  close: () => Promise<void>
}>

const END_OF_HEAD = Buffer.from('\r\n\r\n')

type Frame = Readonly<{ text: string; rest: Buffer }>

/** The first frame of a client, which is masked. Returns null if the frame is not complete. */
const readFrame = (bytes: Buffer): Frame | null => {
  if (bytes.length < 2) return null
  const short = (bytes[1] ?? 0) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const maskAt = 2 + lengthBytes
  if (bytes.length < maskAt + 4) return null
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  const end = maskAt + 4 + length
  if (bytes.length < end) return null
  const mask = bytes.subarray(maskAt, maskAt + 4)
  const body = Buffer.from(bytes.subarray(maskAt + 4, end))
  for (const [at, byte] of body.entries()) body[at] = byte ^ (mask[at % 4] ?? 0)
  return { text: body.toString('utf8'), rest: bytes.subarray(end) }
}

/** Whether it is a request. `SELECT 1` only opens a stream (store/backends/kept-stream.ts). */
const isRequest = (text: string): boolean =>
  /"type":"(execute|batch|sequence)"/.test(text) && !/"sql":"SELECT 1"/.test(text)

const createReader = (onRequest: () => void) => {
  let isUpgraded: boolean | null = null
  let bytes = Buffer.alloc(0)
  return (more: Buffer): void => {
    bytes = Buffer.concat([bytes, more])
    if (isUpgraded === null) {
      const end = bytes.indexOf(END_OF_HEAD)
      if (end < 0) return
      isUpgraded = /upgrade: *websocket/i.test(bytes.subarray(0, end).toString('latin1'))
      if (isUpgraded) bytes = bytes.subarray(end + END_OF_HEAD.length)
    }
    if (!isUpgraded) {
      for (const _ of bytes.toString('latin1').matchAll(/POST \/v\d/g)) onRequest()
      bytes = Buffer.alloc(0)
      return
    }
    for (let frame = readFrame(bytes); frame !== null; frame = readFrame(bytes)) {
      bytes = Buffer.from(frame.rest)
      if (isRequest(frame.text)) onRequest()
    }
  }
}

/** @param target `http://host:port` */
export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let requests = 0
  let connections = 0
  // without it, two short messages in a row would wait 40 ms for the response to the first
  const server = createServer({ noDelay: true }, (client) => {
    connections += 1
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true })
    const read = createReader(() => {
      requests += 1
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.on('error', () => other.destroy())
    }
    client.on('data', read)
    client.pipe(upstream)
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => {
      const taken = requests
      requests = 0
      return taken
    },
    takeConnections: () => {
      const taken = connections
      connections = 0
      return taken
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
