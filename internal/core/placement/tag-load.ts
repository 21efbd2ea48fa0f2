/** Queue and workers by tag: the signal for starting more workers [access 16.6]. */
export type TagQueue = Readonly<{ tag: string; queued: number; oldestQueuedAgeS: number | null }>

export type TagLoad = TagQueue & Readonly<{ liveWorkers: number }>

/** Returns every tag that has waiting jobs or workers, by name. */
export const loadByTag = (
  queues: readonly TagQueue[],
  workers: readonly Readonly<{ tags: readonly string[] }>[],
): readonly TagLoad[] => {
  const tags = new Set([...queues.map(({ tag }) => tag), ...workers.flatMap((each) => each.tags)])
  return [...tags].toSorted().map((tag) => {
    const queue = queues.find((each) => each.tag === tag)
    return {
      tag,
      liveWorkers: workers.filter((worker) => worker.tags.includes(tag)).length,
      queued: queue?.queued ?? 0,
      oldestQueuedAgeS: queue?.oldestQueuedAgeS ?? null,
    }
  })
}
