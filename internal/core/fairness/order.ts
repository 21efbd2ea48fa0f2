/** Round robin by workspace: the order in which claimed jobs start, and where the next claim continues. */

type Queued = Readonly<{ ws: string; id: string; priority: number; runAt: number }>

/** Within a workspace: the highest priority first, then the longest due. */
const compareJobs = (a: Queued, b: Queued): number =>
  b.priority - a.priority || a.runAt - b.runAt || (a.id < b.id ? -1 : 1)

/** Takes one job of each workspace in turn, beginning with the workspace that follows `afterWs` by id. */
export const fairOrder = <Job extends Queued>(
  jobs: readonly Job[],
  afterWs: string,
): readonly Job[] => {
  const queues = Map.groupBy(jobs.toSorted(compareJobs), ({ ws }) => ws)
  const ids = [...queues.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const turns = [...ids.filter((ws) => ws > afterWs), ...ids.filter((ws) => ws <= afterWs)]
  const rounds = Math.max(0, ...[...queues.values()].map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) =>
    turns.flatMap((ws) => queues.get(ws)?.[round] ?? []),
  ).flat()
}
