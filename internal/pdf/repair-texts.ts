/** Restores letters in the texts of a document that the Unicode maps of its fonts have lost. */
import type { PageContent, TextPiece } from '#registry/page-content.ts'
import { type Glyph, type GlyphRun, toPiece } from './page-glyphs.ts'
import { type Letters, repairLetters } from './repair-letters.ts'

/** Western European letters, which no certificate contains. */
const FOREIGN = /[\u00ac-\u00b0\u00b3-\u00b6\u00b8-\u00d6\u00d8-\u00f6\u00f8-\u00ff]/

export const hasForeignLetters = (texts: readonly TextPiece[]): boolean =>
  texts.some(({ text }) => FOREIGN.test(text))

export type PageRuns = Readonly<{ content: PageContent; runs: readonly GlyphRun[] }>

const lettersByFont = (pages: readonly PageRuns[]): ReadonlyMap<string, Letters> => {
  const fonts = new Map<string, Map<number, string>>()
  for (const { font, code, letter } of pages.flatMap(({ runs }) =>
    runs.flatMap((run) => run.glyphs),
  )) {
    const letters = fonts.get(font) ?? new Map<number, string>()
    letters.set(code, letter)
    fonts.set(font, letters)
  }
  return fonts
}

/** Returns the pages with repaired texts, or unchanged if nothing can be repaired. */
export const repairTexts = (pages: readonly PageRuns[]): readonly PageContent[] => {
  const repaired = new Map(
    [...lettersByFont(pages)].map(([font, letters]) => [font, repairLetters(letters)]),
  )
  const contents = pages.map(({ content }) => content)
  if ([...repaired.values()].every((letters) => letters.size === 0)) return contents
  const letterOf = ({ font, code, letter }: Glyph): string =>
    repaired.get(font)?.get(code) ?? letter
  return pages.map(({ content, runs }) => ({
    ...content,
    texts: runs.flatMap((run) => toPiece(run, letterOf) ?? []),
  }))
}
