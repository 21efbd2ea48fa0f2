/** Finds text on the pages of the register that no part of the reader took [documents 13.5]. */
import { squeeze } from '../fields/normal-text.ts'
import type { Finding, UnreadText } from '../schema/document.ts'
import type { ToPageBox } from '../tables/row.ts'
import { type BodyPage, isEndMark, isFurniture } from './body-page.ts'
import { continuedPropertyLines } from './property-line.ts'
import { type TextLine, textOf } from './text-line.ts'

/** The share of characters that may be unread without a warning, such as a note that the registry added to its form. */
const TOLERATED = 0.02

const signsIn = (lines: readonly TextLine[]): number =>
  lines.reduce((sum, line) => sum + squeeze(textOf(line.pieces)).length, 0)

const boxOf = (line: TextLine, toPageBox: ToPageBox): number[] => {
  const size = Math.max(...line.pieces.map((piece) => piece.size))
  const left = Math.min(...line.pieces.map((piece) => piece.left))
  const right = Math.max(...line.pieces.map((piece) => piece.right))
  const box = [left, line.baseline - size * 0.3, right, line.baseline + size] as const
  return toPageBox({ page: line.page, row: 0, box })
}

/**
 * Returns the text that was not read, and a warning if it is more than a note.
 * @param unplaced lines inside tables that no row took
 */
export const findUnread = (
  pages: readonly BodyPage[],
  unplaced: readonly TextLine[],
  toPageBox: ToPageBox,
): Readonly<{ unread: UnreadText[]; warnings: readonly Finding[] }> => {
  const ofProperty = new Set(continuedPropertyLines(pages))
  const around = pages
    .flatMap(({ above, below }) => [...above, ...below])
    .filter((line) => !isFurniture(line) && !isEndMark(line) && !ofProperty.has(line))
  const lines = [...unplaced, ...around]
  const all = signsIn(pages.flatMap(({ above, tables, below }) => [...above, ...tables, ...below]))
  const share = signsIn(lines) / Math.max(1, all)
  const unread = lines.map((line) => ({
    page: line.page,
    box: boxOf(line, toPageBox),
    text: textOf(line.pieces),
  }))
  if (unplaced.length === 0 && share <= TOLERATED) return { unread, warnings: [] }
  const percent = (100 * share).toFixed(1)
  const message = `${lines.length} lines (${percent} % of the text) belong to no field; see unread.`
  return { unread, warnings: [{ code: 'UNREAD_TEXT', message, entry_id: null }] }
}
