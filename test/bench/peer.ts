/** What every queue under measurement offers. Each claims durable writes: an answered enqueue survives power loss. */
export type DrainResult = Readonly<{ seconds: number; completed: number; distinct: number }>

export interface Peer {
  readonly name: string
  /** How its durability is set, for the table. */
  readonly durability: string
  /** Jobs of a backlog that take it some seconds to drain. */
  readonly backlog: number
  start(): Promise<void>
  /** One durable enqueue; resolves when it is acknowledged. */
  enqueueOne(id: string): Promise<void>
  /** Fills the queue by whatever bulk way the queue offers; not measured. */
  enqueueMany(ids: readonly string[]): Promise<void>
  /** Runs no-op jobs until all of `count` have completed, counting each id. */
  drain(count: number): Promise<DrainResult>
  /** With an idle worker: milliseconds from just before the enqueue to the start of the job, each. */
  latencies(count: number): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Counts completions and wakes when all are there. */
export const createTally = (count: number) => {
  const seen = new Set<string>()
  let completed = 0
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return {
    done,
    add: (id: string): void => {
      seen.add(id)
      completed += 1
      if (completed >= count) finish()
    },
    result: (seconds: number): DrainResult => ({ seconds, completed, distinct: seen.size }),
  }
}

/** Starts a job at a time and waits for its start, `count` times. */
export const measureLatencies = async (
  count: number,
  enqueue: (id: string) => Promise<void>,
  onStart: (listener: (id: string) => void) => void,
): Promise<readonly number[]> => {
  const started = new Map<string, (at: number) => void>()
  onStart((id) => started.get(id)?.(performance.now()))
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const id = `latency-${index}-${Math.random().toString(36).slice(2)}`
    const start = new Promise<number>((resolve) => started.set(id, resolve))
    const before = performance.now()
    await enqueue(id)
    times.push((await start) - before)
    started.delete(id)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return times
}
