/** The benchmarks that compare svc with other engines measure what they claim. */
import { expect, test } from 'vitest'
import { type FlowPeer, runFlowScenario } from './bench/flow-peer.ts'

/** An engine that keeps the result of each id, as durable engines do, in a database that outlives a sample. */
const createPeer = (results: Map<string, number>, idOf = (id: string) => id): FlowPeer => {
  let steps = 0
  return {
    name: 'fake',
    durability: 'none',
    start: async () => undefined,
    run: async (given) => {
      const id = idOf(given)
      const known = results.get(id)
      if (known !== undefined) return known
      steps += 3
      results.set(id, 3)
      return 3
    },
    stepsRun: () => steps,
    stop: async () => undefined,
  }
}

const noServer = () => ({ cpuS: 0, rssMb: 0 })

test.each(['flow', 'flows'] as const)(
  'samples of one engine run each step of %s, however many came before',
  async (scenario) => {
    const results = new Map<string, number>()
    for (const _ of [1, 2]) {
      const { check } = await runFlowScenario(createPeer(results), scenario, noServer)
      expect(check).toMatch(/each once$/)
    }
  },
)

test('a sample that an engine answers from its records is refused', async () => {
  let count = 0
  const sameIds = () => String(count++ % 200)
  const peer = createPeer(new Map(), sameIds)
  await expect(runFlowScenario(peer, 'flow', noServer)).rejects.toThrow(/runs of/)
})
