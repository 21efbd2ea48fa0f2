/** A request as the server passes it to an endpoint, and its parts parsed by the endpoint's schemas. */

import type { Principal } from '#core/access/principal.ts'
import type { ErrorDetail } from '#core/error.ts'
import { explainIssue } from '#core/explain-issue.ts'
import type { RateClass } from './admission/rate-limit.ts'
import type { z } from './schemas/z.ts'

export type RequestFacts = Readonly<{
  requestId: string
  /** Workspace of the path; empty for routes outside workspaces. */
  ws: string
  /** The caller's address; null if there is no socket (in tests). */
  address: string | null
  /** The address under which the caller reached us, without a trailing slash; links are built from it. */
  baseUrl: () => string
  header: (name: string) => string | undefined
  /** True for HEAD requests: a value that the response shows only once must not be consumed. */
  isHead: boolean
  /** All headers as received: names in any case, repeated ones as separate entries. */
  receivedHeaders: () => readonly (readonly [name: string, value: string])[]
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  /** The body as received, for JSON routes: it is stored without being serialized again. */
  bodyText: string
  bodyBytes: Uint8Array<ArrayBuffer>
  /** The unread body of a `stream` route; null for other routes. */
  bodyStream: ReadableStream<Uint8Array> | null
  /**
   * Admits the caller again if the request has taken long. The handler of a `stream` route calls it after the body and before
   * the request has an effect; one that waits, before it answers with what it waited for.
   * @throws {AppError} unauthenticated, forbidden
   */
  admitLate: () => Promise<unknown>
  /**
   * Reads the whole body of a `stream` route; the handler calls it after its own checks.
   * @throws {AppError} too_large, unsupported_media_type
   */
  readBody: () => Promise<Uint8Array<ArrayBuffer>>
  /** Counts the request of a route whose `rate` is off. @throws {AppError} rate_limited */
  takeRate: (rateClass: RateClass, caller: string) => void
}>

export type RawInput = RequestFacts &
  Readonly<{
    principal: Principal | null
    params: Readonly<Record<string, string>>
    /** The first value of each field. */
    query: Readonly<Record<string, string>>
    /** Names of the query's fields that occur more than once. */
    repeated: readonly string[]
    /** Parsed JSON; undefined if there is no body. */
    json: unknown
  }>

/** The schemas of one endpoint's input. */
export type Shapes = Readonly<{ params: z.ZodType; query: z.ZodType; body: z.ZodType | undefined }>

/** @throws {RequestShapeError} */
export const parseInput = ({ params, query, body }: Shapes, raw: RawInput) => ({
  query: parsePart(query, raw.query, 'query'),
  params: parsePart(params, raw.params, 'params'),
  body: body === undefined ? refuseFields(raw.json) : parsePart(body, raw.json, 'body'),
})

/** A route without a body takes an empty object, as some clients send it. @throws {RequestShapeError} it has a field */
const refuseFields = (json: unknown): undefined => {
  const fields = typeof json === 'object' && json !== null ? Object.keys(json) : []
  if (fields.length === 0) return
  const details = fields.map((key) => ({ path: `body.${key}`, message: UNKNOWN_FIELD }))
  throw new RequestShapeError('body', details.slice(0, MAX_DETAILS))
}

/** A query field has one value. @throws {RequestShapeError} a field occurs more than once, and only its first value would count */
export const refuseRepeated = ({ repeated }: Pick<RawInput, 'repeated'>): void => {
  if (repeated.length === 0) return
  const details = repeated.map((name) => ({
    path: `query.${name}`,
    message: 'occurs more than once',
  }))
  throw new RequestShapeError('query', details.slice(0, MAX_DETAILS))
}

/** @throws {RequestShapeError} */
export const parsePart = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: string,
): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: explainIssue })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, MAX_DETAILS)
  const details = issues.flatMap((issue) => toDetails(part, issue))
  throw new RequestShapeError(part, details.slice(0, MAX_DETAILS))
}

/** Limit of reported faults. A body of a megabyte may have 100,000 unknown fields. */
const MAX_DETAILS = 100

const toDetails = (part: string, issue: z.core.$ZodIssue): readonly ErrorDetail[] => {
  const path = pathText(part, issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys
    .slice(0, MAX_DETAILS)
    .map((key) => ({ path: `${path}.${key}`, message: UNKNOWN_FIELD }))
}

/** Formats a path such as `body.items[3].app`. */
const pathText = (part: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    part,
  )

const UNKNOWN_FIELD = 'is not a field of this request'

/** A part of the request does not fit its route's schema. */
export class RequestShapeError extends Error {
  override readonly name = 'RequestShapeError'
  readonly part: string
  readonly details: readonly ErrorDetail[]
  constructor(part: string, details: readonly ErrorDetail[]) {
    super('The request does not fit the route.')
    this.part = part
    this.details = details
  }

  /** Paths of fields that the route does not know. */
  get unknownFields(): readonly string[] {
    return this.details.filter(({ message }) => message === UNKNOWN_FIELD).map(({ path }) => path)
  }
}
