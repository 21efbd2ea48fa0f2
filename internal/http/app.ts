/**
 * The HTTP surface: admission (who calls, and whether they may), the routes, and the wire rules for responses [wire 1 to 6].
 *
 * It guarantees: every response carries `x-request-id`; every error has the same body; a guarded route runs only after
 * credential, workspace and scope were checked, in this order [wire 1.2].
 */
import { type Context, Hono } from 'hono'
import { AppError } from '#core/error.ts'
import { createCredentialWatch } from './admission/credential-watch.ts'
import { createOpenStreams } from './admission/open-streams.ts'
import { createCountedRate } from './admission/rate-limit.ts'
import { createUnsentAnswers } from './bodies/unsent-answers.ts'
import { METHODS, type Method } from './endpoint.ts'
import type { HttpDeps } from './http-deps.ts'
import type { Env } from './received.ts'
import { openRequestSpan } from './request-span.ts'
import { countUnsent, failure, headOf, requestIdOf, toResponse } from './respond.ts'
import type { Route } from './route.ts'
import { type RouteDeps, runRoute } from './run-route.ts'
import { answerFile, answerFunction, answerGit } from './surfaces/surfaces.ts'

/** The route label of all unknown paths in metrics: paths that callers choose would make an unlimited number of series. */
const UNKNOWN_ROUTE = '(none)'

export const createHttpApp = (given: HttpDeps, routes: readonly Route[]): Hono<Env> => {
  const app = new Hono<Env>()
  const credentials = createCredentialWatch()
  const streams = createOpenStreams()
  const deps: RouteDeps = { ...given, credentials, streams, unsent: createUnsentAnswers() }
  const { functions } = deps
  if (functions !== null) {
    app.use(async (context, next) => {
      const response = await answerFunction(deps, functions, context)
      if (response === null) await next()
      else context.res = response
    })
  }
  const paths = methodsByPath(routes)
  // before the routes, because `/jobs/{id}` also matches `/jobs/batch`, which is not an id
  for (const [path, methods] of paths) {
    if (!isBesideAnId(path, paths)) continue
    const others = METHODS.filter((method) => !methods.includes(method))
    const names = [...others.map((method) => method.toUpperCase()), 'OPTIONS']
    app.on(names, toHonoPath(path), (context) => refuseMethod(deps, context, { path, methods }))
  }
  for (const route of routes) {
    app.on(route.method.toUpperCase(), toHonoPath(route.path), (context) =>
      answer(deps, context, route),
    )
  }
  // after all routes, so that a parameter never hides a fixed path
  for (const [path, methods] of paths) {
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

/** The parameter `path` matches the rest of the address, slashes included. */
const toHonoPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? ':path{.+}' : `:${name}`))

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, readonly Method[]> => {
  const methods = new Map<string, readonly Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

/** Whether an `{id}` of another path, which is always a UUID, has the place of the last word of this fixed path. */
const isBesideAnId = (path: string, all: ReadonlyMap<string, unknown>): boolean =>
  /\/\w[\w-]*$/.test(path) && all.has(path.replace(/[^/]+$/, '{id}'))

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

const answer = async (deps: RouteDeps, context: Context<Env>, route: Route): Promise<Response> => {
  const startedAt = performance.now()
  const requestId = requestIdOf(deps, context)
  // health probes would make up most of the spans
  const span = route.tag === 'Node' ? null : openRequestSpan(deps, context)
  let response: Response
  const { onTaken, setHeaders } = createCountedRate()
  try {
    response = toResponse(
      await runRoute(deps, context, { route, requestId, onTaken, span }),
      requestId,
    )
  } catch (error) {
    response = failure(deps, context, { error, requestId, span })
  }
  setHeaders(response.headers)
  deps.onEnded(route.path, response.status, performance.now() - startedAt)
  span?.end(route.path, response.status)
  if (context.req.raw.method === 'HEAD') return headOf(response)
  return countUnsent(deps.unsent, context, { ws: context.req.param('ws') ?? '', response })
}
