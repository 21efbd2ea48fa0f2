/** The common interface of the measured queues. Each must make writes durable: an acknowledged enqueue survives a power loss. */
export type DrainResult = Readonly<{ seconds: number; completed: number; distinct: number }>

export interface Peer {
  readonly name: string
  /** How its durability is configured, for the table. */
  readonly durability: string
  /** Number of jobs in a backlog that takes it a few seconds to drain. */
  readonly backlog: number
  start(): Promise<void>
  /** One durable enqueue. Resolves when it is acknowledged. */
  enqueueOne(id: string): Promise<void>
  /** Fills the queue by any bulk operation that the queue offers; not measured. */
  enqueueMany(ids: readonly string[]): Promise<void>
  /** Runs no-op jobs until `count` have completed, counting each id. */
  drain(count: number): Promise<DrainResult>
  /** For each job on an idle worker: milliseconds from just before the enqueue to the start of the job. */
  latencies(count: number): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Counts completions and resolves when all are there. */
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

/** Starts one job at a time and waits for its start, `count` times. */
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
