/**
 * Estimates how reliable a scan is, from the share of letters that OCR doubts. The curve was drawn by hand through twelve
 * scans of 200 DPI at standard accuracy (certificates of the seeds 306 to 353): seven askew, of which three were also out of
 * focus, and five with much noise or out of focus only, with doubts of 0.03 to 0.25. Beyond that the curve is a falling
 * guess. docs/registry-quality.md shows how the estimate holds on other certificates (make scan-report). A lost heading loses
 * its whole table without raising any doubt: one of the twelve had a doubt of 0.09 and 0.43 of its values.
 */

/** Share of letters that are doubted, and the share of values that are then right. */
const RIGHT_BY_DOUBT: readonly (readonly [doubt: number, right: number])[] = [
  [0, 1],
  [0.03, 0.985],
  [0.07, 0.96],
  [0.1, 0.93],
  [0.14, 0.87],
  [0.19, 0.7],
  [0.25, 0.45],
  [0.4, 0.2],
  [0.7, 0.02],
  [1, 0],
]
/** The weight of the parser's own score. */
const PARSER_WEIGHT = 0.3

/** The share of values that are right, by the share of doubted letters. */
export const rightAt = (doubt: number): number => {
  const next = RIGHT_BY_DOUBT.findIndex(([known]) => known >= doubt)
  const [after, before] = [RIGHT_BY_DOUBT[next], RIGHT_BY_DOUBT[next - 1]]
  if (after === undefined || before === undefined) return after?.[1] ?? 0
  const part = (doubt - before[0]) / (after[0] - before[0])
  return before[1] + part * (after[1] - before[1])
}

/** @param sure the parser's own score, 0 to 100 @returns the combined score, 0 to 100 */
export const scanConfidence = (sure: number, doubt: number): number =>
  rightAt(doubt) * (PARSER_WEIGHT * sure + (1 - PARSER_WEIGHT) * 100)
