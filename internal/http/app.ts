/**
 * The HTTP surface: admission (who calls, and whether they may), the routes, and the wire rules for responses [wire 1 to 6].
 *
 * It guarantees: every response carries `x-request-id`; every error has the same body; a guarded route runs only after
 * credential, workspace and scope were checked, in the order of document 1.
 */
import { type Context, Hono } from 'hono'
import type { Principal } from '#core/access/principal.ts'
import { AppError } from '#core/error.ts'
import { confineAnswer } from '#core/function/shared-origin.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import type { Logger } from '#log/logger.ts'
import { isMoving } from '#service/cells/find-database.ts'
import type { Deps } from '#service/deps.ts'
import { admit } from './admission/admit.ts'
import type { ToClientAddress } from './admission/client-address.ts'
import {
  type CredentialWatch,
  createCredentialWatch,
  endWithCredential,
  type WatchedCredential,
} from './admission/credential-watch.ts'
import { type RateLimiter, type RateState, rateHeaders } from './admission/rate-limit.ts'
import { originsOf } from './admission/same-origin.ts'
import { type CellRouter, findAnsweringCell, routeIn } from './cell-router.ts'
import type { Method } from './endpoint.ts'
import { scopeOf } from './endpoint.ts'
import { toWireError } from './error.ts'
import {
  allowOf,
  type FunctionSurface,
  isOnOwnOrigin,
  type SurfaceFacts,
} from './function-surface.ts'
import { type GitSurface, workspaceOfGit } from './git-surface.ts'
import { type Env, ownAddress, receivedHeaders } from './received.ts'
import type { RequestFacts } from './request.ts'
import { readBody } from './request-body.ts'
import { openRequestSpan, type RequestSpan } from './request-span.ts'
import { failure, headOf, requestIdOf, toResponse } from './respond.ts'
import type { Reply, Route } from './route.ts'
import type { FileSurface } from './served-files.ts'

export type HttpDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'now' | 'spans'> &
  Readonly<{
    log: Logger
    maxBodyBytes: number
    /** Null if the address of each request is the base. */
    baseUrl: string | null
    toClientAddress: ToClientAddress
    rateLimit: RateLimiter
    onEnded: (route: string, status: number, durationMs: number) => void
    /** Null if this process serves no functions. */
    functions: FunctionSurface | null
    /** Console and guides, if this process serves them. */
    files: readonly FileSurface[]
    /** Null if this process takes no pushes. */
    gitPush: GitSurface | null
    /** Null if the instance has one database. @default null */
    cells?: CellRouter | null
  }>

/** The route label of all unknown paths in metrics: paths that callers choose would make an unlimited number of series. */
const UNKNOWN_ROUTE = '(none)'

type AppDeps = HttpDeps & Readonly<{ credentials: CredentialWatch }>

export const createHttpApp = (given: HttpDeps, routes: readonly Route[]): Hono<Env> => {
  const app = new Hono<Env>()
  const deps: AppDeps = { ...given, credentials: createCredentialWatch() }
  const { functions } = deps
  if (functions !== null) {
    app.use(async (context, next) => {
      const response = await answerFunction(deps, functions, context)
      if (response === null) await next()
      else context.res = response
    })
  }
  for (const route of routes) {
    app.on(route.method.toUpperCase(), toHonoPath(route.path), (context) =>
      answer(deps, context, route),
    )
  }
  // after all routes, so that a parameter never hides a fixed path
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(toHonoPath(path), (context) => refuseMethod(deps, context, { path, methods }))
  }
  for (const surface of deps.files) {
    for (const path of surface.paths) {
      app.get(path, (context) => answerFile(deps, context, surface))
      const only = { path: surface.route, methods: ['get'] as const }
      app.all(path, (context) => refuseMethod(deps, context, only))
    }
  }
  const { gitPush } = deps
  if (gitPush !== null) app.all('/git/*', (context) => answerGit(deps, gitPush, context))
  app.notFound((context) => {
    const error = new AppError(
      'not_found',
      'There is nothing here. GET /api/docs lists the routes.',
    )
    deps.onEnded(UNKNOWN_ROUTE, 404, 0)
    return failure(deps, context, { error, requestId: requestIdOf(deps, context) })
  })
  return app
}

const FUNCTION_ROUTE = '/fn'

/**
 * Null if the request is for svc itself. The function's response is passed on with the request id
 * added; below `/fn/` it is confined, errors included.
 */
const answerFunction = async (
  deps: HttpDeps,
  functions: FunctionSurface,
  context: Context<Env>,
): Promise<Response | null> => {
  const startedAt = performance.now()
  let requestId: string | null = null
  let span: RequestSpan | null = null
  let response: Response
  try {
    const target = await functions.find(context.req.header('host'), context.req.url)
    if (target === null) return null
    requestId = requestIdOf(deps, context)
    span = openRequestSpan(deps, context.req.method, () => receivedHeaders(context))
    const facts = functionFacts(deps, context, requestId)
    const cell = (await deps.cells?.ofWorkspace(target.ws)) ?? null
    const serving = cell?.functions ?? functions
    response = await serving.handle(target, { ...facts, headers: span.headers(facts.headers) })
  } catch (error) {
    requestId ??= requestIdOf(deps, context)
    response = failure(deps, context, { error, requestId, span })
    const allow = allowOf(error)
    if (allow !== null) response.headers.set('allow', allow)
  }
  if (isOnOwnOrigin(new URL(context.req.url).pathname)) confineAnswer(response.headers)
  response.headers.set('x-request-id', requestId)
  deps.onEnded(FUNCTION_ROUTE, response.status, performance.now() - startedAt)
  span?.end(FUNCTION_ROUTE, response.status)
  return context.req.raw.method === 'HEAD' ? headOf(response) : response
}

const functionFacts = (deps: HttpDeps, context: Context<Env>, requestId: string): SurfaceFacts => {
  const { pathname, search } = new URL(context.req.url)
  return {
    request: context.req.raw,
    headers: receivedHeaders(context),
    url: `${ownAddress(context)}${pathname}${search}`,
    address: deps.toClientAddress(
      context.env?.incoming?.socket.remoteAddress ?? null,
      context.req.header('x-forwarded-for'),
    ),
    requestId,
  }
}

const answerFile = async (
  deps: HttpDeps,
  context: Context<Env>,
  { route, answer: answerRequest }: FileSurface,
): Promise<Response> => {
  const startedAt = performance.now()
  const response = await answerRequest({
    path: context.req.path,
    acceptEncoding: context.req.header('accept-encoding'),
    ifNoneMatch: context.req.header('if-none-match'),
  })
  deps.onEnded(route, response.status, performance.now() - startedAt)
  return toResponse(response, requestIdOf(deps, context))
}

const GIT_ROUTE = '/git/{ws}/{app}'

/** Errors are plain text, because git shows that to its user. */
const answerGit = async (
  deps: HttpDeps,
  surface: GitSurface,
  context: Context<Env>,
): Promise<Response> => {
  const startedAt = performance.now()
  const requestId = requestIdOf(deps, context)
  const span = openRequestSpan(deps, context.req.method, () => receivedHeaders(context))
  let response: Response
  try {
    const address = deps.toClientAddress(
      context.env?.incoming?.socket.remoteAddress ?? null,
      context.req.header('x-forwarded-for'),
    )
    const cell = (await deps.cells?.ofWorkspace(workspaceOfGit(context.req.path))) ?? null
    const serving = cell?.gitPush ?? surface
    response = toResponse(await serving({ request: context.req.raw, address }), requestId)
  } catch (error) {
    const { headers, status } = failure(deps, context, { error, requestId, span })
    headers.set('content-type', 'text/plain; charset=utf-8')
    if (status === 401) headers.set('www-authenticate', 'Basic realm="svc"')
    const allow = allowOf(error)
    if (allow !== null) headers.set('allow', allow)
    response = new Response(`${toWireError(error).message}\n`, { status, headers })
  }
  deps.onEnded(GIT_ROUTE, response.status, performance.now() - startedAt)
  span?.end(GIT_ROUTE, response.status)
  return response
}

/** The parameter `path` matches the rest of the address, slashes included. */
const toHonoPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? ':path{.+}' : `:${name}`))

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, readonly Method[]> => {
  const methods = new Map<string, readonly Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

const refuseMethod = (
  deps: HttpDeps,
  context: Context<Env>,
  { path, methods }: Readonly<{ path: string; methods: readonly Method[] }>,
): Response => {
  const allow = methods.map((method) => method.toUpperCase()).join(', ')
  const error = new AppError('method_not_allowed', `This path takes ${allow}.`)
  const response = failure(deps, context, { error, requestId: requestIdOf(deps, context) })
  response.headers.set('allow', allow)
  deps.onEnded(path, response.status, 0)
  return response
}

const answer = async (deps: AppDeps, context: Context<Env>, route: Route): Promise<Response> => {
  const startedAt = performance.now()
  const requestId = requestIdOf(deps, context)
  // health probes would make up most of the spans
  const span =
    route.tag === 'Node'
      ? null
      : openRequestSpan(deps, context.req.method, () => receivedHeaders(context))
  let response: Response
  let rate: RateState | null = null
  const onTaken = (state: RateState): void => {
    rate = state
  }
  try {
    response = toResponse(
      await runRoute(deps, context, { route, requestId, onTaken, span }),
      requestId,
    )
  } catch (error) {
    response = failure(deps, context, { error, requestId, span })
  }
  setRateHeaders(response, rate)
  deps.onEnded(route.path, response.status, performance.now() - startedAt)
  span?.end(route.path, response.status)
  return context.req.raw.method === 'HEAD' ? headOf(response) : response
}

const setRateHeaders = (response: Response, rate: RateState | null): void => {
  if (rate === null) return
  for (const [name, value] of Object.entries(rateHeaders(rate))) response.headers.set(name, value)
}

type Call = Readonly<{
  route: Route
  requestId: string
  onTaken: (state: RateState) => void
  span: RequestSpan | null
}>

const runRoute = async (
  deps: AppDeps,
  context: Context<Env>,
  { route, requestId, onTaken, span }: Call,
): Promise<Reply> => {
  const params = context.req.param()
  const facts = {
    ws: 'ws' in params ? String(params.ws) : '',
    address: deps.toClientAddress(
      context.env?.incoming?.socket.remoteAddress ?? null,
      context.req.header('x-forwarded-for'),
    ),
    baseUrl: () => deps.baseUrl ?? ownAddress(context),
    header: (name: string) => {
      const value = context.req.header(name)
      return span === null ? value : span.header(name, value)
    },
    isHead: context.req.raw.method === 'HEAD',
    receivedHeaders: () => {
      const received = receivedHeaders(context)
      return span === null ? received : span.headers(received)
    },
  }
  const { cells = null } = deps
  // refuse a workspace that is being moved before looking for its credentials
  const own = cells === null || facts.ws === '' ? null : await cells.ofWorkspace(facts.ws)
  const principal = await passGate(deps, route, { ...facts, onTaken })
  const bodyLimit = route.bodyLimit ?? deps.maxBodyBytes
  const { bytes, text, json } = await readBody(context.req.raw, route.bodyKind, bodyLimit)
  const query = context.req.query()
  const repeated = Object.entries(context.req.queries()).flatMap(([name, values]) =>
    values.length > 1 ? [name] : [],
  )
  // the workspace may have moved while the body arrived
  if (cells !== null && facts.ws !== '' && (await cells.ofWorkspace(facts.ws)) !== own) {
    throw isMoving(facts.ws)
  }
  const cell =
    cells === null || facts.ws !== ''
      ? own
      : await findAnsweringCell(cells, route, { principal, params, query, bodyBytes: bytes })
  const reply = await routeIn(cell, route).run({
    ...facts,
    requestId,
    principal,
    signal: context.req.raw.signal,
    bodyText: text,
    bodyBytes: bytes,
    bodyStream: route.bodyKind === 'stream' ? context.req.raw.body : null,
    readBody: async () => (await readBody(context.req.raw, 'raw', bodyLimit)).bytes,
    takeRate: (rateClass, caller) => deps.rateLimit(rateClass, caller, onTaken),
    params,
    query,
    repeated,
    json,
  })
  if (principal === null || !isEventStream(reply)) return reply
  return endWithCredential(reply, watchCaller(deps, principal, { route, facts }))
}

const isEventStream = (reply: Reply): reply is Response =>
  reply instanceof Response && reply.headers.get('content-type') === 'text/event-stream'

const watchCaller = (
  deps: AppDeps,
  { kind, credentialId }: Principal,
  { route, facts }: Readonly<{ route: Route; facts: CallerFacts }>,
): WatchedCredential =>
  deps.credentials.watch(`${kind} ${credentialId} ${facts.ws} ${scopeOf(route)}`, () =>
    admitCaller(deps, route, facts),
  )

type CallerFacts = Pick<RequestFacts, 'ws' | 'baseUrl' | 'header'>
type GateFacts = CallerFacts & Pick<RequestFacts, 'address'> & Pick<Call, 'onTaken'>

/** @throws {AppError} unauthenticated, forbidden */
const admitCaller = (
  deps: HttpDeps,
  route: Route,
  { ws, baseUrl, header }: CallerFacts,
): Promise<Principal> => {
  const ownOrigins = () => [baseUrl(), ...originsOf(header('host'))]
  return admit(deps, { route, ws, header, ownOrigins })
}

/** Admits the caller and counts the request against its rate limit. @throws {AppError} unauthenticated, forbidden, rate_limited */
const passGate = async (
  deps: HttpDeps,
  route: Route,
  facts: GateFacts,
): Promise<Principal | null> => {
  const stranger = callerNetworkOf(facts.address)
  if (scopeOf(route) === 'public') {
    if (route.rate !== 'off') deps.rateLimit('anonymous', stranger, facts.onTaken)
    return null
  }
  try {
    const principal = await admitCaller(deps, route, facts)
    if (route.rate !== 'off')
      deps.rateLimit(route.rate ?? 'other', principal.credentialId, facts.onTaken)
    return principal
  } catch (error) {
    // a caller without a valid credential counts against the limit of callers without a credential
    if (error instanceof AppError && error.kind === 'unauthenticated') {
      deps.rateLimit('anonymous', stranger, facts.onTaken)
    }
    throw error
  }
}
