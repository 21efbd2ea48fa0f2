/**
 * A route is a value: method, path, scope, shapes, handler. `scope` is required, so an unguarded route does not compile;
 * from the same value come the server (app.ts), the OpenAPI document (openapi.ts) and the permission tests.
 *
 *     route({
 *       method: 'get', path: '/api/w/{ws}/jobs/{id}/result', operationId: 'getJobResult', scope: 'jobs:read', tag: 'Jobs',
 *       summary: 'Result of a job', params: z.object({ id: z.string() }),
 *       responses: { 200: { description: 'Ended', schema: jobResult }, 404: problem('Unknown id') },
 *       handler: async ({ ws, params }) => reply(200, await findResult(ws, params.id)),
 *     })
 */

import type { Principal } from '#core/access/principal.ts'
import type { GrantedScope } from '#core/access/scope.ts'
import { type Actor, actorOf } from '#core/actor.ts'
import type { ErrorDetail } from '#core/error.ts'
import { errorBody } from './schemas/error.ts'
import { z } from './schemas/z.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * `any`: every valid credential. `instance`: `*` and super admin (document 1, Scope rules 6). `api_key`: an API key of the
 * parser and the relay (document 2), and no other credential.
 */
export type RouteScope = GrantedScope | 'public' | 'any' | 'instance' | 'api_key'

export type ResponseShape = Readonly<{
  description: string
  schema?: z.ZodType
  /** @default application/json when there is a schema */
  contentType?: string
}>

export const problem = (description: string): ResponseShape => ({ description, schema: errorBody })

/** What a handler answers: a status with a JSON body, or a finished Response (text, streams). */
export type Reply =
  | Response
  | Readonly<{ status: number; body?: unknown; headers?: Readonly<Record<string, string>> }>

export const reply = (status: number, body?: unknown): Reply => ({ status, body })

export type RequestFacts = Readonly<{
  requestId: string
  /** Workspace of the path; empty for routes outside workspaces. */
  ws: string
  /** The caller's address, null where there is no socket (tests). */
  address: string | null
  /** The address under which the caller reached us, without a slash at its end; what links are made of. */
  baseUrl: () => string
  header: (name: string) => string | undefined
  /** The answer's head alone is wanted: what an answer gives away once must stay. */
  isHead: boolean
  /** All of them as they came: names in any case, repeated ones apart. */
  receivedHeaders: () => readonly (readonly [name: string, value: string])[]
  /** Aborted when the caller goes away. */
  signal: AbortSignal
  /** The body as it came, for JSON routes: stored without being written out again. */
  bodyText: string
  bodyBytes: Uint8Array<ArrayBuffer>
  /** Of a `stream` route, not read yet; null where there is none. */
  bodyStream: ReadableStream<Uint8Array> | null
}>

export type RouteInput<P, Q, B> = RequestFacts & Readonly<{ params: P; query: Q; body: B }>

/**
 * How a body is read. `json` and `optional_json` are parsed and checked against `body`; `raw` is left as bytes; `stream` is
 * for the handler to read, who keeps its own limit.
 */
export type BodyKind = 'none' | 'json' | 'optional_json' | 'raw' | 'stream'

export type RouteRate = 'run' | 'other' | 'off'

export type RouteOptions<P, Q, B> = Readonly<{
  method: Method
  path: string
  /** Its name in the OpenAPI document and in generated clients: unique, a verb first, camelCase. */
  operationId: string
  tag: string
  summary: string
  params?: z.ZodType<P>
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  /** @default json when `body` is given, else none */
  bodyKind?: BodyKind
  /** What a `raw` or `stream` body is, for the OpenAPI document; the handler reads it. @default any bytes */
  rawBody?: Readonly<{
    contentType: string
    schema: z.ZodType
    /** The same fields in other forms. */
    otherContentTypes?: readonly string[]
  }>
  /** Bytes. @default SVC_MAX_BODY_BYTES */
  bodyLimit?: number
  /** Takes query fields that it does not name, for senders that add their own. @default false, but true for pages */
  freeQuery?: boolean
  /** Which rate limit counts it; `off` for what watches the node. @default other */
  rate?: RouteRate
  responses: Readonly<Record<number, ResponseShape>>
}>

export type GuardedOptions<P, Q, B> = RouteOptions<P, Q, B> &
  Readonly<{
    scope: Exclude<RouteScope, 'public'>
    /** Customer keys may come in; the handler looks at their grants. @default false */
    customers?: boolean
    /** Of scope `api_key`: the key may also stand in `X-API-Key`. @default false */
    keyHeader?: boolean
    handler: (input: RouteInput<P, Q, B> & Guarded) => Promise<Reply>
  }>

/** Who calls, and who the audit log says it was. */
export type Guarded = Readonly<{ principal: Principal; actor: Actor }>

export type PublicOptions<P, Q, B> = RouteOptions<P, Q, B> &
  Readonly<{ handler: (input: RouteInput<P, Q, B>) => Promise<Reply> }>

/** A route with its types forgotten: input is parsed by `run` itself. */
export type Route = Readonly<{
  method: Method
  path: string
  operationId: string
  scope: RouteScope
  tag: string
  summary: string
  params: z.ZodType | undefined
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  bodyKind: BodyKind
  rawBody: RouteOptions<unknown, unknown, unknown>['rawBody']
  bodyLimit: number | undefined
  rate: RouteRate
  customers: boolean
  keyHeader: boolean
  responses: Readonly<Record<number, ResponseShape>>
  run: (request: RawInput) => Promise<Reply>
}>

export type RawInput = RequestFacts &
  Readonly<{
    principal: Principal | null
    params: Readonly<Record<string, string>>
    query: Readonly<Record<string, string>>
    /** Parsed JSON, undefined when there is no body. */
    json: unknown
  }>

const nothing = z.unknown()

const toRoute = <P, Q, B>(
  options: RouteOptions<P, Q, B>,
  admission: Pick<Route, 'scope' | 'customers' | 'keyHeader'>,
  handle: (input: RouteInput<P, Q, B>, principal: Principal | null) => Promise<Reply>,
): Route => {
  const { params, query, body } = options
  const closed = { ...options, query: closedQuery(options) }
  return {
    method: options.method,
    path: options.path,
    operationId: options.operationId,
    ...admission,
    tag: options.tag,
    summary: options.summary,
    params,
    query,
    body,
    bodyKind: options.bodyKind ?? (body === undefined ? 'none' : 'json'),
    rawBody: options.rawBody,
    bodyLimit: options.bodyLimit,
    rate: options.rate ?? 'other',
    responses: options.responses,
    run: (raw) => handle({ ...raw, ...parseInput(closed, raw) }, raw.principal),
  }
}

const isPage = ({ responses }: Pick<RouteOptions<never, never, never>, 'responses'>): boolean =>
  responses[200]?.contentType === 'text/html'

/**
 * Unknown query fields are refused, so that a misspelled filter never answers the unfiltered list. Pages take them: mail
 * programs and chats add fields of their own to links that people follow.
 */
const closedQuery = <P, Q, B>(options: RouteOptions<P, Q, B>): z.ZodType<Q> => {
  const { query = z.object({}), freeQuery = isPage(options) } = options
  const closed = !freeQuery && query instanceof z.ZodObject ? query.strict() : query
  return closed as z.ZodType<Q>
}

/** @throws {z.ZodError} with `params`, `query` or `body` at the head of each path */
const parseInput = <P, Q, B>({ params, query, body }: RouteOptions<P, Q, B>, raw: RawInput) => ({
  query: parsePart(query ?? unread<Q>(), raw.query, 'query'),
  params: parsePart(params ?? unread<P>(), raw.params, 'params'),
  body: parsePart(body ?? unread<B>(), raw.json, 'body'),
})

/** A route without a shape for a part does not look at it: whatever its type, the handler has no use for the value. */
const unread = <T>(): z.ZodType<T> => nothing as z.ZodType<T>

const parsePart = <T>(schema: z.ZodType<T>, value: unknown, part: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RequestShapeError(
    part,
    parsed.error.issues.flatMap((issue) => toDetails(part, issue)),
  )
}

const toDetails = (part: string, issue: z.core.$ZodIssue): readonly ErrorDetail[] => {
  const path = [part, ...issue.path.map(String)]
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
  return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: UNKNOWN_FIELD }))
}

const UNKNOWN_FIELD = 'is not a field of this request'

/** A part of the request does not have its route's shape. */
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

export const route = <P, Q, B>(options: GuardedOptions<P, Q, B>): Route =>
  toRoute(
    options,
    {
      scope: options.scope,
      customers: options.customers ?? false,
      keyHeader: options.keyHeader ?? false,
    },
    (input, principal) => {
      if (principal === null) throw new Error('A guarded route ran without a principal.')
      return options.handler({ ...input, principal, actor: actorOf(principal, input.address) })
    },
  )

/** A route that anybody may call. */
export const publicRoute = <P, Q, B>(options: PublicOptions<P, Q, B>): Route =>
  toRoute(options, { scope: 'public', customers: false, keyHeader: false }, (input) =>
    options.handler(input),
  )
