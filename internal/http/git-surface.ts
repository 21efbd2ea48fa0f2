/**
 * `/git/{ws}/{app}`: git's smart HTTP protocol. A push of the branch main deploys the app (docs/git-push.md). Credentials
 * come by Basic: any user name, the token as the password.
 */
import type { Principal } from '#core/access/principal.ts'
import { actorOf } from '#core/actor.ts'
import { AppError, notFound } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { APP_KEY } from '#core/manifest.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { isWorkspaceId } from '#core/workspace-id.ts'
import { createGate, type Gate } from '#git/gate.ts'
import { type BackendRequest, type Proposal, runBackend } from '#git/http-backend.ts'
import {
  isOfApp,
  type PushFolder,
  prepareRepository,
  type RepositoryName,
  repositoryOf,
} from '#git/push-repository.ts'
import type { Logger } from '#log/logger.ts'
import { authenticate } from '#service/access/authenticate.ts'
import type { ReadDeps } from '#service/deploy-app.ts'
import { deployPush, markOf } from '#service/deploy-push.ts'
import { findApp } from '#store/apps.ts'
import { requireAdmitted } from './admission/admit.ts'
import type { RateLimiter } from './admission/rate-limit.ts'

export type GitSurfaceDeps = ReadDeps &
  Readonly<{ folder: PushFolder; rateLimit: RateLimiter; log: Logger }>

export type GitFacts = Readonly<{ request: Request; address: string | null }>

/** @throws {AppError} */
export type GitSurface = (facts: GitFacts) => Promise<Response>

const MAX_AT_ONCE = limit(
  'push.at_once',
  8,
  'items',
  'Pushes, clones and fetches at a time on one server. More: 503.',
)

type Service = BackendRequest['service']
type Target = RepositoryName & Readonly<{ service: Service; isAdvertisement: boolean }>

const PATH = /^\/git\/([^/]+)\/([^/]+)\/(info\/refs|git-upload-pack|git-receive-pack)$/
const PROTOCOL = /^version=[012]$/

const toService = (text: string | null): Service | null =>
  text === 'git-upload-pack' || text === 'git-receive-pack' ? text : null

const unknown = (): AppError => notFound('Repository')

/** Before any path is built of it. @throws {AppError} not_found, method_not_allowed */
const targetOf = ({ url, method }: Request): Target => {
  const { pathname, searchParams } = new URL(url)
  const [, ws = '', app = '', action = ''] = PATH.exec(pathname) ?? []
  const isAdvertisement = action === 'info/refs'
  const service = toService(isAdvertisement ? searchParams.get('service') : action)
  if (service === null || !isWorkspaceId(ws) || !APP_KEY.test(app)) throw unknown()
  if (method !== (isAdvertisement ? 'GET' : 'POST')) {
    throw new AppError('method_not_allowed', 'Use git for this address.')
  }
  return { ws, app, service, isAdvertisement }
}

/** The password of Basic; null without one. */
const passwordOf = (authorization: string | null): string | null => {
  const encoded = /^basic ([\w+/=-]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 || colon === text.length - 1 ? null : text.slice(colon + 1)
}

/** @throws {AppError} unauthenticated, forbidden, not_found, rate_limited */
const admitGit = async (
  { db, rateLimit }: GitSurfaceDeps,
  { ws, service }: Target,
  { request, address }: GitFacts,
): Promise<Principal> => {
  try {
    const token = passwordOf(request.headers.get('authorization'))
    if (token === null) {
      throw new AppError('unauthenticated', 'Give an API token as the password; any user name.')
    }
    const principal = await authenticate(db, token)
    rateLimit('other', principal.credentialId)
    // an unknown workspace and one of others look alike
    if (principal.ws !== ws) throw unknown()
    const scope = service === 'git-receive-pack' ? 'deployments:write' : 'apps:read'
    requireAdmitted(principal, { admits: [scope] })
    return principal
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') {
      rateLimit('anonymous', callerNetworkOf(address))
    }
    throw error
  }
}

/** One task at a time for each key. */
const createLocks = (): ((key: string) => Gate) => {
  const gates = new Map<string, Readonly<{ gate: Gate; users: number }>>()
  return (key) => async (task) => {
    const held = gates.get(key) ?? { gate: createGate(1), users: 0 }
    gates.set(key, { ...held, users: held.users + 1 })
    try {
      return await held.gate(task)
    } finally {
      const users = (gates.get(key)?.users ?? 1) - 1
      if (users === 0) gates.delete(key)
      else gates.set(key, { ...held, users })
    }
  }
}

export const createGitSurface = (deps: GitSurfaceDeps): GitSurface => {
  const { folder, db, log } = deps
  const lockOf = createLocks()
  let running = 0

  /** @throws {AppError} not_found, unavailable, too_large */
  const open = async ({ ws, app, service, isAdvertisement }: Target): Promise<string> => {
    const repository = repositoryOf(folder, { ws, app })
    const row = await findApp(db, ws, app)
    const mark = row === null ? null : markOf(row)
    if (service === 'git-receive-pack') {
      if (isAdvertisement) {
        await lockOf(repository)(() => prepareRepository(folder, { ws, app }, mark))
      }
    } else if (!isOfApp(repository, mark)) throw unknown()
    return repository
  }

  /** The lock is held until the refs are as they will be. */
  const decide =
    (repository: string, decision: (proposal: Proposal) => Promise<boolean>) =>
    (proposal: Proposal): Promise<boolean> =>
      new Promise((resolve, reject) => {
        lockOf(repository)(async () => {
          resolve(await decision(proposal))
          await proposal.ended
        }).catch((error: unknown) => {
          log.error('A pushed deployment failed.', { error })
          reject(error)
        })
      })

  return async (facts) => {
    const { request, address } = facts
    const target = targetOf(request)
    const principal = await admitGit(deps, target, facts)
    checkBody(target, request, folder)
    if (running >= MAX_AT_ONCE) {
      throw new AppError('unavailable', 'Too many pushes and clones at a time. Try again.', {
        retryAfterS: 5,
      })
    }
    const protocol = request.headers.get('git-protocol') ?? ''
    running += 1
    const leave = (): void => {
      running -= 1
    }
    const repository = await open(target).catch((error: unknown) => {
      leave()
      throw error
    })
    const actor = actorOf(principal, address)
    return runBackend(folder, {
      ...target,
      repository,
      contentEncoding: request.headers.get('content-encoding') ?? undefined,
      protocol: PROTOCOL.test(protocol) ? protocol : undefined,
      body: request.body,
      signal: request.signal,
      onRefs: decide(repository, (proposal) =>
        deployPush(deps, { ...target, folder, repository, actor, proposal }),
      ),
      onEnded: leave,
    })
  }
}

/** @throws {AppError} too_large, unsupported_media_type */
const checkBody = (
  { service, isAdvertisement }: Target,
  { headers }: Request,
  { maxBytes }: PushFolder,
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
