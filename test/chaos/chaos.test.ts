/** A short chaos run with each run of the tests, each time with another seed. `make chaos` runs longer. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { FLEET_BACKENDS, type FleetBackend } from '../e2e/fleet-databases.ts'
import { isLong } from '../support/runs.ts'
import { isBroken, printFindings } from './audit/finding.ts'
import { runChaos } from './chaos.ts'

/** Seconds of load. Each backend takes 15 more to start and to come to rest, with both cores. */
const SECONDS = isLong ? 60 : 12

/** A run over cells takes too long for the suite. */
const BACKENDS: readonly FleetBackend[] = isLong ? FLEET_BACKENDS : ['file', 'sqld']

describe.each(BACKENDS)('chaos over %s', { timeout: 420_000 }, (backend) => {
  test('breaks no invariant, and enough of it happens', async () => {
    const seed = Date.now() % 1_000_000
    process.stdout.write(
      `chaos over ${backend}: CHAOS_SECONDS=${SECONDS} BACKEND=${backend} SEED=${seed} make chaos\n`,
    )
    const { findings } = await runChaos({ backend, seconds: SECONDS, seed })
    // if the machine had no time for its nodes, their throughput is not evidence about svc
    const isBusy = findings.some(({ what }) => what.includes('not judged'))
    const broken = findings
      .filter(isBroken)
      .filter(({ invariant }) => !(isBusy && invariant === 'I18'))
    expect(broken, printFindings(findings)).toEqual([])
  })
})
