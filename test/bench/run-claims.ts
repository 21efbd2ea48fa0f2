/**
 * One sample of how much more a claim costs with a large queue than with a small one of the same kind: `run-claims.ts
 * many-keys|tenant-keys|full-keys [size]`. Claims from both alternate in one process and are measured in CPU time, so that
 * other load on the machine affects both equally.
 */
import process from 'node:process'
import { type Backlog, fillBacklog, toBacklog } from './backlogs.ts'
import { claimOne, type Engine, openEngine, WS } from './engine.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { ownUsage, printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

const SMALL = 1_000
const WARMING = 100
const CLAIMS = 400

type Claimed = Readonly<{ ws: string; id: string; cpuMs: number; wallMs: number }>

type Side = Readonly<{ engine: Engine; claim: () => Promise<Claimed> }>

const openSide = async (backlog: Backlog, size: number): Promise<Side> => {
  const engine = await openEngine()
  await fillBacklog(engine.deps, () => engine.enqueue('model'), { backlog, size })
  let afterWs = ''
  const claim = async (): Promise<Claimed> => {
    const began = performance.now()
    const before = process.cpuUsage()
    const job = await claimOne(engine, afterWs)
    const { user, system } = process.cpuUsage(before)
    const wallMs = performance.now() - began
    afterWs = job.ws
    return { ws: job.ws, id: job.id, cpuMs: (user + system) / 1_000, wallMs }
  }
  return { engine, claim }
}

const measureRatio = async (backlog: Backlog, size: number): Promise<Sample> => {
  const small = await openSide(backlog, SMALL)
  const large = await openSide(backlog, size)
  const seen: Readonly<Record<'small' | 'large', Claimed[]>> = { small: [], large: [] }
  const ids = new Set<string>()
  const { cpuS } = ownUsage()
  for (let at = -WARMING; at < CLAIMS; at += 1) {
    for (const [name, side] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const claimed = await side.claim()
      ids.add(claimed.id)
      // with a neighbour's keys, only the other workspace's claims are measured, which alternate with the neighbour's
      if (at >= 0 && (backlog !== 'tenant-keys' || claimed.ws === WS)) seen[name].push(claimed)
    }
  }
  const usage = ownUsage()
  await small.engine.close()
  await large.engine.close()
  const cpuOf = (name: 'small' | 'large') => seen[name].map(({ cpuMs }) => cpuMs)
  const wallOf = (name: 'small' | 'large') => seen[name].map(({ wallMs }) => wallMs)
  const sent = 2 * (CLAIMS + WARMING)
  return {
    value: median(cpuOf('large')) / median(cpuOf('small')),
    cpuS: usage.cpuS - cpuS,
    rssMb: usage.rssMb,
    check: exactlyOnce({ sent, completed: sent, distinct: ids.size }),
    more: {
      smallCpuMs: median(cpuOf('small')),
      largeCpuMs: median(cpuOf('large')),
      smallMs: median(wallOf('small')),
      largeMs: median(wallOf('large')),
      largeP99Ms: quantile(wallOf('large'), 0.99),
    },
  }
}

const backlog = toBacklog(process.argv[2])
printSample(await measureRatio(backlog, Number(process.argv[3] ?? '1000000')))
process.exit(0)
