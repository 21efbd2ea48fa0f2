/**
 * How sure one may be of a scan. The one sign that goes with the truth is how many letters OCR doubts; how far it does was
 * measured on generated certificates, seven of them (seeds 201 to 222) as scans of 200 DPI, clean, askew and noisy, and out
 * of focus. What the stated figure is worth on others stands in docs/registry-quality.md (make scan-report).
 */

/** Share of letters that are doubted, and share of values that are right then. */
const MEASURED: readonly (readonly [doubt: number, right: number])[] = [
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
  const next = MEASURED.findIndex(([known]) => known >= doubt)
  const [after, before] = [MEASURED[next], MEASURED[next - 1]]
  if (after === undefined || before === undefined) return after?.[1] ?? 0
  const part = (doubt - before[0]) / (after[0] - before[0])
  return before[1] + part * (after[1] - before[1])
}

/** @param sure the parser's own score, 0 to 100 @returns the same */
export const scanConfidence = (sure: number, doubt: number): number =>
  rightAt(doubt) * (PARSER_WEIGHT * sure + (1 - PARSER_WEIGHT) * 100)
