/** Pieces of text as pdf.js finds them, converted to the displayed page. */
import type { TextPiece } from '#registry/page-content.ts'
import { type Matrix, multiply, toMatrix } from './page-geometry.ts'

export type TextItem = Readonly<{ str: string; width: number; transform: readonly unknown[] }>

/** The greatest rise per unit to the right, so that slightly rotated print still reads as lines. */
const STEEPEST = 0.2

/** @returns null if the text is empty, or runs up, down or backwards, which text of a certificate never does */
export const toTextPiece = (
  { str, width, transform }: TextItem,
  page: Matrix,
): TextPiece | null => {
  const own = toMatrix(transform)
  if (str === '' || own === null || !Number.isFinite(width)) return null
  const [a, b, c, d, left, baseline] = multiply(page, own)
  if (a <= 0 || Math.abs(b) > a * STEEPEST) return null
  // widths are in the unit of the page, which may differ from points
  const unit = Math.hypot(page[0], page[1])
  const right = left + width * unit
  const size = Math.hypot(c, d)
  // sums of finite numbers may be infinite
  return Number.isFinite(left + right + baseline + size)
    ? { text: str, left, right, baseline, size }
    : null
}
