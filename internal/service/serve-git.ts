/** Serves the repositories of apps to git clients that were admitted. */
import type { Actor } from '#core/actor.ts'
import { AppError, notFound } from '#core/error.ts'
import { limit } from '#core/limit.ts'
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
import { findApp } from '#store/apps.ts'
import type { ReadDeps } from './deploy-app.ts'
import { deployPush, markOf } from './deploy-push.ts'

export type GitServerDeps = ReadDeps & Readonly<{ folder: PushFolder; log: Logger }>

export type GitTarget = RepositoryName & Pick<BackendRequest, 'service' | 'isAdvertisement'>

export type GitCall = GitTarget &
  Pick<BackendRequest, 'contentEncoding' | 'protocol' | 'body' | 'signal'> &
  Readonly<{ actor: Actor }>

export interface GitServer {
  /** Limits the pack of one push. */
  readonly maxBytes: number
  /** @throws {AppError} not_found, unavailable, too_large */
  serve(call: GitCall): Promise<Response>
}

const MAX_AT_ONCE = limit(
  'push.at_once',
  8,
  'items',
  'Pushes, clones and fetches at a time on one server. More: 503.',
)

const unknown = (): AppError => notFound('Repository')

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

export const createGitServer = (deps: GitServerDeps): GitServer => {
  const { folder, db, log } = deps
  const lockOf = createLocks()
  let running = 0

  /** @throws {AppError} not_found, unavailable, too_large */
  const open = async ({ ws, app, service, isAdvertisement }: GitTarget): Promise<string> => {
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

  const serve: GitServer['serve'] = async (request) => {
    if (running >= MAX_AT_ONCE) {
      throw new AppError('unavailable', 'Too many pushes and clones at a time. Try again.', {
        retryAfterS: 5,
      })
    }
    running += 1
    const leave = (): void => {
      running -= 1
    }
    const repository = await open(request).catch((error: unknown) => {
      leave()
      throw error
    })
    const { actor } = request
    return runBackend(folder, {
      ...request,
      repository,
      onRefs: decide(repository, (proposal) =>
        deployPush(deps, { ...request, folder, repository, actor, proposal }),
      ),
      onEnded: leave,
    })
  }
  return { maxBytes: folder.maxBytes, serve }
}
