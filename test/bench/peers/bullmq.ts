import { Queue, Worker } from 'bullmq'
import { createTally, measureLatencies, type Peer } from '../peer.ts'

const QUEUE = 'noop'
const CONCURRENCY = 100

type Payload = { id: string }

export const createBullMqPeer = (url: string): Peer => {
  const { hostname, port } = new URL(url)
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null }
  const queue = new Queue<Payload>(QUEUE, {
    connection,
    defaultJobOptions: { removeOnComplete: true },
  })
  const work = (onJob: (id: string) => void): Worker<Payload> =>
    new Worker<Payload>(QUEUE, async (job) => onJob(job.data.id), {
      connection,
      concurrency: CONCURRENCY,
    })
  return {
    name: 'BullMQ',
    durability: 'Redis, appendonly=yes, appendfsync=always',
    backlog: 20_000,
    start: async () => {
      await queue.waitUntilReady()
    },
    enqueueOne: async (id) => {
      await queue.add('noop', { id })
    },
    enqueueMany: async (ids) => {
      for (let at = 0; at < ids.length; at += 1_000) {
        await queue.addBulk(ids.slice(at, at + 1_000).map((id) => ({ name: 'noop', data: { id } })))
      }
    },
    drain: async (count) => {
      const tally = createTally(count)
      const before = performance.now()
      const worker = work(tally.add)
      await tally.done
      const seconds = (performance.now() - before) / 1_000
      await worker.close()
      return tally.result(seconds)
    },
    latencies: async (count) => {
      let listener: (id: string) => void = () => undefined
      const worker = work((id) => listener(id))
      await worker.waitUntilReady()
      const times = await measureLatencies(
        count,
        async (id) => void (await queue.add('noop', { id })),
        (next) => {
          listener = next
        },
      )
      await worker.close()
      return times
    },
    stop: async () => {
      await queue.close()
    },
  }
}
