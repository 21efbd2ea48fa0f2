/**
 * `/git/{ws}/{app}`: git's smart HTTP protocol. A push to the branch main deploys the app (docs/git-push.md). Credentials use
 * Basic authentication: any user name, with the token as the password.
 */

import { actorOf } from '#core/access/actor.ts'
import type { Principal } from '#core/access/principal.ts'
import { AppError, notFound } from '#core/error.ts'
import { APP_KEY } from '#core/key-patterns.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { isWorkspaceId } from '#core/workspace-id.ts'
import { authenticate } from '#service/access/authenticate.ts'
import type { Deps } from '#service/deps.ts'
import type { GitServer, GitTarget } from '#service/git-push/serve-git.ts'
import { requireAdmitted } from '../admission/admit.ts'
import type { RateLimiter, RateState } from '../admission/rate-limit.ts'

export type GitSurfaceDeps = Pick<Deps, 'db' | 'home'> &
  Readonly<{ gitServer: GitServer; rateLimit: RateLimiter }>

export type GitFacts = Readonly<{
  request: Request
  address: string | null
  onTaken: (state: RateState) => void
  /** Called with the workspace of an admitted caller. @throws {AppError} unavailable */
  onAdmitted: (ws: string) => void
}>

/** @throws {AppError} */
export type GitSurface = (facts: GitFacts) => Promise<Response>

type Service = GitTarget['service']

const PATH = /^\/git\/([^/]+)\/([^/]+)\/(info\/refs|git-upload-pack|git-receive-pack)$/
const PROTOCOL = /^version=[012]$/

const toService = (text: string | null): Service | null =>
  text === 'git-upload-pack' || text === 'git-receive-pack' ? text : null

const unknown = (): AppError => notFound('Repository')

/** The workspace of an address, or an empty text. */
export const workspaceOfGit = (path: string): string => PATH.exec(path)?.[1] ?? ''

/** Validates the address before any path is built from it. @throws {AppError} not_found, method_not_allowed */
const targetOf = ({ url, method }: Request): GitTarget => {
  const { pathname, searchParams } = new URL(url)
  const [, ws = '', app = '', action = ''] = PATH.exec(pathname) ?? []
  const isAdvertisement = action === 'info/refs'
  const service = toService(isAdvertisement ? searchParams.get('service') : action)
  if (service === null || !isWorkspaceId(ws) || !APP_KEY.test(app)) throw unknown()
  const allow = isAdvertisement ? 'GET' : 'POST'
  if (method !== allow) {
    const details = [{ path: 'allow', message: allow }]
    throw new AppError('method_not_allowed', 'Use git for this address.', { details })
  }
  return { ws, app, service, isAdvertisement }
}

/** The password of Basic authentication; null if there is none. */
const passwordOf = (authorization: string | null): string | null => {
  const encoded = /^basic ([\w+/=-]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 || colon === text.length - 1 ? null : text.slice(colon + 1)
}

/** @throws {AppError} unauthenticated, forbidden, not_found; also what `onKnown` throws */
const identify = async (
  { db, home }: GitSurfaceDeps,
  { ws, service }: GitTarget,
  { request, onKnown }: Readonly<{ request: Request; onKnown: (principal: Principal) => void }>,
): Promise<Principal> => {
  const token = passwordOf(request.headers.get('authorization'))
  if (token === null) {
    throw new AppError('unauthenticated', 'Give an API token as the password; any user name.')
  }
  const principal = await authenticate(db, token, home)
  onKnown(principal)
  // an unknown workspace and another tenant's get the same response
  if (principal.ws !== ws) throw unknown()
  const scope = service === 'git-receive-pack' ? 'deployments:write' : 'apps:read'
  requireAdmitted(principal, { admits: [scope] })
  return principal
}

/** @throws {AppError} unauthenticated, forbidden, not_found, rate_limited */
const admitGit = async (
  deps: GitSurfaceDeps,
  target: GitTarget,
  { request, address, onTaken }: GitFacts,
): Promise<Principal> => {
  const { rateLimit } = deps
  const onKnown = ({ credentialId }: Principal): void => rateLimit('other', credentialId, onTaken)
  try {
    return await identify(deps, target, { request, onKnown })
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') {
      rateLimit('anonymous', callerNetworkOf(address), onTaken)
    }
    throw error
  }
}

export const createGitSurface =
  (deps: GitSurfaceDeps): GitSurface =>
  async (facts) => {
    const { request, address } = facts
    const target = targetOf(request)
    const principal = await admitGit(deps, target, facts)
    facts.onAdmitted(target.ws)
    checkBody(target, request, deps.gitServer.maxBytes)
    const protocol = request.headers.get('git-protocol') ?? ''
    return deps.gitServer.serve({
      ...target,
      contentEncoding: request.headers.get('content-encoding') ?? undefined,
      protocol: PROTOCOL.test(protocol) ? protocol : undefined,
      body: request.body,
      signal: request.signal,
      actor: actorOf(principal, address),
      admitLate: () => identify(deps, target, { request, onKnown: () => undefined }),
    })
  }

/** @throws {AppError} too_large, unsupported_media_type */
const checkBody = (
  { service, isAdvertisement }: GitTarget,
  { headers }: Request,
  maxBytes: number,
): void => {
  if (isAdvertisement) return
  const encoding = headers.get('content-encoding')
  const isPush = service === 'git-receive-pack'
  if (
    headers.get('content-type') !== `application/x-${service}-request` ||
    (encoding !== null && (isPush || !/^(?:x-)?gzip$/.test(encoding)))
  ) {
    throw new AppError('unsupported_media_type', 'Use git for this address.')
  }
  if (Number(headers.get('content-length') ?? 0) > maxBytes + 1_048_576) {
    throw new AppError('too_large', `A push may bring ${maxBytes} bytes (SVC_GIT_PUSH_MAX_MB).`)
  }
}
