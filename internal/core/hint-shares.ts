/**
 * Chooses which workers are notified that jobs were queued: as few as can take them all, those with the least load first. If
 * all workers were notified, each would claim, so that a job would cost more the more workers are idle.
 */
export type HintedWorker = Readonly<{
  /** Isolation level and workspaces. Workers of equal reach can run the same jobs of a tag. */
  reach: string
  /** How many more jobs it can take. */
  room: number
  /** How full it is, from 0 for idle. */
  load: number
  /** When it was last notified, in any ascending unit. The longest ago goes first. */
  hintedAt: number
}>

/** Those with room first, then by load, then in turn. */
const compare = (one: HintedWorker, other: HintedWorker): number => {
  if (one.room > 0 !== other.room > 0) return one.room > 0 ? -1 : 1
  return one.load - other.load || one.hintedAt - other.hintedAt
}

const chooseAlike = <Worker extends HintedWorker>(
  workers: readonly Worker[],
  jobs: number,
): readonly Worker[] => {
  const chosen: Worker[] = []
  let left = jobs
  for (const worker of workers.toSorted(compare)) {
    // if all seem full, one is notified anyway, because what is known about them is a few seconds old
    if (chosen.length > 0 && (left <= 0 || worker.room <= 0)) break
    chosen.push(worker)
    left -= worker.room
  }
  return chosen
}

/**
 * Returns the workers to notify of `jobs` queued jobs. Workers are chosen separately for each reach, because a hint
 * names only the tag of a job.
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
