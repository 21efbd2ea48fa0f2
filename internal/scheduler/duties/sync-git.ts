/** Syncs git sources with `auto_sync_s`. Only reads when none is due. */
import type { Logger } from '#log/logger.ts'
import type { GitDeps } from '#service/git-sources/save-git-source.ts'
import { syncDueGitSources } from '#service/git-sources/sync-due-git-sources.ts'
import type { Leadership } from '#service/lead.ts'
import { listDueGitSources } from '#store/apps/git-sources.ts'
import type { Duty } from '../turns.ts'

/** Milliseconds. The shortest `auto_sync_s` is 10 s. */
const EVERY_MS = 5_000

/** Creates the duty; it runs when the next source is due, at most every 5 seconds. */
export const createGitSyncDuty = (
  deps: GitDeps & Readonly<{ log: Logger; leadership: Leadership }>,
): Duty => ({
  name: 'sync-git',
  everyMs: EVERY_MS,
  dueMs: ({ gitSyncMs }) => gitSyncMs,
  runOnce: async (signal) => {
    if ((await listDueGitSources(deps.db, 1)).length === 0) return
    if (!(await deps.leadership.claim())) return
    for (const { source, error } of await syncDueGitSources(deps, signal)) {
      const { ws, id } = source
      if (error !== null) {
        deps.log.warn('A git source could not be synced.', { ws, git_source: id, error })
      }
    }
    return undefined
  },
})
