/** Finds the tables of a page without rules, by the column heads, whose places on the form are known. */
import type { PageContent } from '../page-content.ts'
import { gridPoint, headSpans, type Span, TABLE_RIGHT } from '../tables/columns.ts'
import { joinHeads } from '../tables/head-lines.ts'
import { TABLE_HEADS, TABLE_KINDS, type TableHead } from '../tables/table-kind.ts'
import type { PageFrame } from './page-frame.ts'
import { readLines, type TextLine } from './text-line.ts'

/** Points by which a head may be off its place. */
const TOLERANCE = 1
/** Points between the left border of a column and its head. */
const INSET = 3

type Pair = readonly [printed: number, wanted: number]

type Fit = Readonly<{ frame: PageFrame; error: number }>

/** The straight line that fits the pairs best, if all of them are near it. */
const bestLine = (pairs: readonly Pair[]): Fit | null => {
  const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length
  const x = mean(pairs.map(([printed]) => printed))
  const y = mean(pairs.map(([, wanted]) => wanted))
  const spread = pairs.reduce((sum, [printed]) => sum + (printed - x) ** 2, 0)
  const scale =
    pairs.reduce((sum, [printed, wanted]) => sum + (printed - x) * (wanted - y), 0) / spread
  const shift = y - scale * x
  const errors = pairs.map(([printed, wanted]) => Math.abs(printed * scale + shift - wanted))
  const error = Math.max(...errors)
  return error < TOLERANCE && scale > 0 ? { frame: { scale, shift }, error } : null
}

const fitSpans = (spans: readonly Span[], { columns }: TableHead): Fit | null => {
  const borders = [...columns.map(({ unit }) => gridPoint(unit)), TABLE_RIGHT]
  const centred = spans.map(({ left, right }, at): Pair => {
    const middle = ((borders[at] ?? 0) + (borders[at + 1] ?? 0)) / 2
    return [(left + right) / 2, middle]
  })
  const atLeft = spans.map(({ left }, at): Pair => [left, (borders[at] ?? 0) + INSET])
  return bestLine(centred) ?? bestLine(atLeft)
}

/** A frame for tables with other columns: they are as wide as the page between its margins. */
const frameByMargins = (page: PageContent, lines: readonly TextLine[]): PageFrame => {
  const left = Math.min(...lines.flatMap(({ pieces }) => pieces.map((piece) => piece.left)))
  const scale = (TABLE_RIGHT - gridPoint(0)) / Math.max(1, page.width - 2 * left)
  return { scale, shift: gridPoint(0) - left * scale }
}

/** @returns null if the page has no heads of a known table */
export const frameByHeads = (page: PageContent): PageFrame | null => {
  const lines = joinHeads(readLines(page))
  const found = lines.flatMap((line) =>
    TABLE_KINDS.flatMap((kind) => {
      const spans = headSpans(line.pieces, TABLE_HEADS[kind])
      return spans === null ? [] : [{ spans, head: TABLE_HEADS[kind] }]
    }),
  )
  if (found.length === 0) return null
  const fits = found.flatMap(({ spans, head }) => fitSpans(spans, head) ?? [])
  const best = fits.toSorted((a, b) => a.error - b.error)[0]
  return best?.frame ?? frameByMargins(page, lines)
}
