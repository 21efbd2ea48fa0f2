/** One sample of a workflow engine: `run-flow-peer.ts <peer> <scenario> <url> <server pid>`. */
import process from 'node:process'
import { type FlowPeer, type FlowScenario, runFlowScenario } from '../flow-peer.ts'
import { usageOf } from '../process-usage.ts'
import { printSample } from '../sample.ts'

const SCENARIOS: readonly FlowScenario[] = ['flow', 'flows']

/** Imports only the requested peer, because they patch what they find. */
const createPeer = async (name: string, url: string): Promise<FlowPeer> => {
  if (name === 'dbos') return (await import('./dbos.ts')).createDbosPeer(url)
  if (name === 'restate') return (await import('./restate.ts')).createRestatePeer(url)
  throw new Error(`No such peer: ${name}`)
}

const [name = '', wanted, url = '', pid] = process.argv.slice(2)
const scenario = SCENARIOS.find((known) => known === wanted)
if (scenario === undefined) throw new Error(`No such sample: ${name} ${wanted}`)
const peer = await createPeer(name, url)
printSample(await runFlowScenario(peer, scenario, () => usageOf(Number(pid))))
// connection pools would keep the process alive
process.exit(0)
