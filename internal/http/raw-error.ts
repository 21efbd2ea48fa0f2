/** Errors that are written to a socket itself, because no response object exists. They look like all other errors [wire 3]. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WireError } from './error.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export type RawError = Pick<WireError, 'status' | 'code' | 'message'> &
  Partial<Pick<WireError, 'headers'>>

/** Sends the error as the last response of a connection, and closes it. */
export const endWithError = (
  socket: Duplex,
  { status, code, message, headers }: RawError,
  requestId: string,
): void => {
  const body = JSON.stringify({ error: message, code, request_id: requestId })
  const all = {
    ...SECURITY_HEADERS,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
  // close it ourselves: the peer may leave its half of the connection open
  socket.end(text, () => socket.destroy())
}
