/** Forwards a plain http request of a guest to a server that may be hostile. */
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { REFUSED_HEADER } from '../protocol/messages.ts'
import { type Destination, describeDestination } from './destination.ts'

/** Headers that apply to one connection, which a proxy does not forward (RFC 9110, 7.6.1). */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // only the proxy itself may set it
  REFUSED_HEADER,
])

const toForward = (headers: IncomingMessage['headers']): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)))

type Dialed = Readonly<{ destination: Destination; socket: Socket }>

const sendTo = (
  { destination, socket }: Dialed,
  incoming: IncomingMessage,
  headers: IncomingMessage['headers'],
): ClientRequest => {
  const url = URL.parse(incoming.url ?? '')
  return request({
    createConnection: () => socket,
    method: incoming.method,
    path: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
    headers: { ...toForward(incoming.headers), ...headers, host: hostHeader(destination) },
    setHost: false,
  })
}

const headOf = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== REFUSED_HEADER ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  )
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n')
}

/**
 * Sends a guest's request for another protocol, such as a WebSocket of `node:http`, and joins the two sockets once the server
 * agrees. Any other response ends the connection.
 */
export const forwardUpgrade = (
  incoming: IncomingMessage,
  inner: Duplex,
  dialed: Dialed & Readonly<{ join: (inner: Duplex, outer: Socket) => void }>,
): void => {
  const { upgrade } = incoming.headers
  const outgoing = sendTo(dialed, incoming, { connection: 'upgrade', upgrade })
  outgoing.on('upgrade', (answer, _socket, head) => {
    inner.write(headOf(answer), 'latin1')
    if (head.length > 0) inner.write(head)
    dialed.join(inner, dialed.socket)
  })
  outgoing.on('response', (answer) => {
    const { statusCode, statusMessage } = answer
    answer.destroy()
    inner.end(
      `HTTP/1.1 ${statusCode} ${statusMessage}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
  })
  outgoing.on('error', () => inner.destroy())
  inner.on('close', () => dialed.socket.destroy())
  outgoing.end()
}

/** Sends a guest's plain http request over the socket, and its response back. */
export const forwardRequest = (
  incoming: IncomingMessage,
  response: ServerResponse,
  dialed: Dialed,
): void => {
  const { socket } = dialed
  const outgoing = sendTo(dialed, incoming, {})
  outgoing.on('response', (answer) => {
    response.writeHead(statusOf(answer), toForward(answer.headers))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  outgoing.on('error', () => response.destroy())
  // Node reports a response 101 as neither a response nor an error
  outgoing.on('close', () => {
    if (!response.headersSent) response.destroy()
  })
  socket.on('error', () => response.destroy())
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

const MIN_STATUS = 100

/** A server may send any three digits, and those below 100 cannot be passed on. */
const statusOf = ({ statusCode = 0 }: IncomingMessage): number =>
  statusCode < MIN_STATUS ? 502 : statusCode

const hostHeader = (destination: Destination): string =>
  describeDestination(destination).replace(/:80$/, '')
