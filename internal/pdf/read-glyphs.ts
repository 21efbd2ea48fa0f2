/** Reads a PDF whose fonts do not map glyphs to letters: glyphs with positions and outlines, which OCR then identifies. */
import type { SourceContent } from '#registry/page-content.ts'
import type { IsBlank } from './page-glyphs.ts'
import { readAllRuns, readSource, withDocument } from './read-pdf.ts'
import type { PdfBounds } from './reading.ts'
import type { PageRuns } from './repair-texts.ts'
import { unnamedFonts } from './unnamed-letters.ts'

/** Commands and their numbers, in font sizes, as pdf.js packs them. */
export type Outline = Float32Array

export type GlyphDocument = Readonly<{
  source: SourceContent
  pages: readonly PageRuns[]
  /** Outlines by the shapes of the glyphs. A blank has none. */
  outlines: ReadonlyMap<string, Outline>
  /** The fonts without letters. */
  fonts: ReadonlySet<string>
}>

const isNumbers = (value: unknown): value is Iterable<number> =>
  ArrayBuffer.isView(value) && Symbol.iterator in value

const toOutline = (value: unknown): Outline | null => {
  if (typeof value !== 'object' || value === null || !('path' in value)) return null
  const { path } = value
  const outline = isNumbers(path) ? Float32Array.from(path) : new Float32Array()
  return outline.length === 0 ? null : outline
}

/** @throws {PdfError} */
export const readGlyphs = (bytes: Uint8Array, bounds: PdfBounds): Promise<GlyphDocument> =>
  withDocument(bytes, bounds, async (document) => {
    const read = await readSource(document, bounds)
    const outlines = new Map<string, Outline>()
    const blanks = new Set<string>()
    const pages = await readAllRuns(
      document,
      read,
      (page): IsBlank =>
        ({ shape }) => {
          if (outlines.has(shape) || blanks.has(shape)) return blanks.has(shape)
          const outline = page.commonObjs.has(shape) ? toOutline(page.commonObjs.get(shape)) : null
          if (outline === null) blanks.add(shape)
          else outlines.set(shape, outline)
          return outline === null
        },
    )
    return { source: read.source, pages, outlines, fonts: unnamedFonts(pages) }
  })
