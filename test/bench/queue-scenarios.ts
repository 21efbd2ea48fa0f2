/** S1, S2 and S4 of any queue, by their common interface. */
import type { Peer } from './peer.ts'
import { ownUsage, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

export type QueueScenario = 'enqueue' | 'drain' | 'latency'

export type ScenarioOptions = Readonly<{
  /** CPU and memory of the queue's server, if it has one. */
  serverUsage: () => Readonly<{ cpuS: number; rssMb: number }>
}>

const ENQUEUE_MS = 3_000
const LATENCIES = 200

const idAt = (at: number): string => `job-${at}`

const enqueueOneByOne = async (peer: Peer) => {
  const deadline = performance.now() + ENQUEUE_MS
  const before = performance.now()
  let count = 0
  while (performance.now() < deadline) {
    await peer.enqueueOne(idAt(count))
    count += 1
  }
  const value = count / ((performance.now() - before) / 1_000)
  const { completed, distinct } = await peer.drain(count)
  return { value, check: exactlyOnce({ sent: count, completed, distinct }) }
}

const drainBacklog = async (peer: Peer, count: number) => {
  await peer.enqueueMany(Array.from({ length: count }, (_, at) => idAt(at)))
  const { seconds, completed, distinct } = await peer.drain(count)
  return { value: count / seconds, check: exactlyOnce({ sent: count, completed, distinct }) }
}

const startLatency = async (peer: Peer) => {
  const times = await peer.latencies(LATENCIES)
  const check = `${times.length} started`
  return { value: median(times), check, more: { p99: quantile(times, 0.99) } }
}

type Counts = Readonly<{ sent: number; completed: number; distinct: number }>

/** @throws {Error} a job was lost or ran twice */
export const exactlyOnce = ({ sent, completed, distinct }: Counts): string => {
  if (sent !== completed || sent !== distinct) {
    throw new Error(`Of ${sent} jobs ${completed} runs of ${distinct} were seen.`)
  }
  return `${sent} sent, ${distinct} run, each once`
}

export const runQueueScenario = async (
  peer: Peer,
  scenario: QueueScenario,
  { serverUsage }: ScenarioOptions,
): Promise<Sample> => {
  await peer.start()
  const before = { own: ownUsage().cpuS, server: serverUsage().cpuS }
  const made = await runScenario(peer, scenario)
  const { cpuS, rssMb } = ownUsage()
  const server = serverUsage()
  await peer.stop()
  return {
    ...made,
    cpuS: cpuS - before.own + server.cpuS - before.server,
    rssMb: rssMb + server.rssMb,
  }
}

const runScenario = (peer: Peer, scenario: QueueScenario) => {
  if (scenario === 'enqueue') return enqueueOneByOne(peer)
  return scenario === 'drain' ? drainBacklog(peer, peer.backlog) : startLatency(peer)
}
