/** Reads a PDF whose fonts do not map glyphs to letters: positions from the file, letters by OCR of the glyphs' outlines. */
import { type Glyph, type GlyphRun, toPiece } from '#pdf/page-glyphs.ts'
import { readGlyphs } from '#pdf/read-glyphs.ts'
import type { PdfBounds } from '#pdf/reading.ts'
import type { SourceContent } from '#registry/page-content.ts'

import type { OcrEngine } from './engine.ts'
import { type GlyphLine, type LineGlyph, nameLetters } from './name-letters.ts'

/** Maximum gap between two glyphs of one line, in font sizes. */
const WIDEST_GAP = 1.5

type Placed = LineGlyph & Readonly<{ y: number; size: number }>

const placesOf = ({ glyphs, matrix }: GlyphRun): readonly Placed[] => {
  const [a, b, c, d, e, f] = matrix
  const size = Math.hypot(c, d)
  return glyphs.map((glyph) => ({
    glyph,
    x: (e + a * glyph.from) / size,
    y: f + b * glyph.from,
    size,
  }))
}

/** Lines of glyphs that follow each other on a baseline, in whichever texts of the file they are. */
const linesOf = (glyphs: readonly Placed[]): readonly GlyphLine[] => {
  const lines: Placed[][] = []
  for (const one of glyphs) {
    const last = lines.at(-1)?.at(-1)
    const gap = last === undefined ? 0 : one.x - last.x - (last.glyph.to - last.glyph.from)
    const isNext =
      last !== undefined &&
      Math.abs(one.y - last.y) < one.size / 10 &&
      Math.abs(one.size - last.size) < 0.1 &&
      gap > -0.5 &&
      gap < WIDEST_GAP
    if (isNext) lines.at(-1)?.push(one)
    else lines.push([one])
  }
  return lines
}

/** @returns null if its fonts map the letters @throws {PdfError} */
export const readUnnamed = async (
  openEngine: () => Promise<OcrEngine>,
  bytes: Uint8Array,
  bounds: PdfBounds,
): Promise<SourceContent | null> => {
  const { source, pages, outlines, fonts } = await readGlyphs(bytes, bounds)
  if (fonts.size === 0) return null
  const isAsked = ({ glyph: { font, shape } }: LineGlyph) => fonts.has(font) && outlines.has(shape)
  const lines = pages.flatMap(({ runs }) => linesOf(runs.flatMap(placesOf).filter(isAsked)))
  const { letters, doubtful } = nameLetters(await openEngine(), lines, outlines)
  const asked = lines.flat().map(({ glyph }) => glyph.shape)
  const doubted = asked.filter((shape) => doubtful.has(shape) || !letters.has(shape)).length
  const letterOf = ({ font, shape, letter }: Glyph): string => {
    if (!fonts.has(font)) return letter
    return outlines.has(shape) ? (letters.get(shape) ?? '\ufffd') : ' '
  }
  const named = pages.map(({ content, runs }) => ({
    ...content,
    texts: runs.flatMap((run) => toPiece(run, letterOf) ?? []),
  }))
  return {
    ...source,
    pages: named,
    isTextBased: false,
    ocrDoubt: doubted / Math.max(1, asked.length),
  }
}
