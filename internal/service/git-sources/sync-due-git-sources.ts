/**
 * Syncs git sources whose `auto_sync_s` has passed. Safe on several nodes at once: each sync is claimed by one of them. A
 * source that fails stores its error in `last_error` and is retried at its next time.
 */
import { systemActor } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { claimGitSync, type GitSource, listDueGitSources } from '#store/apps/git-sources.ts'
import type { GitDeps } from './save-git-source.ts'
import { syncGitSource } from './sync-git-source.ts'

/** Sources per turn, which bounds what one slow remote delays. */
const BATCH = 4

export type AutoSync = Readonly<{
  source: GitSource
  /** Null if the sync succeeded. */
  error: AppError | null
}>

/** Claims and syncs due sources; sources that other nodes claimed are left out. */
export const syncDueGitSources = async (
  deps: GitDeps,
  signal: AbortSignal,
): Promise<readonly AutoSync[]> => {
  const due = await listDueGitSources(deps.db, BATCH)
  const synced = await Promise.all(due.map((source) => syncIfOurs(deps, source, signal)))
  return synced.filter((one) => one !== null)
}

const syncIfOurs = async (
  deps: GitDeps,
  source: GitSource,
  signal: AbortSignal,
): Promise<AutoSync | null> => {
  const { claimed } = await deps.db.write({ claimed: claimGitSync(source) })
  if (claimed.changes !== 1) return null
  const { ws, id } = source
  try {
    const actor = systemActor(`git_source:${id}`)
    await syncGitSource(deps, { ws, id, actor, signal, isAutomatic: true })
    return { source, error: null }
  } catch (error) {
    if (error instanceof AppError) return { source, error }
    throw error
  }
}
