/**
 * The common interface of the measured workflow engines: a workflow of three durable steps, one
 * after the other. A sample counts only if each of its steps ran in it, because an engine that
 * receives an id for the second time returns the stored result instead.
 */
import { randomUUID } from 'node:crypto'
import { exactlyOnce } from './queue-scenarios.ts'
import { ownUsage, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

export interface FlowPeer {
  readonly name: string
  /** How its durability is configured. */
  readonly durability: string
  start(): Promise<void>
  /** Starts one and waits for its result. @returns the number of steps that ran */
  run(id: string): Promise<number>
  /** Number of steps that have run in this process so far. */
  stepsRun(): number
  stop(): Promise<void>
}

export type FlowScenario = 'flow' | 'flows'

const STEPS = 3
const WARMING = 40
const LATENCIES = 200
const RATED = 1_500
const AT_ONCE = 64

/** Ids that no previous sample has used, because samples share the database of their engine. */
const createIds = () => {
  const sample = randomUUID()
  let count = 0
  return (): string => {
    count += 1
    return `${sample}-${count}`
  }
}

type Flows = Readonly<{ peer: FlowPeer; newId: () => string }>

const runMany = async ({ peer, newId }: Flows, count: number): Promise<number> => {
  let started = 0
  let steps = 0
  const client = async (): Promise<void> => {
    while (started < count) {
      started += 1
      const done = await peer.run(newId())
      steps += done
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return steps
}

type Counts = Readonly<{ sent: number; answered: number; ran: number }>

/** @throws {Error} a flow was lost, or returned without running */
const checkSteps = ({ sent, answered, ran }: Counts): string =>
  exactlyOnce({ sent, completed: answered / STEPS, distinct: ran / STEPS })

const latency = async ({ peer, newId }: Flows) => {
  const times: number[] = []
  let answered = 0
  const ranBefore = peer.stepsRun()
  for (let at = 0; at < LATENCIES; at += 1) {
    const before = performance.now()
    answered += await peer.run(newId())
    times.push(performance.now() - before)
  }
  const check = checkSteps({ sent: LATENCIES, answered, ran: peer.stepsRun() - ranBefore })
  return { value: median(times), check, more: { p99: quantile(times, 0.99) } }
}

const rate = async (flows: Flows) => {
  const { peer } = flows
  const ranBefore = peer.stepsRun()
  const before = performance.now()
  const answered = await runMany(flows, RATED)
  const value = RATED / ((performance.now() - before) / 1_000)
  return { value, check: checkSteps({ sent: RATED, answered, ran: peer.stepsRun() - ranBefore }) }
}

export const runFlowScenario = async (
  peer: FlowPeer,
  scenario: FlowScenario,
  serverUsage: () => Readonly<{ cpuS: number; rssMb: number }>,
): Promise<Sample> => {
  await peer.start()
  const flows = { peer, newId: createIds() }
  await runMany(flows, WARMING)
  const before = { own: ownUsage().cpuS, server: serverUsage().cpuS }
  const made = await (scenario === 'flow' ? latency(flows) : rate(flows))
  const { cpuS, rssMb } = ownUsage()
  const server = serverUsage()
  await peer.stop()
  return {
    ...made,
    cpuS: cpuS - before.own + server.cpuS - before.server,
    rssMb: rssMb + server.rssMb,
  }
}
