/**
 * An endpoint is a value without dependencies: who is admitted, what it takes, what it answers. The server, the OpenAPI
 * document, the client's types and the permission tests derive from it; `handlers()` (handlers.ts) binds the code.
 *
 *     export const jobEndpoints = {
 *       getJobResult: endpoint({
 *         method: 'get', path: '/jobs/{id}/result', in: 'workspace', admits: ['jobs:read', 'customer_key'], tag: 'Jobs',
 *         summary: 'Result of a job',
 *         answers: { 200: json('Ended', jobResult), 202: json('Queued or running', resultPending), 404: problem('Unknown id') },
 *       }),
 *     }
 *
 * The key is the `operationId`: unique, a verb first, camelCase.
 */

import type { Actor } from '#core/access/actor.ts'
import type { Principal } from '#core/access/principal.ts'
import type { GrantedScope } from '#core/access/scope.ts'
import type { Answers } from './answer.ts'
import type { RequestFacts } from './request.ts'
import { z } from './schemas/z.ts'

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** A scope of tokens, or one of the words that replace a scope; see `Admits`. */
export type RouteScope = GrantedScope | 'public' | 'any' | 'instance' | 'api_key'

/**
 * How a body is read. `json` and `optional_json` are parsed and checked against `body`; with `none` a JSON body may
 * have no fields; `raw` stays bytes; the handler reads a `stream` itself and enforces its own limit.
 */
export type BodyKind = 'none' | 'json' | 'optional_json' | 'raw' | 'stream'

export type Rate = 'run' | 'other' | 'off'

/**
 * Who is admitted: a scope, followed by kinds of credentials that need no scope and whose grants the handler checks.
 * `public`: every caller; `any`: every valid credential; `instance`: super admins with `*`; `api_key`: only API keys of the
 * parser and the relay, with `x-api-key` also in the header of that name.
 */
export type Admits =
  | readonly ['public']
  | readonly ['instance']
  | readonly ['api_key', ...'x-api-key'[]]
  | readonly [GrantedScope | 'any', ...'customer_key'[]]

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never

export type PathParams<Path extends string> = Readonly<Record<ParameterName<Path>, string>>

type RawBody = Readonly<{
  contentType: string
  schema: z.ZodType
  /** Further content types with the same fields. */
  otherContentTypes?: readonly string[]
}>

export type Endpoint<
  Path extends string = string,
  Who extends Admits = Admits,
  Declared extends Answers = Answers,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> = Readonly<{
  method: Method
  /** Below the workspace, or from the root. */
  path: Path
  /** `workspace`: below `/api/w/{ws}`. @default from the root */
  in?: 'workspace'
  admits: Who
  tag: string
  summary: string
  /** Schemas of path parameters that are not arbitrary text. */
  params?: Readonly<Partial<Record<ParameterName<Path>, z.ZodType<string>>>>
  query?: Query
  body?: Body
  /** @default json when `body` is given, else none */
  bodyKind?: BodyKind
  /** The content of a `raw` or `stream` body, for the OpenAPI document; the handler reads it. @default any bytes */
  rawBody?: RawBody
  /** Bytes. @default SVC_MAX_BODY_BYTES */
  bodyLimit?: number
  /** Accepts query fields that it does not name, for senders that add their own. @default false, but true for pages */
  freeQuery?: boolean
  /** Accepts the header `Idempotency-Key` [wire 5.1]. @default false */
  isIdempotentByKey?: boolean
  /** Accepts `If-Match` with the ETag of what it changes [wire 3.8], or also `If-None-Match: *`. @default false */
  isConditional?: boolean | 'also_on_absence'
  /** The rate limit that counts it; `off` for routes that watch the node. @default other */
  rate?: Rate
  answers: Declared
}>

/** Endpoints by operationId, in the order of the OpenAPI document. */
export type Endpoints = Readonly<Record<string, Endpoint>>

export const endpoint = <
  const Path extends string,
  const Who extends Admits,
  const Declared extends Answers,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  declared: Endpoint<Path, Who, Declared, Query, Body>,
): Endpoint<Path, Who, Declared, Query, Body> => declared

const WORKSPACE_PATH = '/api/w/{ws}'

export const fullPathOf = ({ path, in: place }: Pick<Endpoint, 'path' | 'in'>): string =>
  place === 'workspace' ? `${WORKSPACE_PATH}${path}` : path

/**
 * Unknown query fields are refused, so that a misspelled filter never returns the unfiltered list. Pages accept them: mail
 * programs and chats add fields to links that people follow.
 */
export const closedQueryOf = (one: Endpoint): z.ZodType => {
  const { query = z.object({}) } = one
  return !hasFreeQuery(one) && query instanceof z.ZodObject ? query.strict() : query
}

export const hasFreeQuery = ({ freeQuery, answers }: Endpoint): boolean =>
  freeQuery ?? answers[200]?.contentType === 'text/html'

const PATH_PARAMETER = /\{(\w+)\}/g

/** The shape of all path parameters; a parameter without a schema is any text. */
export const paramsOf = (one: Endpoint): z.ZodObject => {
  const names = [...fullPathOf(one).matchAll(PATH_PARAMETER)].map(([, name = '']) => name)
  const own: Readonly<Record<string, z.ZodType>> = one.params ?? {}
  return z.object(Object.fromEntries(names.map((name) => [name, own[name] ?? z.string()])))
}

export const bodyKindOf = ({ body, bodyKind }: Pick<Endpoint, 'body' | 'bodyKind'>): BodyKind =>
  bodyKind ?? (body === undefined ? 'none' : 'json')

export const scopeOf = ({ admits: [scope] }: Pick<Endpoint, 'admits'>): RouteScope => scope

const admitsAlso = (
  { admits }: Pick<Endpoint, 'admits'>,
  other: 'customer_key' | 'x-api-key',
): boolean => {
  const names: readonly string[] = admits
  return names.includes(other)
}

/** Whether customer keys are admitted, which need no scope. */
export const admitsCustomers = (one: Pick<Endpoint, 'admits'>): boolean =>
  admitsAlso(one, 'customer_key')

/** Whether an API key may also come in the header `X-API-Key`. */
export const admitsKeyHeader = (one: Pick<Endpoint, 'admits'>): boolean =>
  admitsAlso(one, 'x-api-key')

/** The caller, and the actor that the audit log records for it. */
export type Caller = Readonly<{ principal: Principal; actor: Actor }>

/** The kind of credential that reaches the handler. */
type KindOf<Who> = Who extends readonly ['api_key', ...unknown[]]
  ? 'api_key'
  : Who extends readonly [unknown, 'customer_key']
    ? 'session' | 'api_token' | 'customer_key'
    : 'session' | 'api_token'

type CallerOf<Who> = Who extends readonly ['public']
  ? unknown
  : Caller & Readonly<{ principal: { kind: KindOf<Who> } }>

/** The input of a handler. */
export type InputOf<E> =
  E extends Endpoint<infer Path, infer Who, infer _, infer Query, infer Body>
    ? RequestFacts &
        Readonly<{ params: PathParams<Path>; query: z.output<Query>; body: z.output<Body> }> &
        CallerOf<Who>
    : never

/** Whether browsers get pages, refusals included, where programs get JSON. */
export const answersPages = ({ answers }: Endpoint): boolean =>
  Object.values(answers).some(
    ({ orPage, contentType }) => orPage === true || contentType === 'text/html',
  )
