/** Syncs git sources with `auto_sync_s`. Only reads when none is due. */
import type { Logger } from '#log/logger.ts'
import type { GitDeps } from '#service/git-sources/save-git-source.ts'
import { type BegunSync, beginDueGitSyncs } from '#service/git-sources/sync-due-git-sources.ts'
import type { Leadership } from '#service/nodes/lead.ts'
import { listDueGitSources } from '#store/apps/git-sources.ts'
import type { Duty } from '../turns.ts'

/** Milliseconds. The shortest `auto_sync_s` is 10 s. */
const EVERY_MS = 5_000

/**
 * Creates the duty; it runs when the next source is due, at most every 5 seconds, and when a sync has ended. A turn does not wait
 * for the syncs that it begins, so that a remote that does not answer delays no others.
 */
export const createGitSyncDuty = (
  deps: GitDeps & Readonly<{ log: Logger; leadership: Leadership }>,
): Duty => {
  const underWay = new Map<Promise<void>, BegunSync['source']>()
  let want = (): void => undefined

  /** @returns whether this node has synced the source */
  const follow = async ({ ended }: BegunSync): Promise<boolean> => {
    try {
      const sync = await ended
      if (sync === null) return false
      const { source, error } = sync
      const { ws, id } = source
      if (error !== null) {
        deps.log.warn('A git source could not be synced.', { ws, git_source: id, error })
      }
      return true
    } catch (error) {
      deps.log.warn('The sync of a git source failed.', { error })
      return false
    }
  }
  return {
    name: 'sync-git',
    everyMs: EVERY_MS,
    dueMs: ({ gitSyncMs }) => gitSyncMs,
    runOnce: async (signal) => {
      if ((await listDueGitSources(deps.db, 1)).length === 0) return
      if (!(await deps.leadership.claim())) return
      for (const begun of await beginDueGitSyncs(deps, [...underWay.values()], signal)) {
        const followed = follow(begun).then((isSynced) => {
          underWay.delete(followed)
          // the place is free for another source
          if (isSynced) want()
        })
        underWay.set(followed, begun.source)
      }
      return undefined
    },
    onWanted: (wanted) => {
      want = wanted
      return () => {
        want = () => undefined
      }
    },
    settled: async () => {
      await Promise.all(underWay.keys())
    },
  }
}
