/**
 * The network of a Deno guest whose namespace has only its own loopback. The runtime is configured with a
 * proxy there (HTTP_PROXY), which is this relay. The relay carries each connection over a unix socket to the
 * host's proxy, which decides which addresses are allowed. Nothing here confines the job.
 *
 * fetch, WebSocket and node:http support proxies. Raw connections do not, so this makes
 * `Deno.connect` and `Deno.connectTls` request a tunnel; sockets.ts does the same for node:net.
 */

import { REFUSED_HEADER, RELAY } from '../../protocol/messages.ts'
import {
  explain,
  isOwnHost,
  LOCALHOST,
  LOOPBACK,
  logRefusal,
  NOT_GRANTED,
  ownRefusal,
  refusal,
  tunnelRequest,
} from './tunnel.ts'
import { explainWebSockets } from './web-sockets.ts'

export interface Connection {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>
  read(buffer: Uint8Array): Promise<number | null>
  write(bytes: Uint8Array): Promise<number>
  close(): void
}

type ConnectOptions = Readonly<{
  transport?: string
  path?: string
  hostname?: string
  port?: number
  /** The options of connectTls that startTls also takes. */
  caCerts?: readonly string[]
  alpnProtocols?: readonly string[]
}>
type TlsOptions = Readonly<{ hostname: string } & Omit<ConnectOptions, 'hostname'>>

export type DenoNetwork = {
  connect: (options: ConnectOptions) => Promise<Connection>
  connectTls: (options: ConnectOptions) => Promise<Connection>
  readonly startTls: (connection: Connection, options: TlsOptions) => Promise<Connection>
  readonly listen: (
    options: Readonly<{ hostname: string; port: number }>,
  ) => AsyncIterable<Connection>
}

/** The head of a response is one line and few headers. */
const MAX_HEAD = 4_096

const AT_LOOPBACK = { hostname: LOOPBACK } as const

const ignore = (): void => undefined

/** Joins two connections. When one closes, so does the other. */
const join = (inner: Connection, outer: Connection): void => {
  inner.readable.pipeTo(outer.writable).catch(ignore)
  outer.readable.pipeTo(inner.writable).catch(ignore)
}

/** Reads byte by byte, because bytes after the head belong to the connection. */
const readHead = async (connection: Connection): Promise<string> => {
  const byte = new Uint8Array(1)
  let head = ''
  while (!head.endsWith('\r\n\r\n') && head.length < MAX_HEAD) {
    const length = await connection.read(byte)
    if (length === null) break
    head += String.fromCharCode(byte[0] ?? 0)
  }
  return head
}

const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConnectionRefused'

const writeAll = async (connection: Connection, text: string): Promise<void> => {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; ) at += await connection.write(bytes.subarray(at))
}

/** @param connection to the relay, which becomes the tunnel @throws {Error} the relay refuses it */
export const askForTunnel = async (
  connection: Connection,
  { host, port }: Readonly<{ host: string; port: number }>,
): Promise<Connection> => {
  await writeAll(connection, tunnelRequest(host, port))
  const head = await readHead(connection)
  if (/^HTTP\/1\.1 2/.test(head)) return connection
  connection.close()
  throw refusal(host, port, head)
}

export type Fetch = typeof globalThis.fetch

/** Deno names the address of a tunnel that the proxy refused, but not the reason. */
const REFUSED_TUNNEL = /url \((https:\/\/\S+)\).*unsuccessful tunnel/
const HTTPS_PORT = 443

type Tunnel = (host: string, port: number) => Promise<Connection>

/** Gives an error of fetch, which is a TypeError otherwise, the name of a private destination without a grant. */
const nameIfNotGranted = (error: TypeError, name: string): TypeError =>
  name === NOT_GRANTED ? Object.assign(error, { name }) : error

/** Asks for the same tunnel again, because the answer has the reason. @returns the error to throw */
const explainTunnel = async (failure: unknown, tunnel: Tunnel): Promise<unknown> => {
  const cause = failure instanceof Error ? failure.cause : null
  const [, address = ''] = REFUSED_TUNNEL.exec(cause instanceof Error ? cause.message : '') ?? []
  const url = URL.parse(address)
  if (url === null) return failure
  try {
    const port = url.port === '' ? HTTPS_PORT : Number(url.port)
    const connection = await tunnel(url.hostname.replace(/^\[|\]$/g, ''), port)
    connection.close()
    return failure
  } catch (error) {
    if (!(error instanceof Error)) return failure
    const { name, message } = error
    return nameIfNotGranted(new TypeError(message, { cause }), name)
  }
}

/** Throws for a refusal of the proxy, as fetch would without a proxy, because it is not a response from the address. */
const refusing =
  (native: Fetch, tunnel: Tunnel): Fetch =>
  async (...request) => {
    const answer = await native(...request).catch(async (error: unknown) => {
      throw await explainTunnel(error, tunnel)
    })
    const reason = answer.headers.get(REFUSED_HEADER)
    if (reason === null) return answer
    await answer.body?.cancel()
    // after a redirect, it is the address of the last request
    const { name, message } = explain(URL.parse(answer.url)?.host ?? 'that address', reason)
    throw nameIfNotGranted(new TypeError(logRefusal(message)), name)
  }

/** Serves for the lifetime of the process, but not between jobs, while the process blocks. */
export const openRelay = (deno: DenoNetwork, egress: string): void => {
  const { connect, listen, startTls } = deno

  const serve = async (): Promise<void> => {
    for await (const inner of listen(RELAY)) {
      connect({ transport: 'unix', path: egress }).then(
        (outer) => join(inner, outer),
        () => inner.close(),
      )
    }
  }

  const tunnel: Tunnel = async (host, port) =>
    await askForTunnel(await connect(RELAY), { host, port })

  /** Connects to the job itself. */
  const connectInside = async (options: ConnectOptions): Promise<Connection> => {
    const { transport = 'tcp', hostname = LOOPBACK, port = 0 } = options
    try {
      // there is no hosts file inside that would define the name
      return await connect(hostname === LOCALHOST ? { ...options, ...AT_LOOPBACK } : options)
    } catch (error) {
      if (transport !== 'tcp' || !isRefusedConnection(error)) throw error
      throw ownRefusal(hostname, port, error)
    }
  }

  const isOutside = ({
    transport = 'tcp',
    hostname = LOOPBACK,
    port = 0,
  }: ConnectOptions): boolean => transport === 'tcp' && !isOwnHost(hostname, port)

  deno.connect = async (options) =>
    isOutside(options)
      ? await tunnel(options.hostname ?? LOOPBACK, options.port ?? 0)
      : await connectInside(options)
  deno.connectTls = async (options) => {
    const { hostname = LOOPBACK, port = 443, ...rest } = options
    const connection = await deno.connect({ hostname, port })
    return await startTls(connection, { ...rest, hostname })
  }
  globalThis.fetch = refusing(globalThis.fetch, tunnel)
  explainWebSockets(tunnel)
  serve().catch(ignore)
}
