/** One request of a route: the gate, the body, and the handler, in the cell of the workspace. */
import type { Context } from 'hono'
import { customerOf, type Principal } from '#core/access/principal.ts'
import { AppError } from '#core/error.ts'
import type { Holder } from '#core/fairness/room.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { workspaceMoving } from '#service/cells/find-database.ts'
import { readAs } from '#store/read-owner.ts'
import { admit } from './admission/admit.ts'
import { type Caller, requireConnection } from './admission/connection-owner.ts'
import {
  type CredentialWatch,
  endWithCredential,
  type WatchedCredential,
} from './admission/credential-watch.ts'
import type { OpenStreams } from './admission/open-streams.ts'
import type { RateState } from './admission/rate-limit.ts'
import { isSafeMethod } from './admission/same-origin.ts'
import { refuseTooManyReads } from './admission/waiting-reads.ts'
import { runWithBody } from './bodies/held-bodies.ts'
import { isLate, readBody } from './bodies/request-body.ts'
import type { UnsentAnswers } from './bodies/unsent-answers.ts'
import { type CellSurface, findAnsweringCell, routeIn } from './cell-router.ts'
import { scopeOf } from './endpoint.ts'
import { acceptsEvents, EVENT_STREAM } from './event-stream.ts'
import type { HttpDeps } from './http-deps.ts'
import { clientAddress, type Env, ownAddress, receivedHeaders } from './received.ts'
import type { RequestFacts } from './request.ts'
import type { RequestSpan } from './request-span.ts'
import type { Reply, Route } from './route.ts'

export type RouteDeps = HttpDeps &
  Readonly<{ credentials: CredentialWatch; streams: OpenStreams; unsent: UnsentAnswers }>

export type Call = Readonly<{
  route: Route
  requestId: string
  onTaken: (state: RateState) => void
  span: RequestSpan | null
}>

/**
 * Admits the caller, reads the body, finds the cell that answers, and runs the route there.
 * @throws {AppError} as the gate, the body or the handler refuses
 */
export const runRoute = async (
  deps: RouteDeps,
  context: Context<Env>,
  { route, requestId, onTaken, span }: Call,
): Promise<Reply> => {
  const params = context.req.param()
  const facts = {
    ws: 'ws' in params ? String(params.ws) : '',
    address: clientAddress(deps, context),
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
  const admitted = await passGate(deps, route, { ...facts, onTaken })
  const owner = admitted === null ? PUBLIC_READER : workspaceOf(admitted, facts)
  const caller = callerOf(admitted, owner, facts.address)
  if (route.tag !== 'Node') requireConnection(context.env?.countConnection, caller)
  if (admitted !== null && isSafeMethod(route.method)) refuseTooManyReads(owner)
  const admitLate = createAdmitLate(admitted, () => admitCaller(deps, route, facts))
  const call = { route, requestId, onTaken, params, facts, own, owner, admitLate }
  if (admitted === null) return readAndRun(deps, context, { ...call, holder: null })
  const holder = { ws: caller.name, customerId: customerOf(admitted) }
  const bytes = announcedBytes(route, facts, bodyLimitOf(deps, route))
  return runWithBody({ ...holder, bytes }, () => readAndRun(deps, context, { ...call, holder }))
}

const bodyLimitOf = ({ maxBodyBytes }: HttpDeps, { bodyLimit = maxBodyBytes }: Route): number =>
  bodyLimit

/** What a body takes once it is whole; 0 if a header does not state it, or the route reads it in parts. */
const announcedBytes = (
  { bodyKind }: Route,
  { header }: Pick<CallerFacts, 'header'>,
  most: number,
): number => {
  const length = Number(header('content-length') ?? 0)
  return bodyKind === 'stream' || !(length > 0) ? 0 : Math.min(length, most)
}

type AdmittedCall = Omit<Call, 'span'> &
  Readonly<{
    params: Readonly<Record<string, string>>
    facts: Pick<
      RequestFacts,
      'ws' | 'address' | 'baseUrl' | 'header' | 'isHead' | 'receivedHeaders'
    >
    /** The cell of the workspace in the path. */
    own: CellSurface | null
    /** Whose turns the reads take. */
    owner: string
    admitLate: () => Promise<Principal | null>
    /** Whom the body counts for; null for a caller without a credential. */
    holder: Holder | null
  }>

/** Reads the body, finds the cell that answers, and runs the route there. */
const readAndRun = async (
  deps: RouteDeps,
  context: Context<Env>,
  { route, requestId, onTaken, params, facts, own, owner, admitLate, holder }: AdmittedCall,
): Promise<Reply> => {
  const { cells = null } = deps
  const body = { limit: bodyLimitOf(deps, route), isKnown: holder !== null }
  const { bytes, text, json } = await readAs(owner, () =>
    readBody(context.req.raw, route.bodyKind, body),
  )
  const principal = await admitLate()
  const query = context.req.query()
  const repeated = Object.entries(context.req.queries()).flatMap(([name, values]) =>
    values.length > 1 ? [name] : [],
  )
  // the workspace may have moved while the body arrived
  if (cells !== null && facts.ws !== '' && (await cells.ofWorkspace(facts.ws)) !== own) {
    throw workspaceMoving(facts.ws)
  }
  const cell =
    cells === null || facts.ws !== ''
      ? own
      : await findAnsweringCell(cells, route, { principal, params, query, bodyBytes: bytes })
  const run = () =>
    routeIn(cell, route).run({
      ...facts,
      requestId,
      principal,
      signal: context.req.raw.signal,
      bodyText: text,
      bodyBytes: bytes,
      bodyStream: route.bodyKind === 'stream' ? context.req.raw.body : null,
      admitLate,
      readBody: async () => (await readBody(context.req.raw, 'raw', body)).bytes,
      takeRate: (rateClass, caller) => deps.rateLimit(rateClass, caller, onTaken),
      params,
      query,
      repeated,
      json,
    })
  if (principal === null || holder === null) return readAs(owner, run)
  const counted = () => runCounted(deps, { principal, route, facts }, run)
  const late = announcedBytes(route, facts, body.limit) === 0 ? bytes.length : 0
  return readAs(owner, () => runWithBody({ ...holder, bytes: late }, counted))
}

/** Returns whom the connection counts for: without a workspace, the credential itself. */
const callerOf = (admitted: Principal | null, owner: string, address: string | null): Caller =>
  admitted === null
    ? { name: callerNetworkOf(address), isKnown: false }
    : { name: owner === '' ? admitted.credentialId : owner, isKnown: true }

/** All calls without a credential share the turns of one reader. */
const PUBLIC_READER = 'public/'

/** Returns the workspace of the path or else of the credential; empty if neither names one. */
const workspaceOf = ({ ws }: Principal, facts: CallerFacts): string =>
  facts.ws === '' ? (ws ?? '') : facts.ws

/**
 * Returns a function that admits the caller again if a long time has passed [wire 1.6], and returns the principal.
 * @param admitted null for a caller without a credential
 */
const createAdmitLate = (
  admitted: Principal | null,
  admitAgain: () => Promise<Principal>,
): (() => Promise<Principal | null>) => {
  const startedAt = performance.now()
  return async () => (admitted !== null && isLate(startedAt) ? admitAgain() : admitted)
}

type StreamCaller = Readonly<{ principal: Principal; route: Route; facts: CallerFacts }>

/** Counts the stream of a caller. One who names streams in `Accept` is refused before the route has an effect. */
const runCounted = async (
  deps: RouteDeps,
  { principal, route, facts }: StreamCaller,
  run: () => Promise<Reply>,
): Promise<Reply> => {
  const caller = { ws: workspaceOf(principal, facts), customerId: customerOf(principal) }
  let leave = acceptsEvents(facts) ? deps.streams.add(caller) : null
  let isOpen = false
  try {
    const reply = await run()
    if (!isEventStream(reply)) return reply
    try {
      leave ??= deps.streams.add(caller)
    } catch (error) {
      // the response is not sent, so nothing else would end its source
      reply.body?.cancel().catch(() => undefined)
      throw error
    }
    isOpen = true
    return endWithCredential(reply, watchCaller(deps, principal, { route, facts }), leave)
  } finally {
    if (!isOpen) leave?.()
  }
}

const isEventStream = (reply: Reply): reply is Response =>
  reply instanceof Response && reply.headers.get('content-type') === EVENT_STREAM

const watchCaller = (
  deps: RouteDeps,
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
): Promise<Principal> => admit(deps, { route, ws, header, baseUrl })

/** Admits the caller and counts the request against its rate limit. @throws {AppError} unauthenticated, forbidden, rate_limited */
const passGate = async (
  deps: HttpDeps,
  route: Route,
  facts: GateFacts,
): Promise<Principal | null> => {
  const network = callerNetworkOf(facts.address)
  if (scopeOf(route) === 'public') {
    if (route.rate !== 'off') deps.rateLimit('anonymous', network, facts.onTaken)
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
      deps.rateLimit('anonymous', network, facts.onTaken)
    }
    throw error
  }
}
