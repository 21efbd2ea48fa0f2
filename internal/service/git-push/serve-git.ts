/** Serves the repositories of apps to git clients that were admitted. */
import type { AppAddress } from '#core/app-address.ts'
import { type AppError, notFound, unavailable } from '#core/error.ts'
import { createPlaces } from '#core/fairness/places.ts'
import { limit } from '#core/limit.ts'
import { type BackendRequest, type Proposal, runBackend } from '#git/http-backend.ts'
import { type PushFolder, repositoryOf, requireRoom } from '#git/push-repository.ts'
import type { Deps } from '../deps.ts'
import { createCopies } from './copies.ts'
import { deployPush, type PushDeps } from './deploy-push.ts'
import type { Push } from './read-branches.ts'

export type GitServerDeps = PushDeps & Pick<Deps, 'storage'> & Readonly<{ folder: PushFolder }>

export type GitTarget = AppAddress & Pick<BackendRequest, 'service' | 'isAdvertisement'>

export type GitCall = GitTarget &
  Pick<BackendRequest, 'contentEncoding' | 'protocol' | 'body' | 'signal'> &
  Pick<Push, 'actor' | 'admitLate'>

export interface GitServer {
  /** The most bytes of the pack of one push. */
  readonly maxBytes: number
  /** @throws {AppError} not_found, unavailable, too_large; rate_limited `storage_full` */
  serve(call: GitCall): Promise<Response>
}

const MAX_AT_ONCE = limit(
  'push.at_once',
  8,
  'items',
  'Pushes, clones and fetches at a time on one server. More: 503.',
)
const MAX_OF_BUSY = limit(
  'push.of_workspace',
  6,
  'items',
  'Those of workspaces that have one already; the others are for workspaces without one. More: 503.',
)

const unknown = (): AppError => notFound('Repository')

export const createGitServer = (deps: GitServerDeps): GitServer => {
  const { folder, log, storage } = deps
  const copies = createCopies(deps)
  const places = createPlaces(MAX_AT_ONCE, MAX_OF_BUSY)

  /**
   * Brings the copy of this server up to date.
   * @param onEnd takes what to call at the end of the request
   * @throws {AppError} not_found, unavailable, too_large; rate_limited `storage_full`
   */
  const open = async (
    { ws, app, service, isAdvertisement }: GitTarget,
    onEnd: (act: () => void) => void,
  ): Promise<string> => {
    const name = { ws, app }
    const isPush = service === 'git-receive-pack'
    if (isPush) await storage.pass(ws)
    if (!(await copies.refresh(name))) {
      if (!isPush) throw unknown()
      if (isAdvertisement) return copies.prepareEmpty()
      const { ready, end } = copies.beginFirst(name)
      onEnd(end)
      await ready
    }
    const repository = repositoryOf(folder, name)
    if (isPush) requireRoom(repository)
    return repository
  }

  /** Holds the copy until the refs have changed. */
  const decide =
    (name: AppAddress, decision: (proposal: Proposal) => Promise<boolean>) =>
    (proposal: Proposal): Promise<boolean> =>
      new Promise((resolve, reject) => {
        copies
          .hold(name, async () => {
            resolve(await decision(proposal))
            await proposal.ended
          })
          .catch((error: unknown) => {
            log.error('A pushed deployment failed.', { error })
            reject(error)
          })
      })

  const serve: GitServer['serve'] = async (request) => {
    const { ws, actor } = request
    const leavePlace = places.take(ws)
    if (leavePlace === null) {
      throw unavailable('Too many pushes and clones at a time. Try again.', {
        retryAfterS: 5,
      })
    }
    const ends = [leavePlace]
    const leave = (): void => {
      for (const end of ends.splice(0)) end()
    }
    try {
      const repository = await open(request, (act) => void ends.push(act))
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
