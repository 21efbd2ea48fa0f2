import { readFile } from 'node:fs/promises'
import fontkit from '@pdf-lib/fontkit'
import { type Color, PDFDocument, type PDFFont, type PDFPage, rgb } from 'pdf-lib'
import { barCodePng } from './bar-code.ts'
import type { Certificate } from './generate-certificate.ts'
import { type DrawnLine, type DrawnPage, PAGE_HEIGHT, PAGE_WIDTH } from './grid.ts'
import type { Style } from './style.ts'

/** Fixed pitch, Hangul 1 em and ASCII 0.5 em: the metrics of the real prints (Debian package fonts-nanum-coding). */
const FONT_FILE = '/usr/share/fonts/truetype/nanum/NanumGothicCoding.ttf'
const BLACK = rgb(0, 0, 0)
const GREY = rgb(0.45, 0.45, 0.45)
const LIGHT = rgb(0.85, 0.85, 0.85)
const RED = rgb(1, 0, 0)

const STRIKE_COLOURS: Record<Style['strike'], Color> = {
  'red-line': RED,
  'red-rectangle': RED,
  'black-line': BLACK,
  'grey-line': GREY,
}

/** A line, or a filled rectangle that is as thin as one. */
const drawStroke = (
  page: PDFPage,
  line: DrawnLine,
  look: { readonly color: Color; readonly scale: number; readonly isRectangle: boolean },
): void => {
  const { color, scale } = look
  const left = line.left * scale
  const right = line.right * scale
  const y = line.y * scale
  if (look.isRectangle) {
    page.drawRectangle({ x: left, y: y - 0.25, width: right - left, height: 0.5, color })
    return
  }
  page.drawLine({ start: { x: left, y }, end: { x: right, y }, thickness: 0.5, color })
}

const drawLines = (
  page: PDFPage,
  drawn: DrawnPage,
  style: Style,
  kind: DrawnLine['kind'],
): void => {
  const isStrike = kind === 'strike'
  const look = {
    color: isStrike ? STRIKE_COLOURS[style.strike] : BLACK,
    scale: style.scale,
    isRectangle: isStrike ? style.strike === 'red-rectangle' : style.rulesAsRectangles,
  }
  for (const line of drawn.lines) if (line.kind === kind) drawStroke(page, line, look)
}

const drawTexts = (page: PDFPage, drawn: DrawnPage, font: PDFFont, scale: number): void => {
  for (const { text, left, baseline, size } of drawn.texts) {
    page.drawText(text, {
      x: left * scale,
      y: baseline * scale,
      size: size * scale,
      font,
      color: size >= 30 ? LIGHT : BLACK,
    })
  }
}

const drawVerticals = (page: PDFPage, drawn: DrawnPage, scale: number): void => {
  for (const { x, bottom, top } of drawn.verticals) {
    page.drawLine({
      start: { x: x * scale, y: bottom * scale },
      end: { x: x * scale, y: top * scale },
      thickness: 0.3,
      color: BLACK,
    })
  }
}

const drawPage = (
  document: PDFDocument,
  drawn: DrawnPage,
  font: PDFFont,
  style: Style,
): PDFPage => {
  const { scale } = style
  const page = document.addPage([PAGE_WIDTH * scale, PAGE_HEIGHT * scale])
  if (style.strikesFirst) drawLines(page, drawn, style, 'strike')
  drawTexts(page, drawn, font, scale)
  drawLines(page, drawn, style, 'rule')
  drawVerticals(page, drawn, scale)
  if (!style.strikesFirst) drawLines(page, drawn, style, 'strike')
  return page
}

const readFont = async (): Promise<Uint8Array> => {
  try {
    return await readFile(FONT_FILE)
  } catch (cause) {
    throw new Error('install the Debian package fonts-nanum-coding to write certificates', {
      cause,
    })
  }
}

/** The certificate as a file: the same pieces of text and lines, at the same places. */
export const certificatePdf = async ({
  drawn,
  style,
}: Pick<Certificate, 'drawn' | 'style'>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  document.registerFontkit(fontkit)
  const font = await document.embedFont(await readFont(), { subset: true })
  const pages = drawn.map((page) => drawPage(document, page, font, style))
  if (style.hasBarCode) {
    const image = await document.embedPng(barCodePng(drawn.length))
    const { scale } = style
    pages[0]?.drawImage(image, {
      x: 480 * scale,
      y: 775 * scale,
      width: 84 * scale,
      height: 34 * scale,
    })
  }
  return await document.save()
}
