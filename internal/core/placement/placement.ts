/** Which workers may take which jobs [jobs 10]: by tag, by workspace and by level of isolation. */
import { ISOLATION_LEVELS, type IsolationLevel, meetsLevel } from './isolation-level.ts'
import { isTagAllowed } from './tag-policy.ts'

/** What a worker serves. */
export type WorkerReach = Readonly<{
  tags: readonly string[]
  level: IsolationLevel
  /** An empty list means all workspaces. */
  workspaces: readonly string[]
}>

/** What a job requires of its worker. */
export type JobPlace = Readonly<{ ws: string; tag: string; minLevel: IsolationLevel }>

/** The requirement of a job that no worker meets. */
export type UnservedCause = 'tag_not_allowed' | 'tag' | 'workspace' | 'level'

export type Unserved = Readonly<{ cause: UnservedCause; reason: string }>

export const servesWorkspace = ({ workspaces }: Pick<WorkerReach, 'workspaces'>, ws: string) =>
  workspaces.length === 0 || workspaces.includes(ws)

/**
 * Returns why none of these workers may take the job.
 * @param allowedTags of the job's workspace; null for any
 * @returns null if at least one of them may
 */
export const findUnserved = (
  { ws, tag, minLevel }: JobPlace,
  workers: readonly WorkerReach[],
  allowedTags: readonly string[] | null,
): Unserved | null => {
  if (!isTagAllowed(tag, allowedTags)) {
    return {
      cause: 'tag_not_allowed',
      reason: `The tag "${tag}" is not allowed in this workspace.`,
    }
  }
  const withTag = workers.filter(({ tags }) => tags.includes(tag))
  if (withTag.length === 0) {
    return { cause: 'tag', reason: `No live worker has the tag "${tag}".` }
  }
  const withWorkspace = withTag.filter((worker) => servesWorkspace(worker, ws))
  if (withWorkspace.length === 0) {
    const reason = `No live worker with the tag "${tag}" serves this workspace.`
    return { cause: 'workspace', reason }
  }
  if (withWorkspace.some(({ level }) => meetsLevel(level, minLevel))) return null
  const reason = `No live worker with the tag "${tag}" has isolation level ${minLevel} or higher.`
  return { cause: 'level', reason }
}

/** The level of a rank from `levelRank`. */
export const levelOfRank = (rank: number): IsolationLevel => ISOLATION_LEVELS[rank] ?? 'vm'
