/**
 * `make bench-guard`: measures this checkout and another commit in turn, each by its own benchmarks, and fails if anything
 * is a tenth slower beyond the noise. BASE names the commit (default: the last tag), ONLY=S1,S5 a part.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type BaseCheckout, checkOutBase } from './base-checkout.ts'
import { judgeLoss } from './judge-loss.ts'
import type { Measure } from './measure.ts'
import { MEASURES } from './measures.ts'
import { killSamples, takeSample } from './sample.ts'
import { median } from './statistics.ts'

/** The measures that a caller notices and that take a quarter of an hour, without those that fill databases or watch idle nodes. */
const GUARDED = 'S1,S1 HTTP,S2,S3,S4,S5,S6,S7,S7 rate,S10,S12,S12 rate,S13'
const RUNS = 5

type Samples = Readonly<Record<'before' | 'now', number[]>>

const sampleBoth = async (measure: Measure, base: BaseCheckout): Promise<Samples> => {
  const [script, ...args] = measure.ours
  const folders = { before: join(base.folder, 'test', 'bench'), now: import.meta.dirname }
  const samples: Samples = { before: [], now: [] }
  for (let run = 0; run < RUNS; run += 1) {
    // the order alternates, so that neither side always finds the machine as the other left it
    const turns = run % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const)
    for (const side of turns) {
      const { value } = await takeSample(join(folders[side], script), args, measure.settings)
      samples[side].push(value)
    }
  }
  return samples
}

const show = (values: readonly number[]): string =>
  `${median(values).toPrecision(4)} (${Math.min(...values).toPrecision(3)}–${Math.max(...values).toPrecision(3)})`

/** @returns whether this checkout is slower */
const guard = async (measure: Measure, base: BaseCheckout): Promise<boolean> => {
  const samples = await sampleBoth(measure, base)
  const { loss, share, isLost } = judgeLoss({ better: measure.better, ...samples })
  const change = `${loss > 0 ? 'worse' : 'better'} by ${Math.abs(100 * loss).toFixed(1)} %`
  const pairs = `worse in ${Math.round(100 * share)} % of pairs`
  process.stdout.write(
    `${isLost ? 'LOST' : 'ok  '}  ${measure.id.padEnd(9)} ${show(samples.before)} → ${show(samples.now)} ${measure.unit}: ${change}, ${pairs}\n`,
  )
  return isLost
}

const wanted = (process.env.ONLY || GUARDED).split(',').map((id) => id.trim())
const measures = MEASURES.filter(({ id }) => wanted.includes(id))
const scratch = mkdtempSync(join(tmpdir(), 'svc-guard-'))
process.env.TMPDIR = scratch
process.once('SIGINT', () => killSamples())
process.once('SIGTERM', () => killSamples())

const lost: string[] = []
try {
  const base = checkOutBase(process.env.BASE || null, join(scratch, 'base'))
  process.stdout.write(`Before: ${base.commit}. Medians of ${RUNS} with their ranges.\n`)
  try {
    for (const measure of measures) if (await guard(measure, base)) lost.push(measure.id)
  } finally {
    base.remove()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
if (lost.length > 0) {
  process.stdout.write(`Slower by more than 10 %, outside the noise: ${lost.join(', ')}.\n`)
  process.exitCode = 1
}
