/** Answers the requests that no endpoint declares: calls of functions, served files, and git. */
import type { Context } from 'hono'
import { confineAnswer } from '#core/function/shared-origin.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { requireConnection } from '../admission/connection-owner.ts'
import { createCountedRate } from '../admission/rate-limit.ts'
import { toWireError } from '../error.ts'
import type { HttpDeps } from '../http-deps.ts'
import { clientAddress, type Env, ownAddress, receivedHeaders } from '../received.ts'
import { openRequestSpan, type RequestSpan } from '../request-span.ts'
import { failure, headOf, requestIdOf, toResponse } from '../respond.ts'
import {
  allowOf,
  type FunctionSurface,
  isOnOwnOrigin,
  type SurfaceFacts,
} from './function-surface.ts'
import { type GitSurface, workspaceOfGit } from './git-surface.ts'
import type { FileSurface } from './served-files.ts'

const FUNCTION_ROUTE = '/fn'

/**
 * Null if the request is for svc itself. The function's response is passed on with the request id
 * added; below `/fn/` it is confined, errors included.
 */
export const answerFunction = async (
  deps: HttpDeps,
  functions: FunctionSurface,
  context: Context<Env>,
): Promise<Response | null> => {
  const startedAt = performance.now()
  let requestId: string | null = null
  let span: RequestSpan | null = null
  let response: Response
  const rate = createCountedRate()
  try {
    const target = await functions.find(context.req.header('host'), context.req.url)
    if (target === null) return null
    requestId = requestIdOf(deps, context)
    span = openRequestSpan(deps, context)
    const facts = functionFacts(deps, context, { requestId, onTaken: rate.onTaken })
    const network = callerNetworkOf(facts.address)
    requireConnection(context.env?.countConnection, { name: network, isKnown: false })
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
  rate.setHeaders(response.headers)
  deps.onEnded(FUNCTION_ROUTE, response.status, performance.now() - startedAt)
  span?.end(FUNCTION_ROUTE, response.status)
  return context.req.raw.method === 'HEAD' ? headOf(response) : response
}

const functionFacts = (
  deps: HttpDeps,
  context: Context<Env>,
  own: Pick<SurfaceFacts, 'requestId' | 'onTaken'>,
): SurfaceFacts => {
  const { pathname, search } = new URL(context.req.url)
  return {
    request: context.req.raw,
    headers: receivedHeaders(context),
    url: `${ownAddress(context)}${pathname}${search}`,
    address: clientAddress(deps, context),
    ...own,
  }
}

export const answerFile = async (
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
export const answerGit = async (
  deps: HttpDeps,
  surface: GitSurface,
  context: Context<Env>,
): Promise<Response> => {
  const startedAt = performance.now()
  const requestId = requestIdOf(deps, context)
  const span = openRequestSpan(deps, context)
  let response: Response
  const { onTaken, setHeaders } = createCountedRate()
  try {
    const address = clientAddress(deps, context)
    const cell = (await deps.cells?.ofWorkspace(workspaceOfGit(context.req.path))) ?? null
    const serving = cell?.gitPush ?? surface
    const onAdmitted = (ws: string): void =>
      requireConnection(context.env?.countConnection, { name: ws, isKnown: true })
    const facts = { request: context.req.raw, address, onTaken, onAdmitted }
    response = toResponse(await serving(facts), requestId)
  } catch (error) {
    const { headers, status } = failure(deps, context, { error, requestId, span })
    headers.set('content-type', 'text/plain; charset=utf-8')
    if (status === 401) headers.set('www-authenticate', 'Basic realm="svc"')
    const allow = allowOf(error)
    if (allow !== null) headers.set('allow', allow)
    response = new Response(`${toWireError(error).message}\n`, { status, headers })
  }
  setHeaders(response.headers)
  deps.onEnded(GIT_ROUTE, response.status, performance.now() - startedAt)
  span?.end(GIT_ROUTE, response.status)
  return response
}
