/** Decides whether a commit is slower than another, from samples that were taken in turn. Pure. */
import { median } from './statistics.ts'

/** A loss of the median that matters. */
const MOST_LOSS = 0.1
/**
 * In this share of all pairs, one sample from each side, the newer one must be worse. With five samples each that means 23
 * of 25 pairs, which happens by chance in 1.6 of 100 comparisons of equals (Mann and Whitney).
 */
const LEAST_SHARE = 0.9

export type Comparison = Readonly<{
  better: 'higher' | 'lower'
  before: readonly number[]
  now: readonly number[]
}>

export type Judgement = Readonly<{
  /** The loss of the median, 0.1 for a tenth; negative for a gain. */
  loss: number
  /** Share of the pairs in which the newer sample is worse. Equal ones count half. */
  share: number
  isLost: boolean
}>

const costOf = (better: Comparison['better'], value: number): number =>
  better === 'lower' ? value : 1 / value

export const judgeLoss = ({ better, before, now }: Comparison): Judgement => {
  const costs = (values: readonly number[]) => values.map((value) => costOf(better, value))
  const [old, young] = [costs(before), costs(now)]
  const worse = old.flatMap((a) => young.map((b): number => (b > a ? 1 : b === a ? 0.5 : 0)))
  const share = worse.reduce((sum, each) => sum + each, 0) / worse.length
  const loss =
    better === 'lower' ? median(now) / median(before) - 1 : 1 - median(now) / median(before)
  return { loss, share, isLost: loss > MOST_LOSS && share >= LEAST_SHARE }
}
