/** The copies of repositories on this server: brought up to date before git uses them, and deleted with their repositories. */
import type { AppAddress } from '#core/app-address.ts'
import { createGates } from '#core/fairness/gate.ts'
import { createTally } from '#core/fairness/tally.ts'
import {
  listCopies,
  type PushFolder,
  prepareEmptyRepository,
  prepareRepository,
  removeCopy,
  repositoryOf,
} from '#git/push-repository.ts'
import type { Logger } from '#log/logger.ts'
import {
  findRepository,
  listRepositoryApps,
  type Repository,
} from '#store/apps/git-repositories.ts'
import type { Deps } from '../deps.ts'
import { bringUpToDate, isUpToDate } from './copy-repository.ts'

export interface Copies {
  /** Runs a task while no other changes the copy. The copy is up to date, because a push to another server may have come first. */
  hold: (name: AppAddress, task: () => Promise<void>) => Promise<void>
  /** Brings a copy up to date. @returns false if the database has no such repository */
  refresh: (name: AppAddress) => Promise<boolean>
  /** Creates the copy for a first push. `ready` resolves when git can use it; call `end` at the end of the push. */
  beginFirst: (name: AppAddress) => Readonly<{ ready: Promise<void>; end: () => void }>
  /** What a client sees of a repository before its first push. */
  prepareEmpty: () => Promise<string>
}

export type CopiesDeps = Pick<Deps, 'db'> & Readonly<{ folder: PushFolder; log: Logger }>

export const createCopies = ({ db, folder, log }: CopiesDeps): Copies => {
  const lockOf = createGates(1)
  /** Copies that this process has brought up to date. A process that was killed may have left others locked or damaged. */
  const trusted = new Set<string>()
  /** First pushes in progress, by repository. */
  const firstPushes = createTally()
  const find = ({ ws, app }: AppAddress) => findRepository(db, ws, app)

  const isReady = (name: AppAddress, known: Repository): boolean =>
    trusted.has(repositoryOf(folder, name)) && isUpToDate({ folder, name }, known)

  const hold: Copies['hold'] = (name, task) => {
    const repository = repositoryOf(folder, name)
    return lockOf(repository)(async () => {
      const known = await find(name)
      if (known !== null && !isReady(name, known)) {
        await bringUpToDate({ db }, { folder, name }, known)
        trusted.add(repository)
      }
      await task()
    })
  }

  /** Deletes the copies of repositories that the database does not have: a first push was refused, or the app deleted. */
  const removeUnknown = async (ws: string): Promise<void> => {
    const known = new Set(await listRepositoryApps(db, ws))
    for (const app of listCopies(folder, ws).filter((one) => !known.has(one))) {
      const name = { ws, app }
      const repository = repositoryOf(folder, name)
      await lockOf(repository)(async () => {
        if (firstPushes.of(repository) > 0 || (await find(name)) !== null) return
        trusted.delete(repository)
        removeCopy(repository)
      })
    }
  }

  return {
    hold,
    refresh: async (name) => {
      const known = await find(name)
      // the lock may be held for as long as a deployment takes
      if (known === null || isReady(name, known)) return known !== null
      await hold(name, async () => undefined)
      return (await find(name)) !== null
    },
    beginFirst: (name) => {
      const repository = repositoryOf(folder, name)
      firstPushes.add(repository, 1)
      return {
        ready: lockOf(repository)(() => prepareRepository(folder, name, null)),
        end: () => {
          firstPushes.add(repository, -1)
          removeUnknown(name.ws).catch((error: unknown) => {
            log.warn('Copies of repositories that no longer exist were not deleted.', { error })
          })
        },
      }
    },
    prepareEmpty: () => lockOf('')(() => prepareEmptyRepository(folder)),
  }
}
