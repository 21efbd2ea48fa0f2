/**
 * Answers the requests that node:http or its adapter cannot read. Without this they would get a status alone, without the
 * body and the `x-request-id` that all errors have [wire 3.1, 3.2].
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { v7 } from 'uuid'
import { endWithError, type RawError } from '#http/raw-error.ts'
import { toResponse } from '#http/respond.ts'

const MALFORMED: RawError = {
  status: 400,
  code: 'malformed_request',
  message: 'This is not a valid HTTP request. Check its method, path and headers.',
}

const INTERNAL: RawError = { status: 500, code: 'internal', message: 'Internal error.' }

/** The request did not arrive within its time limit, or its body arrives too slowly. */
export const TOO_SLOW: RawError = {
  status: 408,
  code: 'request_timeout',
  message: 'The request did not arrive in time. Send it again, faster.',
}

/** By the codes of node:http. */
const FAULTS: Readonly<Record<string, RawError>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message:
      'The headers of the request are larger than 16 KiB together. Send fewer or shorter ones.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    message: 'The extensions of the chunks of the body are too large. Send none.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
}

/** The response to a request that the adapter cannot turn into one of the web API, or else whose handler has thrown. */
export const answerUnread = ({ isMalformed }: Readonly<{ isMalformed: boolean }>): Response => {
  const requestId = v7()
  const { status, code, message } = isMalformed ? MALFORMED : INTERNAL
  return toResponse({ status, body: { error: message, code, request_id: requestId } }, requestId)
}

export type UnreadableAnswers = Readonly<{
  /** Call it when the handling of a request begins. */
  watch: (request: IncomingMessage, response: ServerResponse) => void
}>

/**
 * Answers on connections whose bytes are not a request, or whose request does not arrive in time.
 * @param headersMs milliseconds for the headers of a request
 */
export const answerUnreadable = (
  server: Pick<Server, 'on'>,
  headersMs: number,
): UnreadableAnswers => {
  const latest = new WeakMap<Duplex, ServerResponse>()
  /** Lets the part of a request wait while svc handles those before it and reads no more. Then the rest must come in time. */
  const waitFor = (socket: Duplex, response: ServerResponse): void => {
    const check = (): void => {
      const next = latest.get(socket)
      if (next !== undefined && next !== response) waitFor(socket, next)
      else if (socket.writable) endWithError(socket, TOO_SLOW, v7())
    }
    const wait = (): void => void setTimeout(check, headersMs).unref()
    if (response.closed) wait()
    else response.once('close', wait)
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket)
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isLate && response?.closed === false && response.req.complete) {
      return waitFor(socket, response)
    }
    // bytes in the middle of a response would be read as part of it, and an error before it as the response
    const isAnswering =
      response?.writableEnded === false && (response.headersSent || response.req.complete)
    if (isAnswering || !socket.writable) return void socket.destroy()
    endWithError(socket, FAULTS[error.code ?? ''] ?? MALFORMED, v7())
  })
  return { watch: ({ socket }, response) => void latest.set(socket, response) }
}
