/** What every workflow engine under measurement offers: a workflow of three durable steps, one after the other. */
import { exactlyOnce } from './queue-scenarios.ts'
import { ownUsage, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

export interface FlowPeer {
  readonly name: string
  /** How its durability is set. */
  readonly durability: string
  start(): Promise<void>
  /** Starts one and waits for its result: the number of steps that were run. */
  run(id: string): Promise<number>
  stop(): Promise<void>
}

export type FlowScenario = 'flow' | 'flows'

const STEPS = 3
const WARMING = 40
const LATENCIES = 200
const RATED = 1_500
const AT_ONCE = 64

const runMany = async (peer: FlowPeer, count: number, prefix: string): Promise<number> => {
  let started = 0
  let steps = 0
  const client = async (): Promise<void> => {
    while (started < count) {
      started += 1
      const done = await peer.run(`${prefix}-${started}`)
      steps += done
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return steps
}

const latency = async (peer: FlowPeer) => {
  const times: number[] = []
  let steps = 0
  for (let at = 0; at < LATENCIES; at += 1) {
    const before = performance.now()
    steps += await peer.run(`latency-${at}`)
    times.push(performance.now() - before)
  }
  const completed = steps / STEPS
  const check = exactlyOnce({ sent: LATENCIES, completed, distinct: completed })
  return { value: median(times), check, more: { p99: quantile(times, 0.99) } }
}

const rate = async (peer: FlowPeer) => {
  const before = performance.now()
  const completed = (await runMany(peer, RATED, 'rate')) / STEPS
  const value = RATED / ((performance.now() - before) / 1_000)
  return { value, check: exactlyOnce({ sent: RATED, completed, distinct: completed }) }
}

export const runFlowScenario = async (
  peer: FlowPeer,
  scenario: FlowScenario,
  serverUsage: () => Readonly<{ cpuS: number; rssMb: number }>,
): Promise<Sample> => {
  await peer.start()
  await runMany(peer, WARMING, 'warm')
  const before = { own: ownUsage().cpuS, server: serverUsage().cpuS }
  const made = await (scenario === 'flow' ? latency(peer) : rate(peer))
  const { cpuS, rssMb } = ownUsage()
  const server = serverUsage()
  await peer.stop()
  return {
    ...made,
    cpuS: cpuS - before.own + server.cpuS - before.server,
    rssMb: rssMb + server.rssMb,
  }
}
