/**
 * Syncs git sources whose `auto_sync_s` has passed. Safe on several nodes at once: each sync is claimed by one of them. A
 * source that fails stores its error in `last_error` and is retried at its next time.
 */
import { systemActor } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { claimGitSync, type GitSource, listDueGitSources } from '#store/apps/git-sources.ts'
import { readAs } from '#store/read-owner.ts'
import type { GitDeps } from './save-git-source.ts'
import { syncGitSource } from './sync-git-source.ts'

/** Syncs at once, and those of one workspace, whose remotes may not answer for minutes while others wait. */
const AT_ONCE = 4
const OF_WORKSPACE = 3

export type AutoSync = Readonly<{
  source: GitSource
  /** Null if the sync succeeded. */
  error: AppError | null
}>

/** A sync may take longer than the interval of its source, which is then due again. */
type SourceUnderWay = Pick<GitSource, 'ws' | 'id'>

const countOf = (all: readonly SourceUnderWay[], ws: string): number =>
  all.filter((each) => each.ws === ws).length

/** Chooses due sources for the places that are left. */
const chooseDue = async (
  { db }: Pick<GitDeps, 'db'>,
  busy: readonly SourceUnderWay[],
): Promise<readonly GitSource[]> => {
  if (busy.length >= AT_ONCE) return []
  const full = busy.filter(({ ws }) => countOf(busy, ws) >= OF_WORKSPACE)
  const due = await listDueGitSources(db, AT_ONCE - busy.length, {
    workspaces: full.map(({ ws }) => ws),
    ids: busy.map(({ id }) => id),
  })
  const taken = [...busy]
  return due.filter((source) => {
    if (countOf(taken, source.ws) >= OF_WORKSPACE) return false
    taken.push(source)
    return true
  })
}

export type BegunSync = Readonly<{
  source: SourceUnderWay
  /** Null if another node has claimed it. */
  ended: Promise<AutoSync | null>
}>

/** Claims and syncs due sources, except those under way. It does not wait for their ends. */
export const beginDueGitSyncs = async (
  deps: GitDeps,
  busy: readonly SourceUnderWay[],
  signal: AbortSignal,
): Promise<readonly BegunSync[]> =>
  (await chooseDue(deps, busy)).map((source) => ({
    source,
    ended: readAs(source.ws, () => syncIfOurs(deps, source, signal)),
  }))

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
