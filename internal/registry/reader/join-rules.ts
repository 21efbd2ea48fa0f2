/**
 * Joins the pieces of horizontal lines. Browsers and some printers draw the border of a table cell by cell, once for
 * the cell above and once for the cell below. The rules of the form are as long as the table or a part of it.
 */
import type { HorizontalLine, PageContent, VerticalLine } from '../page-content.ts'
import { SHEET_WIDTH } from './page-frame.ts'

/** Points of the standard sheet by which pieces of one rule may differ in height. Two adjacent cells each draw their own border. */
const SAME_HEIGHT = 1.2
/** Maximum gap between the ends of two joined pieces, in points. */
const TOUCHING = 1

type Open = { left: number; right: number; y: number; isRed: boolean }

type Joined = Readonly<{
  lines: readonly HorizontalLine[]
  /** Places where two pieces met, which are borders of cells next to the rule. */
  joints: readonly VerticalLine[]
}>

/** @param row pieces of the same height */
const joinRow = (row: readonly HorizontalLine[], touching: number): Joined => {
  const joined: Open[] = []
  const joints: VerticalLine[] = []
  // a strike that touches a rule stays a separate line
  const last = new Map<boolean, Open>()
  for (const piece of row.toSorted((a, b) => a.left - b.left)) {
    const open = last.get(piece.isRed)
    if (open !== undefined && piece.left <= open.right + touching) {
      const isNext = piece.left >= open.right - touching
      if (isNext) joints.push({ x: piece.left, bottom: piece.y, top: piece.y })
      open.right = Math.max(open.right, piece.right)
      continue
    }
    const begun = { ...piece }
    last.set(piece.isRed, begun)
    joined.push(begun)
  }
  return { lines: joined, joints }
}

/** Returns the page with touching or overlapping lines joined into one each [documents 3.7]. */
export const joinRules = (page: PageContent): PageContent => {
  const unit = page.width / SHEET_WIDTH
  const rows: HorizontalLine[][] = []
  for (const line of page.lines.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    const top = row?.[0]?.y ?? Number.POSITIVE_INFINITY
    if (row !== undefined && top - line.y <= SAME_HEIGHT * unit) row.push(line)
    else rows.push([line])
  }
  const joined = rows.map((row) => joinRow(row, TOUCHING * unit))
  return {
    ...page,
    lines: joined.flatMap(({ lines }) => lines),
    verticals: [...(page.verticals ?? []), ...joined.flatMap(({ joints }) => joints)],
  }
}
