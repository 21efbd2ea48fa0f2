/** Computes the lines of a chart from the buckets of figures. Pure. */
import type { Schemas } from '#sdk/client.ts'
import { SECOND_MS } from '../language/units.ts'

export type Bucket = Schemas['JobFigures']['buckets'][number]

export type Totals = Readonly<{
  runs: number
  failures: number
  /** Some times come from a sample. */
  isEstimated: boolean
  /** There may be more than was counted. */
  isTruncated: boolean
}>

export const totalsOf = (buckets: readonly Bucket[]): Totals => ({
  runs: buckets.reduce((sum, { runs }) => sum + runs, 0),
  failures: buckets.reduce((sum, { failures }) => sum + failures, 0),
  isEstimated: buckets.some(({ estimated }) => estimated),
  isTruncated: buckets.some(({ truncated }) => truncated),
})

type Measure = 'wait' | 'duration'

/** The values of each bucket, null where there is none, and the highest values, null if there is none at all. */
export const seriesOf = (buckets: readonly Bucket[], measure: Measure) => {
  const p50 = buckets.map((bucket) => bucket[`${measure}_p50_ms`])
  const p95 = buckets.map((bucket) => bucket[`${measure}_p95_ms`])
  const highest = (values: readonly (number | null)[]): number =>
    Math.max(0, ...values.map((value) => value ?? 0))
  const isEmpty = p50.every((value) => value === null)
  return { p50, p95, highest: isEmpty ? null : { p50: highest(p50), p95: highest(p95) } }
}

/** The filters of the job list that match one bucket. The list's times are inclusive. */
export const jobsOf = (
  { bucket_seconds, buckets }: Schemas['JobFigures'],
  index: number,
  of: Readonly<{ app?: string; action?: string }>,
) => {
  const from = Date.parse(buckets[index]?.at ?? '')
  return {
    ...of,
    since: new Date(from).toISOString(),
    until: new Date(from + bucket_seconds * SECOND_MS - 1).toISOString(),
  }
}
