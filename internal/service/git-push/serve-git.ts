/** Serves the repositories of apps to git clients that were admitted. */
import { type AppError, notFound, unavailable } from '#core/error.ts'
import { createGates } from '#core/fairness/gate.ts'
import { createTally } from '#core/fairness/tally.ts'
import { limit } from '#core/limit.ts'
import { type BackendRequest, type Proposal, runBackend } from '#git/http-backend.ts'
import {
  listCopies,
  type PushFolder,
  prepareEmptyRepository,
  prepareRepository,
  type RepositoryName,
  removeCopy,
  repositoryOf,
  requireRoom,
} from '#git/push-repository.ts'
import type { Logger } from '#log/logger.ts'
import { findRepository, listRepositoryApps } from '#store/apps/git-repositories.ts'
import { bringUpToDate, isUpToDate } from './copy-repository.ts'
import { deployPush, type PushDeps } from './deploy-push.ts'
import type { Push } from './read-branches.ts'

export type GitServerDeps = PushDeps & Readonly<{ folder: PushFolder; log: Logger }>

export type GitTarget = RepositoryName & Pick<BackendRequest, 'service' | 'isAdvertisement'>

export type GitCall = GitTarget &
  Pick<BackendRequest, 'contentEncoding' | 'protocol' | 'body' | 'signal'> &
  Pick<Push, 'actor' | 'admitLate'>

export interface GitServer {
  /** The most bytes of the pack of one push. */
  readonly maxBytes: number
  /** @throws {AppError} not_found, unavailable, too_large, rate_limited */
  serve(call: GitCall): Promise<Response>
}

const MAX_AT_ONCE = limit(
  'push.at_once',
  8,
  'items',
  'Pushes, clones and fetches at a time on one server. More: 503.',
)
const MAX_OF_WORKSPACE = limit(
  'push.of_workspace',
  6,
  'items',
  'Those of one workspace, which leave room for others. More: 503.',
)

const unknown = (): AppError => notFound('Repository')

export const createGitServer = (deps: GitServerDeps): GitServer => {
  const { folder, db, storage, log } = deps
  const lockOf = createGates(1)
  const workspaces = createTally()
  /** First pushes in progress, by repository. */
  const firstPushes = createTally()
  let running = 0

  /**
   * Brings the copy of this server up to date.
   * @param isFirst called before a first push creates it
   * @throws {AppError} not_found, unavailable, too_large, rate_limited
   */
  const open = async (
    { ws, app, service, isAdvertisement }: GitTarget,
    isFirst: () => void,
  ): Promise<string> => {
    const name = { ws, app }
    const repository = repositoryOf(folder, name)
    if (service === 'git-receive-pack') await storage.pass(ws)
    const known = await findRepository(db, ws, app)
    if (known !== null) {
      if (!isUpToDate({ folder, name }, known)) await refresh(name)
    } else if (service !== 'git-receive-pack') throw unknown()
    else if (isAdvertisement) return lockOf('')(() => prepareEmptyRepository(folder))
    else {
      isFirst()
      await lockOf(repository)(() => prepareRepository(folder, name, null))
    }
    if (service === 'git-receive-pack') requireRoom(repository)
    return repository
  }

  /** Deletes the copies of repositories that the database does not have: a first push was refused, or the app deleted. */
  const removeUnknown = async (ws: string): Promise<void> => {
    const known = new Set(await listRepositoryApps(db, ws))
    for (const app of listCopies(folder, ws).filter((one) => !known.has(one))) {
      const repository = repositoryOf(folder, { ws, app })
      await lockOf(repository)(async () => {
        if (firstPushes.of(repository) > 0) return
        if ((await findRepository(db, ws, app)) === null) removeCopy(repository)
      })
    }
  }

  /** @returns what to call at the end of the push */
  const beginFirst = (name: RepositoryName): (() => void) => {
    const repository = repositoryOf(folder, name)
    firstPushes.add(repository, 1)
    return () => {
      firstPushes.add(repository, -1)
      removeUnknown(name.ws).catch((error: unknown) => {
        log.warn('Copies of repositories that no longer exist were not deleted.', { error })
      })
    }
  }

  /** Reads again under the lock, because another task may have brought the copy up to date, or beyond. */
  const refresh = (name: RepositoryName): Promise<void> =>
    lockOf(repositoryOf(folder, name))(async () => {
      const known = await findRepository(db, name.ws, name.app)
      if (known === null) throw unknown()
      if (!isUpToDate({ folder, name }, known)) await bringUpToDate(deps, { folder, name }, known)
    })

  /**
   * Holds the lock until the refs have changed. Brings the copy up to date, because a push to another
   * server may have come first.
   */
  const decide =
    (name: RepositoryName, decision: (proposal: Proposal) => Promise<boolean>) =>
    (proposal: Proposal): Promise<boolean> =>
      new Promise((resolve, reject) => {
        lockOf(repositoryOf(folder, name))(async () => {
          const known = await findRepository(db, name.ws, name.app)
          if (known !== null && !isUpToDate({ folder, name }, known)) {
            await bringUpToDate(deps, { folder, name }, known)
          }
          resolve(await decision(proposal))
          await proposal.ended
        }).catch((error: unknown) => {
          log.error('A pushed deployment failed.', { error })
          reject(error)
        })
      })

  const serve: GitServer['serve'] = async (request) => {
    const { ws, actor } = request
    if (running >= MAX_AT_ONCE || workspaces.of(ws) >= MAX_OF_WORKSPACE) {
      throw unavailable('Too many pushes and clones at a time. Try again.', {
        retryAfterS: 5,
      })
    }
    const count = (by: number): void => {
      running += by
      workspaces.add(ws, by)
    }
    count(1)
    const ends: (() => void)[] = [() => count(-1)]
    const leave = (): void => {
      for (const end of ends.splice(0)) end()
    }
    try {
      const repository = await open(request, () => ends.push(beginFirst(request)))
      return await runBackend(folder, {
        ...request,
        repository,
        onRefs: decide(request, (proposal) =>
          deployPush(deps, { ...request, folder, repository, actor, proposal }),
        ),
        onEnded: leave,
      })
    } catch (error) {
      leave()
      throw error
    }
  }
  return { maxBytes: folder.maxBytes, serve }
}
