/** Scales pages of any paper size to one sheet, so that column borders have fixed positions. */
import type { HorizontalLine, PageContent, TextPiece } from '../page-content.ts'

/** The measures of the standard sheet: A4, table rules from 24.296 to 573.684 points. Other sizes are scaled to it. */
export const SHEET_WIDTH = 595.276
export const TABLE_LEFT = 24.296
const RULE_WIDTH = 549.388
const SHORTEST_FULL_RULE = 500

/** The conversion of a page's points to those of the sheet: `x × scale + shift`. */
export type PageFrame = Readonly<{ scale: number; shift: number }>

type Span = { left: number; width: number; count: number }

/** The span that most long rules share, which is the width of the tables. */
const tableSpan = (lines: readonly HorizontalLine[], width: number): Span | null => {
  const spans = new Map<string, Span>()
  for (const line of lines) {
    const length = line.right - line.left
    if (length < width * 0.75) continue
    const key = `${Math.round(line.left * 2)}:${Math.round(length * 2)}`
    const span = spans.get(key) ?? { left: line.left, width: length, count: 0 }
    span.count += 1
    spans.set(key, span)
  }
  const best = [...spans.values()].sort((a, b) => b.count - a.count)[0]
  return best === undefined || best.count < 3 ? null : best
}

/** The frame by the rules if there are any, otherwise by the width of the paper. */
export const frameOf = (page: PageContent): PageFrame => {
  const span = tableSpan(page.lines, page.width)
  if (span === null) return { scale: SHEET_WIDTH / page.width, shift: 0 }
  const scale = RULE_WIDTH / span.width
  return { scale, shift: TABLE_LEFT - span.left * scale }
}

/** Scales and shifts a page so that its tables have the measures of the standard form. */
export const fitToFrame = (page: PageContent, frame: PageFrame): PageContent => {
  const { scale, shift } = frame
  const x = (value: number) => value * scale + shift
  const texts = page.texts.map(
    (piece): TextPiece => ({
      ...piece,
      left: x(piece.left),
      right: x(piece.right),
      baseline: piece.baseline * scale,
      size: piece.size * scale,
    }),
  )
  const lines = page.lines.map((line) => ({
    ...line,
    left: x(line.left),
    right: x(line.right),
    y: line.y * scale,
  }))
  const verticals = (page.verticals ?? []).map((line) => ({
    x: x(line.x),
    bottom: line.bottom * scale,
    top: line.top * scale,
  }))
  return {
    ...page,
    texts,
    lines,
    verticals,
    width: page.width * scale,
    height: page.height * scale,
  }
}

/** Whether a rule extends across the whole table, as the border between two entries does. */
export const isFullRule = (line: HorizontalLine): boolean =>
  line.right - line.left >= SHORTEST_FULL_RULE && line.left < TABLE_LEFT + 8
