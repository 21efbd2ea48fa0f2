/** A real sqld with several namespaces, each at its own address. sqld finds a namespace by the first label of the host name. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { portOf } from './port-of.ts'
import { type Sqld, type SqldOptions, startSqld } from './sqld.ts'

export type Namespaces = Readonly<{
  /** Addresses by name. */
  urlOf: (name: string) => string
  /** Stops answering connections to the namespace, until `join` is called. */
  cut: (name: string) => void
  join: (name: string) => void
  /** The server. Its restart makes each namespace durable. */
  sqld: Sqld
  /** Process id of sqld. */
  pid: () => number
  close: () => Promise<void>
}>

const HOST = /^host: [^\r\n]*/im

type Door = Readonly<{ server: Server; sockets: Set<Socket>; cut: { is: boolean } }>

/** Forwards connections under a host name that begins with the namespace. */
const openDoor = async (name: string, port: number): Promise<Door> => {
  const sockets = new Set<Socket>()
  const cut = { is: false }
  // without it, two short messages in a row would wait 40 ms for the response to the first
  const server = createServer({ noDelay: true }, (client) => {
    if (cut.is) return void client.destroy()
    const target = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      const isHead = /^(?:GET|POST) \S+ HTTP\/1\.1\r\n/.test(text)
      target.write(isHead ? Buffer.from(text.replace(HOST, `host: ${name}.db`), 'latin1') : chunk)
    })
    target.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, sockets, cut }
}

/** With bottomless replication, sqld restores a namespace before it answers. */
const ADMIN_DEADLINE_MS = 120_000

const createNamespace = async (sqld: Sqld, name: string): Promise<void> => {
  const answer = await fetch(`${sqld.adminUrl}/v1/namespaces/${name}/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(ADMIN_DEADLINE_MS),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`sqld made no namespace ${name}: ${answer.status} ${text}`)
  await sqld.makeDurable(name)
}

export const openNamespaces = (...names: readonly string[]): Promise<Namespaces> =>
  openNamespacesOf(names, {})

export const openNamespacesOf = async (
  names: readonly string[],
  { more = [], ...options }: SqldOptions,
): Promise<Namespaces> => {
  const started = await startSqld({ ...options, more: [...more, '--enable-namespaces'] })
  const restart = async (): Promise<void> => {
    await started.restart()
    for (const name of names) await started.makeDurable(name)
  }
  const sqld: Sqld = { ...started, restart }
  const port = Number(new URL(sqld.httpUrl).port)
  const doors = new Map<string, Door>()
  for (const name of names) {
    await createNamespace(sqld, name)
    doors.set(name, await openDoor(name, port))
  }
  const doorOf = (name: string): Door => {
    const door = doors.get(name)
    if (door === undefined) throw new Error(`No namespace ${name}.`)
    return door
  }
  return {
    urlOf: (name) => {
      const own = portOf(doorOf(name).server)
      return `http://127.0.0.1:${own}`
    },
    cut: (name) => {
      const { cut, sockets } = doorOf(name)
      cut.is = true
      for (const socket of sockets) socket.destroy()
    },
    join: (name) => {
      doorOf(name).cut.is = false
    },
    sqld,
    pid: sqld.pid,
    close: async () => {
      for (const { server, sockets } of doors.values()) {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      await sqld.close()
    },
  }
}
