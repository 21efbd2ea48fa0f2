/** How reliable a stated confidence is: documents grouped by confidence, and how much of them was right. */
import type { Counts } from './tally.ts'

export type Stated = Readonly<{
  /** 0 to 100. It is null if nothing was recognised, so that no confidence was stated. */
  stated: number | null
  fields: Counts
  result: Counts | null
}>

/** Lower ends of the bins, in descending order. */
const BINS = [97, 94, 90, 80, 60, 0] as const
const TOP = 100

const share = (counts: readonly Counts[]): string => {
  const right = counts.reduce((sum, count) => sum + count.right, 0)
  const all = counts.reduce((sum, count) => sum + count.right + count.missed, 0)
  return all === 0 ? '–' : ((TOP * right) / all).toFixed(1)
}

/**
 * Rows of a table: the range of confidence, the number of documents, their mean,
 * the share of right fields, and of right results if there are any.
 */
export const reliabilityRows = (documents: readonly Stated[]): string =>
  BINS.map((low, index) => {
    const high = index === 0 ? TOP : (BINS[index - 1] ?? TOP) - 1
    const own = documents.filter(({ stated }) => stated !== null && stated >= low && stated <= high)
    const mean = own.reduce((sum, { stated }) => sum + (stated ?? 0), 0) / Math.max(1, own.length)
    const results = own.map((one) => one.result).filter((counts) => counts !== null)
    const hasResults = documents.some(({ result }) => result !== null)
    const cells = [
      `${low}–${high}`,
      own.length,
      own.length === 0 ? '–' : mean.toFixed(1),
      share(own.map((one) => one.fields)),
      ...(hasResults ? [share(results)] : []),
    ]
    return `| ${cells.join(' | ')} |`
  }).join('\n')
