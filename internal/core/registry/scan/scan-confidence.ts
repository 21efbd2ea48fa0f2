/**
 * How sure one may be of a scan, by how many letters OCR doubts. Drawn by hand through 17 scans of 200 DPI at standard accuracy
 * (certificates of the seeds 201 to 222): seven clean, seven out of focus, three noisy, with doubts of 0.03 to 0.18. None lay
 * askew, and no point beyond 0.18 was measured: from 0.3 on the line is a guess that falls. What the stated figure is worth on
 * other certificates stands in docs/registry-quality.md (make scan-report): it is too high for what lies askew.
 */

/** Share of letters that are doubted, and share of values that are right then. */
const RIGHT_BY_DOUBT: readonly (readonly [doubt: number, right: number])[] = [
  [0, 1],
  [0.03, 1],
  [0.08, 0.985],
  [0.12, 0.94],
  [0.16, 0.86],
  [0.3, 0.55],
  [0.6, 0.1],
  [1, 0],
]
/** How much the parser's own doubts count beside that. */
const PARSER_WEIGHT = 0.3

const rightAt = (doubt: number): number => {
  const next = RIGHT_BY_DOUBT.findIndex(([known]) => known >= doubt)
  const [after, before] = [RIGHT_BY_DOUBT[next], RIGHT_BY_DOUBT[next - 1]]
  if (after === undefined || before === undefined) return after?.[1] ?? 0
  const part = (doubt - before[0]) / (after[0] - before[0])
  return before[1] + part * (after[1] - before[1])
}

/** @param sure the parser's own score, 0 to 100 @returns the same */
export const scanConfidence = (sure: number, doubt: number): number =>
  rightAt(doubt) * (PARSER_WEIGHT * sure + (1 - PARSER_WEIGHT) * 100)
