/**
 * `make chaos`: runs for CHAOS_SECONDS (60) on a file, on sqld and on cells in turn, with SEED (from the clock).
 * BACKEND=file, sqld or cells selects one. Exits with 1 if an invariant was broken; the printed seed repeats the run.
 */
import process from 'node:process'
import { FLEET_BACKENDS, type FleetBackend } from '../e2e/fleet-databases.ts'
import { canSkewClocks } from '../support/skewed-clock.ts'
import { isBroken } from './audit/finding.ts'
import { runChaos } from './chaos.ts'
import { printReport } from './report.ts'

const seconds = Number(process.env.CHAOS_SECONDS ?? 60)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const only = process.env.BACKEND
const backends = FLEET_BACKENDS.filter((backend: FleetBackend) =>
  only === undefined ? true : only === backend,
)

if (!canSkewClocks) {
  process.stderr.write('Clocks stay right: for wrong ones, apt-get install libfaketime.\n')
}
let hasFailed = false
for (const backend of backends) {
  process.stdout.write(`\nchaos over ${backend} for ${seconds} s, seed ${seed}\n`)
  const startedAt = performance.now()
  const report = await runChaos({
    backend,
    seconds,
    seed,
    onFault: (text) => {
      if (!process.stdout.isTTY && process.env.VERBOSE === undefined) return
      const at = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)
      process.stdout.write(`${at} s  ${text}\n`)
    },
  })
  process.stdout.write(printReport(report))
  hasFailed ||= report.findings.some(isBroken)
}
process.exit(hasFailed ? 1 : 0)
