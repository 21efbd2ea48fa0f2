import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import type { Mark } from '#registry/reader/find-marks.ts'

const COLOURS = {
  row: rgb(0.1, 0.35, 0.85),
  cell: rgb(0.1, 0.6, 0.3),
  strike: rgb(0.85, 0.1, 0.6),
  unread: rgb(0.9, 0.05, 0.05),
} as const
const LABEL_SIZE = 6

/** Draws one mark. Its box counts from the top left corner of the page, a PDF from the bottom left of the visible area. */
function drawMark(page: PDFPage, mark: Mark, font: PDFFont): void {
  const { x, y, height } = page.getCropBox()
  const [left = 0, top = 0, right = 0, bottom = 0] = mark.box
  const margin = mark.kind === 'row' ? 2 : 0
  const color = COLOURS[mark.kind]
  page.drawRectangle({
    x: x + left - margin,
    y: y + height - bottom - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
    borderColor: color,
    borderWidth: mark.kind === 'row' ? 0.9 : 0.4,
    ...(mark.kind === 'strike' || mark.kind === 'unread'
      ? { color, opacity: 0.15, borderOpacity: 0.6 }
      : {}),
  })
  if (mark.label === null) return
  const at = { x: x + left - margin, y: y + height - top + margin + 1 }
  // the font that every reader has contains no Hangul; ids and ranks need none
  const label = mark.label.replace(/[^ -~]/g, '').trim()
  page.drawText(label, { ...at, size: LABEL_SIZE, font, color })
}

/** Returns the same PDF with what the parser saw drawn over it: rows with their ids, cells and strikes. */
export async function drawOverlay(bytes: Uint8Array, marks: readonly Mark[]): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  const pages = document.getPages()
  for (const mark of marks) {
    const page = pages[mark.page - 1]
    if (page !== undefined) drawMark(page, mark, font)
  }
  return document.save()
}
