import { PgBoss } from 'pg-boss'
import { createTally, measureLatencies, type Peer } from '../peer.ts'

const QUEUE = 'noop'
const BATCH = 500

type Payload = { id: string }

export const createPgBossPeer = (url: string): Peer => {
  const boss = new PgBoss({ connectionString: url, schema: 'bench_boss', max: 10 })
  boss.on('error', () => undefined)
  return {
    name: 'pg-boss',
    durability: 'PostgreSQL, fsync=on, synchronous_commit=on',
    backlog: 20_000,
    start: async () => {
      await boss.start()
      await boss.createQueue(QUEUE)
    },
    enqueueOne: async (id) => {
      await boss.send(QUEUE, { id })
    },
    enqueueMany: async (ids) => {
      for (let at = 0; at < ids.length; at += 1_000) {
        await boss.insert(
          QUEUE,
          ids.slice(at, at + 1_000).map((id) => ({ data: { id } })),
        )
      }
    },
    drain: async (count) => {
      // its fastest way: fetch and complete whole batches
      const tally = createTally(count)
      const before = performance.now()
      for (let left = count; left > 0; ) {
        const jobs = await boss.fetch<Payload>(QUEUE, { batchSize: BATCH })
        if (jobs.length === 0) break
        await boss.complete(
          QUEUE,
          jobs.map((job) => job.id),
        )
        for (const job of jobs) tally.add(job.data.id)
        left -= jobs.length
      }
      return tally.result((performance.now() - before) / 1_000)
    },
    latencies: async (count) => {
      let listener: (id: string) => void = () => undefined
      // its shortest polling interval is half a second, so a few samples are enough
      await boss.work<Payload>(QUEUE, { pollingIntervalSeconds: 0.5 }, async (jobs) => {
        for (const job of jobs) listener(job.data.id)
      })
      const times = await measureLatencies(
        Math.min(count, 15),
        async (id) => void (await boss.send(QUEUE, { id })),
        (next) => {
          listener = next
        },
      )
      await boss.offWork(QUEUE)
      return times
    },
    stop: async () => {
      await boss.stop({ graceful: false })
    },
  }
}
