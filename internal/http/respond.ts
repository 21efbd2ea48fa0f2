/** Writes responses: the headers that all of them have, and the common body of errors [wire 5]. */
import { Buffer } from 'node:buffer'
import type { Context } from 'hono'
import { shortenCredentials } from '#core/access/credentials.ts'
import { jsonTextOf } from '#core/json/text.ts'
import { createRepeatCount } from '#core/repeat-count.ts'
import { chooseRequestId } from '#core/request-id.ts'
import { readTraceparent, traceFields } from '#core/trace/traceparent.ts'
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import { takeTurn } from '#service/portions/take-turn.ts'
import { readAs } from '#store/read-owner.ts'
import { SMALL_BODY_BYTES } from './bodies/arriving-bodies.ts'
import { countParts } from './bodies/count-parts.ts'
import type { UnsentAnswers } from './bodies/unsent-answers.ts'
import { createBusyLog } from './busy-log.ts'
import { toWireError } from './error.ts'
import { EVENT_STREAM } from './event-stream.ts'
import type { Env } from './received.ts'
import type { RequestSpan } from './request-span.ts'
import type { Reply } from './route.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export const requestIdOf = (deps: Pick<Deps, 'newId'>, context: Context<Env>): string =>
  chooseRequestId(context.req.header('x-request-id'), deps.newId)

/** Characters from which an answer is encoded in parts. To encode and send 10 MB in one go takes 30 ms. */
const LONG = 1_048_576
const PART = 262_144

/** All answers share the turns of one owner, because their readers ask for parts outside the work of a workspace. */
const ANSWERS = 'answers/'

/** Encodes a text as its reader asks for it, with a turn for other work before each part. */
const encodeInParts = (text: string): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      await readAs(ANSWERS, takeTurn)
      let end = Math.min(at + PART, text.length)
      // a character of two code units must stay whole
      if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end += 1
      controller.enqueue(encoder.encode(text.slice(at, end)))
      at = end
      if (at >= text.length) controller.close()
    },
  })
}

/** Returns a response with a text, which is sent in parts if it is long. It states its length if that counts (unsent-answers.ts). */
export const responseWithText = (text: string, status: number, headers: Headers): Response => {
  if (text.length >= SMALL_BODY_BYTES) {
    headers.set('content-length', String(Buffer.byteLength(text)))
  }
  if (text.length < LONG) return new Response(text, { status, headers })
  return new Response(encodeInParts(text), { status, headers })
}

/** Adds the headers that every response has, and writes the body. */
export const toResponse = (answer: Reply, requestId: string): Response => {
  if (answer instanceof Response) {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!answer.headers.has(name)) answer.headers.set(name, value)
    }
    answer.headers.set('x-request-id', requestId)
    return answer
  }
  const headers = new Headers({ ...SECURITY_HEADERS, 'x-request-id': requestId })
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    if (typeof value === 'string') headers.set(name, value)
    else for (const each of value) headers.append(name, each)
  }
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers })
  headers.set('content-type', 'application/json; charset=utf-8')
  return responseWithText(jsonTextOf(answer.body), answer.status, headers)
}

/** Returns a response with bytes, and states their length. */
export const responseWithBytes = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response =>
  new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } })

/**
 * Counts an answer until it was sent, and an event stream part by part.
 * @param ws the workspace of the path; empty if it names none
 * @returns the response to send
 */
export const countUnsent = (
  unsent: UnsentAnswers,
  context: Context<Env>,
  { ws, response }: Readonly<{ ws: string; response: Response }>,
): Response => {
  // a test may have no connection, and a client may have left
  const outgoing = context.env?.outgoing
  if (outgoing === undefined || outgoing.closed) return response
  const add = (bytes: number) => unsent.add(ws, { bytes, cut: () => void outgoing.destroy() })
  const { headers, status } = response
  if (headers.get('content-type') === EVENT_STREAM && response.body !== null) {
    return new Response(countParts(response.body, add), { headers, status })
  }
  // other answers without a length are short
  const length = headers.get('content-length')
  if (length !== null) outgoing.once('close', add(Number(length)))
  return response
}

/** Returns the head of a response to HEAD. It cancels the body, whose source would wait for a reader. */
export const headOf = (response: Response): Response => {
  // the source may have failed, which the reader of a head does not see
  response.body?.cancel().catch(() => undefined)
  return new Response(null, response)
}

export type Failure = Readonly<{
  error: unknown
  requestId: string
  span?: Pick<RequestSpan, 'traceparent'> | null
}>

/** It is module state because the log belongs to the process. */
const logBusy = createBusyLog(() => performance.now())
const countUnavailable = createRepeatCount(() => performance.now())

/** Answers an error, and logs it if it is a fault of svc. */
export const failure = (
  deps: Readonly<{ log: Logger }>,
  context: Context<Env>,
  { error, requestId, span }: Failure,
): Response => {
  const wire = toWireError(error)
  const path = shortenCredentials(context.req.path)
  if (wire.isBusy) logBusy(deps.log, wire.message, path)
  // a caller that disconnected while it sent the body is not a fault of svc
  const isLogged = wire.isOurs && !context.req.raw.signal.aborted
  // while the database fails, every request does
  const requests = isLogged && wire.status === 503 ? countUnavailable(wire.message) : 1
  if (isLogged && requests !== null) {
    const { method } = context.req
    const traced = span?.traceparent ?? readTraceparent(context.req.header('traceparent'))
    const summed = requests === 1 ? {} : { requests }
    const facts = { request_id: requestId, method, path, ...summed, ...traceFields(traced) }
    deps.log.error('A request failed.', { ...facts, error })
  }
  const body = {
    error: wire.message,
    code: wire.code,
    request_id: requestId,
    ...(wire.details === undefined ? {} : { details: wire.details }),
  }
  return toResponse({ status: wire.status, body, headers: wire.headers }, requestId)
}
