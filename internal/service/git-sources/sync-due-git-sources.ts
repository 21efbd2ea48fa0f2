/**
 * Syncs git sources whose `auto_sync_s` has passed. Safe on several nodes at once: each sync is claimed by one of them. A
 * source that fails stores its error in `last_error` and is retried at its next time.
 */
import { systemActor } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { mayTakePlace } from '#core/fairness/shared-gate.ts'
import { claimGitSync, type GitSource, listDueGitSources } from '#store/apps/git-sources.ts'
import { readAs } from '#store/read-owner.ts'
import type { GitDeps } from './save-git-source.ts'
import { syncGitSource } from './sync-git-source.ts'

/** Syncs at once, and those of one workspace, whose remotes may not answer for minutes while others wait. */
const PLACES = { limit: 4, perOwner: 3 } as const

export type AutoSync = Readonly<{
  source: GitSource
  /** Null if the sync succeeded. */
  error: AppError | null
}>

/** A sync may take longer than the interval of its source, which is then due again. */
type SourceUnderWay = Pick<GitSource, 'ws' | 'id'>

const countOf = (all: readonly SourceUnderWay[], ws: string): number =>
  all.filter((each) => each.ws === ws).length

const mayBegin = (taken: readonly SourceUnderWay[], ws: string): boolean =>
  mayTakePlace(PLACES, { own: countOf(taken, ws), total: taken.length })

/** Chooses due sources for the places that are left, each of the workspace with fewest syncs under way. */
const chooseDue = async (
  { db }: Pick<GitDeps, 'db'>,
  busy: readonly SourceUnderWay[],
): Promise<readonly GitSource[]> => {
  const places = PLACES.limit - busy.length
  if (places <= 0) return []
  const ids = busy.map(({ id }) => id)
  const begun = busy.map(({ ws }) => ws)
  const full = begun.filter((ws) => !mayBegin(busy, ws))
  // those without a sync may be newer than many of the others
  const due = [
    ...(await listDueGitSources(db, places, { workspaces: begun, ids })),
    ...(await listDueGitSources(db, places, { workspaces: full, ids })),
  ]
  const taken = [...busy]
  const chosen = new Map<string, GitSource>()
  for (;;) {
    const [next] = due
      .filter(({ ws, id }) => !chosen.has(id) && mayBegin(taken, ws))
      .toSorted((a, b) => countOf(taken, a.ws) - countOf(taken, b.ws))
    if (next === undefined) return [...chosen.values()]
    chosen.set(next.id, next)
    taken.push(next)
  }
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
