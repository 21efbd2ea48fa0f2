/** A minute of chaos with each run of the tests, each time from another seed; `make chaos` does more of it. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { printFindings } from './audit.ts'
import { runChaos } from './chaos.ts'

describe.each(['file', 'sqld'] as const)('chaos over %s', { timeout: 240_000 }, (backend) => {
  test('breaks no invariant', async () => {
    const seed = Date.now() % 1_000_000
    process.stdout.write(
      `chaos over ${backend}: CHAOS_SECONDS=30 BACKEND=${backend} SEED=${seed} make chaos\n`,
    )
    const { findings, acknowledged, nemesis } = await runChaos({ backend, seconds: 30, seed })
    const broken = findings.filter(({ violations }) => violations.length > 0)
    expect(broken, printFindings(findings)).toEqual([])
    expect(acknowledged).toBeGreaterThan(50)
    expect(nemesis.kills).toBeGreaterThan(3)
  })
})
