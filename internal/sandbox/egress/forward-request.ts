/** Forwards a plain http request of a guest to a server that may be hostile. */
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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

/** Sends a guest's plain http request over the socket, and its response back. */
export const forwardRequest = (
  incoming: IncomingMessage,
  response: ServerResponse,
  { destination, socket }: Readonly<{ destination: Destination; socket: Socket }>,
): void => {
  const url = URL.parse(incoming.url ?? '')
  const outgoing = request({
    createConnection: () => socket,
    method: incoming.method,
    path: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
    headers: { ...toForward(incoming.headers), host: hostHeader(destination) },
    setHost: false,
  })
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
