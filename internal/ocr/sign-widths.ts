/**
 * Learns how wide characters are in a page's font. The registry's own print has a fixed
 * pitch, but other printers have other fonts, and a text that was read is compared with the
 * width of its place. Texts that OCR is sure of show the widths of the page.
 */

/** Points. */
export type SignWidths = Readonly<{ wide: number; digit: number; other: number; blank: number }>

/** The registry's print at a font size of 10 points. */
export const FIXED_PITCH: SignWidths = { wide: 10, digit: 5, other: 5, blank: 5 }

/** `width` is the width of the ink in points. */
export type WidthSample = Readonly<{ text: string; width: number }>

const KINDS = ['wide', 'digit', 'other', 'blank'] as const
type Kind = (typeof KINDS)[number]
type Row = Readonly<{ counts: readonly number[]; width: number }>

/** Ink does not fill the width of its characters: this share of a digit is missing. */
const BARE = 0.3
const FEWEST_SAMPLES = 12
/** Widths this close to the fixed pitch count as the fixed pitch. */
const SAME = 0.07
/** The weight of the fixed pitch in samples, for characters that are rare on a page. */
const PRIOR = 0.5
/** Points. A text that misses its width by more was misread, or is set in another size. */
const OUTLIER = 3
const [NARROWEST, WIDEST] = [0.4, 1.5] as const

const kindOf = (sign: string): Kind => {
  if (/[\u1100-\uffdc]/.test(sign)) return 'wide'
  if (/\d/.test(sign)) return 'digit'
  return sign === ' ' ? 'blank' : 'other'
}

const countsOf = (text: string): readonly number[] => {
  const kinds = [...text].map(kindOf)
  return KINDS.map((kind) => kinds.filter((own) => own === kind).length)
}

/** Points from the first to the last ink of a text. */
export const inkWidth = (text: string, widths: SignWidths): number => {
  const counts = countsOf(text.trim())
  return (
    KINDS.reduce((sum, kind, at) => sum + (counts[at] ?? 0) * widths[kind], 0) - BARE * widths.digit
  )
}

/** Solves linear equations by elimination. The last column of the matrix is the right side. */
const solve = (matrix: number[][]): readonly number[] => {
  const size = matrix.length
  for (let at = 0; at < size; at += 1) {
    const pivot = matrix[at] ?? []
    for (let other = 0; other < size; other += 1) {
      const row = matrix[other]
      if (other === at || row === undefined) continue
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1)
      for (let column = at; column <= size; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  }
  return matrix.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1))
}

/** Fits the widths by least squares, pulled towards `known` where there are few samples. */
const fitOnce = (rows: readonly Row[], known: SignWidths): SignWidths => {
  const matrix = KINDS.map((kind, at) => {
    const weights = KINDS.map((_, other) =>
      rows.reduce((sum, { counts }) => sum + (counts[at] ?? 0) * (counts[other] ?? 0), 0),
    )
    weights[at] = (weights[at] ?? 0) + PRIOR
    const right = rows.reduce(
      (sum, { counts, width }) => sum + (counts[at] ?? 0) * (width + BARE * known.digit),
      PRIOR * known[kind],
    )
    return [...weights, right]
  })
  const [wide = 0, digit = 0, other = 0, blank = 0] = solve(matrix)
  return { wide, digit, other, blank }
}

const ratiosOf = (widths: SignWidths): readonly number[] =>
  KINDS.map((kind) => widths[kind] / FIXED_PITCH[kind])

/** @param samples texts that were read with certainty */
export const fitSignWidths = (samples: readonly WidthSample[]): SignWidths => {
  if (samples.length < FEWEST_SAMPLES) return FIXED_PITCH
  const rows = samples.map(({ text, width }) => ({ counts: countsOf(text.trim()), text, width }))
  let widths = fitOnce(rows, FIXED_PITCH)
  for (let round = 0; round < 2; round += 1) {
    const near = rows.filter(
      ({ text, width }) => Math.abs(inkWidth(text, widths) - width) <= OUTLIER,
    )
    if (near.length < FEWEST_SAMPLES) return FIXED_PITCH
    widths = fitOnce(near, widths)
  }
  const ratios = ratiosOf(widths)
  const isFixed = ratios.every((ratio) => Math.abs(ratio - 1) <= SAME)
  const isLikely = ratios.every((ratio) => ratio >= NARROWEST && ratio <= WIDEST)
  return isFixed || !isLikely ? FIXED_PITCH : widths
}
