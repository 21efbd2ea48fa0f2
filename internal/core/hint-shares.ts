/**
 * which workers are notified that jobs were queued: as few as can take them all, those with the least load first. Notifying every worker
 * would make each of them claim, so that a job cost the more the more workers are idle.
 */
export type HintedWorker = Readonly<{
  /** Workers of equal reach can do the same jobs of a tag: isolation level and workspaces. */
  reach: string
  /** How many more jobs it can take. */
  room: number
  /** How full it is, from 0 for idle. */
  load: number
  /** When it was notified last, in any ascending unit: the longest ago goes first. */
  toldAt: number
}>

/** Those with room first, then by load, then in turn. */
const compare = (one: HintedWorker, other: HintedWorker): number => {
  if (one.room > 0 !== other.room > 0) return one.room > 0 ? -1 : 1
  return one.load - other.load || one.toldAt - other.toldAt
}

const chooseAlike = <Worker extends HintedWorker>(
  workers: readonly Worker[],
  jobs: number,
): readonly Worker[] => {
  const chosen: Worker[] = []
  let left = jobs
  for (const worker of workers.toSorted(compare)) {
    // where all seem full one is notified all the same: what is known of them is a few seconds old
    if (chosen.length > 0 && (left <= 0 || worker.room <= 0)) break
    chosen.push(worker)
    left -= worker.room
  }
  return chosen
}

/**
 * The workers to notify of `jobs` queued jobs. Of each reach the jobs may need, workers are chosen on their own, because a hint
 * names the tag of a job and nothing else.
 */
export const chooseWorkers = <Worker extends HintedWorker>(
  workers: readonly Worker[],
  jobs: number,
): readonly Worker[] =>
  [...Map.groupBy(workers, ({ reach }) => reach).values()].flatMap((alike) =>
    chooseAlike(alike, jobs),
  )

/** The reach of a worker as a text that is equal for equal reaches. */
export const reachOf = ({
  level,
  workspaces,
}: Readonly<{ level: string; workspaces: readonly string[] }>): string =>
  [level, ...workspaces.toSorted()].join(' ')
