import { makeWorkerUtils, type Runner, run, type WorkerUtils } from 'graphile-worker'
import { createTally, type DrainResult, measureLatencies, type Peer } from '../peer.ts'

/** Its published setting for speed: many workers in one process, sharing one connection pool. */
const CONCURRENCY = 24

const idOf = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'id' in payload ? String(payload.id) : ''

export const createGraphileWorkerPeer = (url: string): Peer => {
  let queue: WorkerUtils
  const work = (onJob: (id: string) => void): Promise<Runner> =>
    run({
      connectionString: url,
      concurrency: CONCURRENCY,
      maxPoolSize: CONCURRENCY + 2,
      pollInterval: 2_000,
      noHandleSignals: true,
      logger: undefined,
      taskList: { noop: async (payload) => onJob(idOf(payload)) },
    })
  return {
    name: 'graphile-worker',
    durability: 'PostgreSQL, fsync=on, synchronous_commit=on',
    backlog: 10_000,
    start: async () => {
      queue = await makeWorkerUtils({ connectionString: url })
      await queue.migrate()
    },
    enqueueOne: async (id) => {
      await queue.addJob('noop', { id })
    },
    enqueueMany: async (ids) => {
      for (let at = 0; at < ids.length; at += 1_000) {
        const payloads = ids
          .slice(at, at + 1_000)
          .map((id) => ({ identifier: 'noop', payload: { id } }))
        await queue.addJobs(payloads)
      }
    },
    drain: async (count): Promise<DrainResult> => {
      const tally = createTally(count)
      const before = performance.now()
      const runner = await work(tally.add)
      await tally.done
      const seconds = (performance.now() - before) / 1_000
      await runner.stop()
      return tally.result(seconds)
    },
    latencies: async (count) => {
      let listener: (id: string) => void = () => undefined
      const runner = await work((id) => listener(id))
      await new Promise((resolve) => setTimeout(resolve, 500))
      const times = await measureLatencies(
        count,
        async (id) => void (await queue.addJob('noop', { id })),
        (next) => {
          listener = next
        },
      )
      await runner.stop()
      return times
    },
    stop: async () => {
      await queue.release()
    },
  }
}
