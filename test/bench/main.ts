/**
 * `make bench`: measures svc and its peers and writes docs/benchmarks.md and docs/benchmarks.svg. Their samples alternate,
 * so that a drift of the machine affects all of them. A peer that does not start is left out, with its reason. `ONLY=S1,S5`
 * measures a part and prints it without writing.
 */
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { drawChart } from './chart.ts'
import { describeMachine, measureDurableWrites } from './machine.ts'
import type { Measure, Participant } from './measure.ts'
import { MEASURES } from './measures.ts'
import { type PeerService, startPostgres, startRedis, startRestate } from './peer-services.ts'
import { type Measured, type Series, toMarkdown } from './report.ts'
import { killSamples, type Sample, takeSample } from './sample.ts'
import { BINARY } from './svc-node.ts'

const HERE = import.meta.dirname
const DOCS = resolve(HERE, '../../docs')
const startedAt = performance.now()

const say = (text: string): void => {
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n')
  // a stack begins with file and line, and the message follows
  const line = lines.find((each) => /^\w*Error\b/.test(each)) ?? lines.at(0) ?? ''
  return line.replaceAll('|', '/').slice(0, 200)
}

type Peers = Readonly<{
  services: ReadonlyMap<Participant, PeerService>
  missing: ReadonlyMap<Participant, string>
  stop: () => Promise<void>
}>

const startPeers = async (): Promise<Peers> => {
  const services = new Map<Participant, PeerService>()
  const missing = new Map<Participant, string>()
  const begin = async (names: readonly Participant[], start: () => Promise<PeerService>) => {
    try {
      const service = await start()
      for (const name of names) services.set(name, service)
    } catch (error) {
      for (const name of names) missing.set(name, reasonOf(error))
      say(`${names.join(' and ')} cannot be measured: ${reasonOf(error)}`)
    }
  }
  await begin(['graphile-worker', 'pg-boss', 'dbos'], startPostgres)
  await begin(['restate'], startRestate)
  await begin(['bullmq'], startRedis)
  return {
    services,
    missing,
    stop: async () => {
      for (const service of new Set(services.values())) await service.stop()
    },
  }
}

const sampleOf = (
  measure: Measure,
  participant: Participant,
  { services }: Peers,
): Promise<Sample> | null => {
  const [script, ...args] = measure.ours
  if (participant === 'svc') return takeSample(join(HERE, script), args, measure.settings)
  const service = services.get(participant)
  if (measure.peers === undefined || service === undefined) return null
  const peer = join(HERE, 'peers', isFlow(measure) ? 'run-flow-peer.ts' : 'run-peer.ts')
  return takeSample(peer, [participant, measure.peers, service.url, String(service.pid)])
}

const QUEUES: readonly Participant[] = ['svc', 'graphile-worker', 'pg-boss', 'bullmq']
const ENGINES: readonly Participant[] = ['svc', 'dbos', 'restate']

const isFlow = ({ peers }: Measure): boolean => peers === 'flow' || peers === 'flows'
const participantsOf = (measure: Measure): readonly Participant[] =>
  isFlow(measure) ? ENGINES : QUEUES

const measureOne = async (measure: Measure, peers: Peers): Promise<Measured> => {
  const samples = new Map<Participant, Sample[]>()
  const failures = new Map<Participant, string>(
    measure.peers === undefined
      ? []
      : [...peers.missing].filter(([name]) => participantsOf(measure).includes(name)),
  )
  for (let run = 0; run < measure.runs; run += 1) {
    for (const participant of participantsOf(measure)) {
      if (failures.has(participant)) continue
      try {
        const made = await sampleOf(measure, participant, peers)
        if (made !== null) samples.set(participant, [...(samples.get(participant) ?? []), made])
      } catch (error) {
        failures.set(participant, reasonOf(error))
        say(`${measure.id} ${participant}: ${reasonOf(error)}`)
      }
    }
    const values = [...samples].map(([name, made]) => `${name} ${made.at(-1)?.value.toFixed(2)}`)
    say(`${measure.id} ${run + 1}/${measure.runs}  ${values.join('  ')} ${measure.unit}`)
  }
  const series: Series[] = [...samples].map(([participant, made]) => ({
    participant,
    samples: made,
  }))
  return { measure, series, failures }
}

const only = process.env.ONLY?.split(',').map((id) => id.trim())
const wanted = MEASURES.filter(
  ({ id }) => only === undefined || only.some((each) => id === each || id.startsWith(`${each} `)),
)
// before this run puts load on it
const machine = describeMachine()
// everything that a sample leaves behind, even one that was killed, is removed with this folder
const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-'))
// PostgreSQL runs as a different user
chmodSync(scratch, 0o711)
process.env.TMPDIR = scratch
const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true })

const peers = await startPeers()
const quit = async (): Promise<void> => {
  killSamples()
  await peers.stop()
  removeScratch()
  process.exit(130)
}
process.once('SIGINT', () => void quit())
process.once('SIGTERM', () => void quit())

const measured: Measured[] = []
const durableWrites = [measureDurableWrites()]
try {
  for (const measure of wanted) {
    measured.push(await measureOne(measure, peers))
    durableWrites.push(measureDurableWrites())
  }
} finally {
  await peers.stop()
  removeScratch()
}

const text = toMarkdown({
  measured,
  machine,
  durableWrites,
  binaryMb: statSync(BINARY).size / 1e6,
  date: new Date().toISOString().slice(0, 10),
})
if (only === undefined) {
  writeFileSync(join(DOCS, 'benchmarks.md'), text)
  writeFileSync(join(DOCS, 'benchmarks.svg'), drawChart(measured))
  say('Wrote docs/benchmarks.md and docs/benchmarks.svg.')
} else process.stdout.write(text)
