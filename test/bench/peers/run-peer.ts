/** One sample of a peer: `run-peer.ts <peer> <scenario> <url> <server pid>`. */
import process from 'node:process'
import type { Peer } from '../peer.ts'
import { usageOf } from '../process-usage.ts'
import { type QueueScenario, runQueueScenario } from '../queue-scenarios.ts'
import { printSample } from '../sample.ts'
import { createBullMqPeer } from './bullmq.ts'
import { createGraphileWorkerPeer } from './graphile-worker.ts'
import { createPgBossPeer } from './pg-boss.ts'

const PEERS: Readonly<Record<string, (url: string) => Peer>> = {
  bullmq: createBullMqPeer,
  'graphile-worker': createGraphileWorkerPeer,
  'pg-boss': createPgBossPeer,
}
const SCENARIOS: readonly QueueScenario[] = ['enqueue', 'drain', 'latency']

const [name = '', wanted, url = '', pid] = process.argv.slice(2)
const create = PEERS[name]
const scenario = SCENARIOS.find((known) => known === wanted)
if (create === undefined || scenario === undefined)
  throw new Error(`No such sample: ${name} ${wanted}`)
const serverUsage = () => usageOf(Number(pid))
printSample(await runQueueScenario(create(url), scenario, { serverUsage }))
// connection pools would keep the process alive
process.exit(0)
